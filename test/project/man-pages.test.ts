import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { optionsOf } from "../../src/cli/parse.ts";
import { Session } from "../../src/cli/session.ts";
import type { Verb } from "../../src/cli/verb.ts";
import { verbs } from "../../src/cli/verbs.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-man-"));
const world = { directory: folder, environment: {}, now: () => 0, random: () => 0, command: "" };
const load = (name: string): Promise<Verb> =>
  verbs.find((verb) => verb.name === name)!.load(new Session(world, process), []);

beforeAll(() => {
  writeFileSync(join(folder, "mine.1"), "");
  const { status, stderr } = spawnSync(process.execPath, ["scripts/man-pages.mjs", folder], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const page = (name: string): string => readFileSync(join(folder, `${name}.1`), "utf8");

test("there is a page for the program and for each verb, and other files stay", () => {
  const pages = ["mine.1", "perfkeep.1", ...verbs.map(({ name }) => `perfkeep-${name}.1`)];
  expect(readdirSync(folder).toSorted()).toEqual(pages.toSorted());
  for (const { name, summary } of verbs)
    expect(page("perfkeep")).toContain(
      `perfkeep\\-${name.replaceAll("-", "\\-")} (1)\n${summary.replaceAll("-", "\\-")}`,
    );
});

const groff = spawnSync("groff", ["--version"]).error === undefined;
test.skipIf(!groff)(`groff has nothing to complain about${groff ? "" : " (skipped: there is no groff)"}`, () => {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { status, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", ...files], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

/** The verb or subverb that words lead to. */
function reached(verb: Verb, words: readonly string[]): Verb {
  const sub = verb.subverbs?.find(({ name, aliases = [] }) => [name, ...aliases].includes(words[0] ?? ""));
  return sub === undefined ? verb : reached(sub, words.slice(1));
}

const examplesOf = (verb: Verb): string[] => [
  ...(verb.examples ?? []),
  ...[...(verb.details ?? "").matchAll(/^(?:Examples?:| {2,10}) ?(.*\bperfkeep .*)$/gm)].map(([, line = ""]) =>
    line.trim(),
  ),
  ...(verb.subverbs ?? []).flatMap(examplesOf),
];

describe.each(verbs.map(({ name }) => name))("%s", (name) => {
  test("its options are on its page", async () => {
    const verb = await load(name);
    for (const { flags } of optionsOf(verb))
      expect(page(`perfkeep-${name}`)).toContain(`.B ${flags.replaceAll("-", "\\-")}\n`);
  });

  test("its help has examples, with verbs and options that there are", async () => {
    const verb = await load(name);
    const examples = examplesOf(verb);
    expect(examples.filter((line) => line.includes(`perfkeep ${name}`))).not.toEqual([]);
    for (const example of examples) {
      const [, rest = ""] = /perfkeep (\S.*)$/.exec(example) ?? [];
      const [first, ...words] = rest
        .replaceAll(/'[^']*'/g, "TEXT")
        .split(/ -- | [|<>] |\)"|#/)[0]!
        .trim()
        .split(/\s+/);
      if (first !== name || verb.arrange !== undefined) continue;
      const found = reached(verb, words);
      expect(found.run, example).toBeTypeOf("function");
      const flags = optionsOf(found).flatMap((option) => [...option.flags.split(/[ ,]+/), ...(option.also ?? [])]);
      const given = words.filter((word) => /^(?:--[a-z][a-z-]*|-[a-z])$/i.test(word));
      expect([example, given.filter((flag) => !flags.includes(flag))]).toEqual([example, []]);
    }
  });
});
