import { understandsOrRefuses } from "../../test/contracts/description-language.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../core/errors.ts";
import { parseUnit } from "../core/unit.ts";
import type { InputDescription, InputLocation } from "./input-description.ts";
import { printInput } from "./input-print.ts";
import { parseInput } from "./input.ts";

const text = `# what b_eff prints
SEP string="*****"
SEP param=S_cache alias=cachesize run=yes
NAMED N_proc alias=NP ignore="= :"
named fs alias="file system" len=0
EXPL N_node row=13 pos=5 typed
ROW N_core row="number of processes"  pos=":" rep=5
TABLE S row="#bytes" skip=1 pos=1 unit=KiByte
TABLE T row="#bytes" skip=1 pos="t[usec]" unit=text
TABLE any pos=2 typed=no
SEP regexp="^-+ \\\\d"
FIXED N_run 16
FIXED comment "two  words"
FIXED other  two  words  
`;

describe("parseInput", () => {
  test("reads every keyword of the seed, and ours", () => {
    const { locations } = parseInput(text, "in");
    const plain = locations.map(({ origin, ...location }) => ({ ...location, at: origin.line }));
    expect(plain).toMatchObject([
      { kind: "separation", mark: { kind: "keyword", text: "*****" }, run: false },
      { kind: "separation", mark: { kind: "named", name: "S_cache", aliases: ["cachesize"] }, run: true },
      { kind: "named", name: "N_proc", aliases: ["NP"], blanks: "=:" },
      { kind: "named", name: "fs", aliases: ["file system"], length: 0 },
      { kind: "explicit", name: "N_node", row: { number: 13 }, position: { number: 5 }, typed: true },
      { kind: "explicit", name: "N_core", row: { text: "number of processes" }, position: { text: ":" }, repetition: 5, typed: false },
      {
        kind: "table",
        rows: [{ text: "#bytes" }],
        start: 2,
        values: [
          { name: "S", position: { number: 1 } },
          { name: "T", position: { text: "t[usec]" }, unit: "text" },
        ],
      },
      { kind: "table", values: [{ name: "any", position: { number: 2 }, typed: false }] },
      { kind: "separation", mark: { kind: "pattern", source: "^-+ \\d" } },
      { kind: "fixed", name: "N_run", content: "16" },
      { kind: "fixed", name: "comment", content: "two  words" },
      { kind: "fixed", name: "other", content: "two  words", at: 14 },
    ]);
  });

  test.each<[string, string]>([
    ["NAEMD x", "i:1:1: unknown keyword 'NAEMD', did you mean NAMED?"],
    ["\n  NAMED", "i:2:3: NAMED needs the name of a parameter or result"],
    ["NAMED x aliass=y", "i:1:9: NAMED has no descriptor 'aliass', did you mean alias?"],
    ["NAMED x y", "i:1:9: 'y' is one word too many"],
    ["NAMED 1x", "i:1:7: '1x' is no name"],
    ["NAMED x len=-1", "i:1:9: len '-1' is no whole number from 0 on"],
    ["NAMED x unit=Btye", "i:1:9: unknown unit 'Btye'"],
    ["NAMED x ws=a ignore=b", "i:1:14: ws and ignore are the same"],
    ["NAMED x len=1 len=2", "i:1:15: len is given twice"],
    ["NAMED x alias=", "i:1:9: alias needs a text within one line"],
    ["NAMED x alias={a,b}", "i:1:9: alias takes one content, not a list"],
    ['NAMED x regexp="(?=a)"', "i:1:9: bad regular expression '(?=a)'"],
    ["EXPL x pos=1", "i:1:1: EXPL needs row="],
    ["EXPL x row=0 pos=1", "i:1:8: EXPL needs row=, a number from 1 on"],
    ["EXPL x row=1", "i:1:1: EXPL needs pos="],
    ["EXPL x row=1 pos=0", "i:1:14: pos '0' is no whole number from 1 on"],
    ["EXPL x row=-1 pos=1", "i:1:8: row '-1' is no whole number from 0 on"],
    ["EXPL x row=1 pos=1 rep=2", "i:1:20: rep needs a keyword as pos"],
    ["TABLE x pos=1 skip=2", "i:1:15: skip needs row="],
    ["EXPL x row=a regexp=b pos=1", "i:1:14: row= and regexp= exclude each other"],
    ["TABLE x row=1 regexp=b pos=1", "i:1:1: a row's number excludes other rows"],
    ["TABLE x pos=1 typed=maybe", "i:1:15: typed 'maybe' is neither yes nor no"],
    ["SEP", "i:1:1: SEP needs one of string=, regexp= and param="],
    ["SEP string=a param=b", "i:1:1: SEP needs one of"],
    ["SEP string=a alias=b", "i:1:14: alias needs param="],
    ["SEP '***'", "i:1:5: SEP needs string=, regexp= or param= before ''***''"],
    ["FIXED x", "i:1:1: FIXED needs a name and a content"],
    ['FIXED x "a" b', "i:1:13: 'b' is one word too many after the quoted content"],
    ["# nothing\n", "i:2:1: there is no location"],
  ])("tells the place: %j", (source, message) => {
    try {
      parseInput(source, "i");
      expect.unreachable();
    } catch (error) {
      if (!isFailure(error, "description-error")) throw error;
      expect(error.message).toContain(message);
    }
  });
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/);
const keyword = fc.string({ minLength: 1, unit: "grapheme" }).filter((each) => !/[\r\n]/.test(each));
const count = fc.integer({ min: 1, max: 99 });
const mark = fc.oneof(
  fc.record({ kind: fc.constant("keyword" as const), text: keyword }),
  fc.record({ kind: fc.constant("pattern" as const), source: fc.constantFrom("a+", '^"x\\d"', "\\\\") }),
);
const row = fc.oneof(mark, fc.record({ kind: fc.constant("number" as const), number: count }));
const origin = fc.constant({ line: 0, column: 0 });
const cut = {
  length: fc.nat({ max: 999_999 }),
  blanks: fc.stringMatching(/^[=:;,|"\\]{1,3}$/),
  unit: fc.oneof(fc.constant("text" as const), fc.constantFrom("Byte", "MiByte/s").map(parseUnit)),
};
const entry = fc.oneof(
  fc.record({
    position: fc.record({ kind: fc.constant("number" as const), number: count }),
    repetition: fc.constant(1),
    typed: fc.boolean(),
  }),
  fc.record({ position: fc.record({ kind: fc.constant("keyword" as const), text: keyword }), repetition: count, typed: fc.boolean() }),
);
const named = fc.record(
  {
    kind: fc.constant("named" as const),
    name,
    aliases: fc.array(keyword, { maxLength: 3 }),
    patterns: fc.constantFrom([], ["a+"]),
    origin,
    ...cut,
  },
  { requiredKeys: ["kind", "name", "aliases", "patterns", "origin"] },
);
const explicit = fc
  .tuple(
    fc.record({ kind: fc.constant("explicit" as const), name, row, origin, ...cut }, { requiredKeys: ["kind", "name", "row", "origin"] }),
    entry,
  )
  .map(([base, more]) => ({ ...base, ...more }));
const { blanks, ...valueCut } = cut;
const tableValue = fc
  .tuple(fc.record({ name, origin, ...valueCut }, { requiredKeys: ["name", "origin"] }), entry)
  .map(([base, more]) => ({ ...base, ...more }));
const table = fc.record(
  {
    kind: fc.constant("table" as const),
    rows: fc.array(row, { minLength: 1, maxLength: 1 }),
    start: fc.integer({ min: 1, max: 9 }),
    blanks,
    values: fc.array(tableValue, { minLength: 1, maxLength: 3 }),
    origin,
  },
  { requiredKeys: ["kind", "rows", "start", "values", "origin"] },
);
const separation = fc.record({ kind: fc.constant("separation" as const), mark: fc.oneof(mark, named), run: fc.boolean(), origin });
const fixed = fc.record({ kind: fc.constant("fixed" as const), name, content: fc.string(), origin });
const location: fc.Arbitrary<InputLocation> = fc.oneof(named, explicit, table, separation, fixed);

function withoutOrigin(description: InputDescription): unknown {
  return JSON.parse(JSON.stringify(description.locations, (key, value: unknown) => (key === "origin" ? undefined : value)));
}

/** Tables of the same rows, start and blanks are one table. */
function tableKey(each: InputLocation): unknown {
  return each.kind === "table" ? JSON.stringify([each.rows, each.start, each.blanks]) : each;
}

test("parse(print(x)) = x", () => {
  fc.assert(
    fc.property(fc.uniqueArray(location, { minLength: 1, maxLength: 4, selector: tableKey }), (locations) => {
      const description: InputDescription = { file: "i", rules: "sets", locations };
      expect(withoutOrigin(parseInput(printInput(description), "i"))).toEqual(withoutOrigin(description));
    }),
  );
});

test("any text gives a description or a description error", () => {
  understandsOrRefuses(
    (source) => parseInput(source, "x"),
    [
      "SEP",
      "NAMED",
      "EXPL",
      "TABLE",
      "FIXED",
      " ",
      "\n",
      "x",
      "=",
      '"',
      "row=",
      "pos=",
      "1",
      "regexp=",
      "(",
      "\\",
      "{",
      "unit=",
      "alias=",
      "\u0000",
      "typed",
    ],
  );
});
