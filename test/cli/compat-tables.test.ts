import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CompatCommand } from "../../scripts/compat-commands.mjs";
import * as commands from "../../scripts/compat-commands.mjs";
import { compatPage, pageOf } from "../../scripts/compat-pages.mjs";
import { splitCommand } from "../../src/core/text/index.ts";
import { Perun } from "./perun-playground.ts";
import { scratchFolder } from "./program.ts";

const tables: Readonly<Record<string, readonly CompatCommand[]>> = { ...commands };

it.each(Object.keys(tables))("docs/%s.md has the table of its data (npm run compat)", (program) => {
  expect(readFileSync(pageOf(program), "utf8")).toBe(compatPage(program));
});

it.each(Object.values(tables).flat())("$command shows every option in an example", (command) => {
  const { options, examples, refused = [] } = command;
  const wordsOf = (example: string): string[] =>
    splitCommand(example).map((word) => word.replace(/^(--?[\w-]+)=.*/, "$1"));
  const isIn = (spellings: string, words: readonly string[]): boolean =>
    spellings === "" || spellings.split(" ").some((spelling) => words.includes(spelling));
  const words = examples.flatMap(wordsOf);
  expect(options.filter((spellings) => !isIn(spellings, words))).toEqual([]);
  expect(refused.filter(([spellings, , example]) => !isIn(spellings, wordsOf(example)))).toEqual([]);
});

/** What the examples of Perun use. */
function filled(): Perun {
  const place = new Perun();
  const shape = { postprocessors: [], collector_info: { name: "c", params: {} }, origin: place.head };
  const machine = { architecture: "x86_64", system: "Linux", release: "6", host: "h", cpu: {}, memory: {} };
  const points = Array.from({ length: 30 }, (_, at) => ({
    amount: 2 * at,
    "structure-unit-size": at,
    type: "mixed",
    subtype: "time delta",
    uid: "f",
  }));
  const models = [{ uid: "f", model: "linear", r_square: 0.5, coeffs: [{ name: "b0", value: 1 }] }];
  const mixed = { ...shape, header: { type: "mixed", cmd: "x", workload: "", units: {} }, resources: points, models };
  place.write("mixed.perf", JSON.stringify(mixed));
  for (const [name, amount] of [
    ["memory", 10],
    ["memory2", 30],
  ] as const) {
    const uid = { function: "main", source: "a.c", line: 3 };
    const resources = [{ amount, type: "memory", subtype: "malloc", uid, trace: [uid], address: 1 }];
    const header = { type: "memory", cmd: "x", workload: "", units: { memory: "B" } };
    place.write(`${name}.perf`, JSON.stringify({ ...shape, header, machine, resources }));
  }
  place.profile("one.perf", [1, 2], 1_700_000_000);
  place.did("add", "--keep-profile", "one.perf");
  place.write("sample.txt", "a b\n");
  place.write("rules.yml", "a: b\n");
  place.write("main.c", "int main(void) { return 0; }\n");
  place.write("entry.json", "{}");
  for (const name of ["first", "second"]) place.did("utils", "stats", "put", name, "id", "entry.json");
  place.write(".perun/tmp/dir/a.tmp", "x");
  place.did("config", "set", "cmds", "true");
  place.did("config", "set", "collectors", "[{name: time, params: {warmup: 0, repeat: 1}}]");
  place.environment = { EDITOR: "true", VISUAL: "true" };
  return place;
}

describe("every example of Perun's commands", () => {
  let place: Perun;
  let snapshot: string;
  const folders = (): [string, string][] => [
    [join(place.folder, ".perun"), join(snapshot, "instance")],
    [place.home, join(snapshot, "home")],
  ];
  beforeAll(() => {
    place = filled();
    place.run(["trust"]);
    snapshot = scratchFolder();
    for (const [folder, copy] of folders()) cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  });

  beforeEach(() => {
    for (const [folder, copy] of folders()) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
    }
  });

  it.each(tables["perun"] ?? [])("$command", ({ examples, needs, refused = [] }) => {
    for (const example of examples) {
      const { status, stderr } = place.tell(...splitCommand(example));
      if (needs === undefined) expect([example, status, stderr]).toEqual([example, 0, expect.anything()]);
      // Without its tools a collector fails, but understands its options.
      else expect([example, stderr]).toEqual([example, expect.not.stringMatching(/bad-usage|unusable-comb|\[bug/)]);
    }
    for (const [, reason, example] of refused) {
      const { status, stderr } = place.tell(...splitCommand(example));
      expect([example, status, stderr]).toEqual([example, 2, expect.stringContaining(reason)]);
      expect(stderr).toMatch(/; .+ \[[a-z-]+\]\n/);
    }
  });
});
