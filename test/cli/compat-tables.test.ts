import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compatCommands, compatPage, compatPrograms, pageOf } from "../../scripts/compat-pages.mjs";
import { splitCommand } from "../../src/core/text/index.ts";
import { Perfbase } from "./perfbase-playground.ts";
import { Perun } from "./perun-playground.ts";
import { scratchFolder, type Playground } from "./program.ts";

it.each(compatPrograms)("docs/%s.md has the table of its data (npm run compat)", (program) => {
  expect(readFileSync(pageOf(program), "utf8")).toBe(compatPage(program));
});

it.each(compatPrograms.flatMap(compatCommands))("$command shows every option in an example", (command) => {
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
  place.run(["trust"]);
  return place;
}

/** Runs what `prepare` returns before each test in the state that it left. */
function restored<P extends Playground>(prepare: () => P): () => P {
  let place: P;
  let snapshot: string;
  const folders = (): [string, string][] => [
    [place.folder, join(snapshot, "work")],
    [place.home, join(snapshot, "home")],
  ];
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  beforeAll(() => {
    place = prepare();
    snapshot = scratchFolder();
    for (const [folder, copy] of folders()) cpSync(folder, copy, options);
  });
  beforeEach(() => {
    for (const [folder, copy] of folders()) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, options);
    }
  });
  return () => place;
}

describe("every example of Perun's commands", () => {
  const place = restored(filled);

  it.each(compatCommands("perun"))("$command", ({ examples, needs, refused = [] }) => {
    for (const example of examples) {
      const { status, stderr } = place().tell(...splitCommand(example));
      if (needs === undefined) expect([example, status, stderr]).toEqual([example, 0, expect.anything()]);
      // Without its tools a collector fails, but understands its options.
      else expect([example, stderr]).toEqual([example, expect.not.stringMatching(/bad-usage|unusable-comb|\[bug/)]);
    }
    for (const [, reason, example] of refused) {
      const { status, stderr } = place().tell(...splitCommand(example));
      expect([example, status, stderr]).toEqual([example, 2, expect.stringContaining(reason)]);
      expect(stderr).toMatch(/; .+ \[[a-z-]+\]\n/);
    }
  });
});

/** Two runs, a deleted one, a parameter set, attached descriptions and a dump. */
function filledPerfbase(): Perfbase {
  const place = new Perfbase().filled();
  place.write("c.dat", "host: node9\nsize rate\n2048 4\n");
  place.write(
    "query.xml",
    "<query id='q'><experiment>disk</experiment><fixed id='Q'><content>1</content></fixed>" +
      "<parameter id='p'><value>size</value></parameter>" +
      "<source id='s'><result>rate</result><input>p</input></source><output><input>s</input></output></query>",
  );
  place.write(
    "update.xml",
    "<experiment_update><experiment>disk</experiment><info><synopsis>x</synopsis></info></experiment_update>",
  );
  place.write("d.dat", "host: node5\nsize rate\n2048 4\n");
  place.did("input", "-d", "inp.xml", "--pset-store", "machine", "d.dat");
  place.did("input", "-d", "inp.xml", "d.dat");
  place.did("delete", "-r", "3", "--dontask");
  place.did("attach", "-p", "-x", "inp.xml", "-n", "disk_in");
  place.did("attach", "-p", "-x", "query.xml", "-n", "disk_query");
  place.did("dump", "-e", "disk", "-f", "disk.tar.gz");
  return place;
}

describe("every example of perfbase's commands", () => {
  const place = restored(filledPerfbase);

  it.each(compatCommands("perfbase"))("$command", ({ examples, refused = [] }) => {
    for (const example of examples) {
      const { status, stderr } = place().pb(...splitCommand(example));
      expect([example, status, stderr]).toEqual([example, 0, expect.anything()]);
    }
    for (const [, reason, example] of refused) {
      const { status, stderr } = place().pb(...splitCommand(example));
      expect([example, status, stderr]).toEqual([example, 1, expect.stringContaining(reason)]);
    }
  });
});
