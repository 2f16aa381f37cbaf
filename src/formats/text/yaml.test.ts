import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import type { Setting } from "../../core/values/setting.ts";
import { readPlainYaml } from "./yaml-subset.ts";
import { editYaml, printYaml, readYaml } from "./yaml.ts";

const local = `vcs:
  type: git
  url: ../ # next to us

# hints
format:
  sort_profiles_by: time
`;

test("the plain reader covers typical configurations", () => {
  const text = `vcs:
  type: git
  url: ..

## comment
format:
  status: '┃ %type% ┃'
  shortlog: "%checksum:6% %desc%"
cmds:
- ./bench --fast
- ./other
collectors:
  - name: time
    params:
      warmup: 1
      repeat: 12
  - name: memory
profiles:
  register_after_run: true
empty:
`;
  expect(readPlainYaml(text)).toEqual(readYaml(text, "f"));
  expect(readPlainYaml(text)).toBeDefined();
  expect(readPlainYaml("# nothing\n\n")).toBeNull();
});

test.each([
  "a: [1, 2]",
  "a: 1.5",
  "a: |\n  x",
  "a: &x 1",
  "a: b\n c: d",
  "- a\n- b: 1\n  b: 2",
  "a: x # y",
  "\ta: 1",
  "---\na: 1",
  "a: 'it''s'",
  "a: 0x10",
  "a b: c",
])("the plain reader leaves %j to the full one", (text) => {
  expect(readPlainYaml(text)).toBeUndefined();
});

test("if the plain reader returns a value, the full reader agrees", () => {
  const value = fc.constantFrom(
    "x",
    "../",
    "true",
    "Null",
    "~",
    "12",
    "-3",
    "007",
    "1e3",
    "a: b",
    "- x",
    "'q'",
    '"w w"',
    "a#b",
    "a #b",
    "%x",
    "yes",
    "",
    ".5",
    "k:",
    "- k: v",
    "-",
    "?",
    "a,b",
    "[",
    "]x",
    "x]",
  );
  const line = fc
    .tuple(fc.constantFrom(0, 0, 2, 2, 4, 1), fc.constantFrom("a: ", "b: ", "c:", "- ", "", "#", "- a: "), value)
    .map(([indent, key, text]) => " ".repeat(indent) + key + text);
  let answered = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join("\n");
      const quick = readPlainYaml(text);
      if (quick === undefined) return;
      answered++;
      expect(quick).toEqual(readYaml(text, "f"));
    }),
    { numRuns: 3000, seed: 7 },
  );
  expect(answered).toBeGreaterThan(300);
});

test("an edit keeps comments and order", () => {
  expect(editYaml(local, "f", ["vcs", "url"], "/elsewhere")).toBe(local.replace("../", "/elsewhere"));
  expect(editYaml(local, "f", ["general", "paging"], "never")).toBe(`${local}general:\n  paging: never\n`);
  expect(editYaml("", "f", ["a", "b"], 3)).toBe("a:\n  b: 3\n");
  expect(editYaml("# only a comment\n", "f", ["a"], true)).toBe("# only a comment\n\na: true\n");
  expect(editYaml("a:\nb: 1\n", "f", ["a", "c"], ["x", "y"])).toBe("a:\n  c:\n    - x\n    - y\nb: 1\n");
});

test("an edit never replaces a value by a section", () => {
  expect(() => editYaml(local, "f", ["vcs", "type", "name"], 1)).toThrow("vcs.type is not a section");
  expect(() => editYaml("- 1\n", "f", ["a"], 1)).toThrow("the file is not a section");
});

const setting: fc.Arbitrary<Setting> = fc.letrec<{ value: Setting }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Setting>(null, true, false, "", "yes", "1", "~", "a: b", "#", "multi\nline\n", "%x%", "'"),
    fc.integer(),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.stringMatching(/^[a-z_0-9]{1,6}$/), tie("value")), { maxLength: 3 })
      .map((entries) => new Map(entries)),
  ),
})).value;

test("printed values read back", () => {
  fc.assert(
    fc.property(setting, (value) => {
      expect(readYaml(printYaml(value), "f")).toEqual(value);
    }),
  );
});

test("an edit sets its value and keeps the others", () => {
  fc.assert(
    fc.property(setting, (value) => {
      const root = readYaml(editYaml(local, "f", ["x", "y"], value), "f") as ReadonlyMap<string, Setting>;
      expect((root.get("x") as ReadonlyMap<string, Setting>).get("y")).toEqual(value);
      expect(new Map([...root].filter(([key]) => key !== "x"))).toEqual(readYaml(local, "f"));
    }),
  );
});

const laughs = Array.from(
  { length: 9 },
  (_, i) => `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i === 0 ? "lol" : `*a${i - 1}`)).join(", ")}]`,
).join("\n");

test.each([
  ["billion laughs", laughs],
  ["flow depth", "a: " + "[".repeat(50_000)],
  ["list depth", "- ".repeat(50_000) + "x"],
  ["block depth", Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
  ["size", `a: ${"x".repeat(1 << 20)}`],
  ["unknown tag", "a: !!js/function 'x'"],
  ["own tag", "a: !run x"],
  ["two documents", "a: 1\n---\nb: 2"],
  ["duplicate key", "a: 1\na: 2"],
  ["list as key", "? [a]\n: 1"],
  ["unclosed", "a: 'x"],
  ["unknown alias", "a: *x"],
])("refuses %s with its position", (_, text) => {
  expect(() => readYaml(text, "local.yml")).toThrow(Failure);
  expect(() => readYaml(text, "local.yml")).toThrow(/^local\.yml/);
});

test("names of prototype members are ordinary keys", () => {
  expect(readYaml("__proto__: {a: 1}\nconstructor: 2\n", "f")).toEqual(
    new Map<string, Setting>([
      ["__proto__", new Map([["a", 1]])],
      ["constructor", 2],
    ]),
  );
});

test("mutated configurations end in a value or a Failure", () => {
  fc.assert(
    fc.property(
      fc.nat(local.length),
      fc.constantFrom(..."\t-:?[]{}&*!|>'\"%@`#\n\0\\~<,"),
      fc.nat(3),
      (at, character, cut) => {
        try {
          readYaml(local.slice(0, at) + character + local.slice(at + cut), "f");
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      },
    ),
    { numRuns: 500 },
  );
});
