import fc from "fast-check";
import { expect, test } from "vitest";
import { anyQuery } from "../../../../test/contracts/query-arbitrary.ts";
import { printQueryText } from "../query-text-print.ts";
import { parseQuery, readQuery } from "./query-text.ts";
import { printQueryXml } from "./query-xml-print.ts";
import { failureText } from "../../../../test/contracts/failure-text.ts";

const failureOf = (text: string): string => failureText(() => readQuery(text, "q.txt"));

test("any query round-trips in the text syntax and is equivalent to its XML", () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const text = printQueryText(query);
      expect(parseQuery(text, "q.txt"), text).toEqual(query);
      expect(readQuery(printQueryXml(query), "q.xml")).toEqual(query);
    }),
    { numRuns: 300 },
  );
}, 60_000);

test("a typical query", () => {
  const query = parseQuery(
    `# how fast is it
    QUERY latency
    EXPERIMENT net
    FIXED version 1.24
    PARAMETER p.version MPI_version show=filter where="= version"
    PARAMETER p.size S_msg where=">= 1KiByte and <= 1MiByte" sweep=each
    RUN recent created_from=2026-01-31 index=3...
    SOURCE src p.size p.version recent result=T_pp alias=t
    OPERATOR fastest min src
    OPERATOR speed eval fastest
    TERM unit="MB/s" = S_msg[fastest] / (2 * T_pp[fastest]:scalar) ^ 2 - -1
    OUTPUT input=fastest label=id input=speed target=csv`,
    "q.txt",
  );
  expect(query).toMatchObject({
    id: "latency",
    fixed: [{ id: "version", value: "1.24" }],
    parameters: [
      { filters: [{ members: [{ kind: "equal", value: "version" }] }] },
      {
        filters: [{ boolean: "and", members: [{ kind: "greaterequal" }, { kind: "lessequal", value: "1MiByte" }] }],
        sweep: { filters: [] },
      },
    ],
    runs: [{ created: { from: { date: { day: "31", month: "01", year: "2026" } } }, index: ["3..."] }],
    sources: [{ results: [{ name: "T_pp", alias: "t" }], inputs: ["p.size", "p.version", "recent"] }],
  });
  expect(query.operators[1]?.terms[0]?.term).toEqual({
    kind: "difference",
    of: [
      {
        kind: "fraction",
        of: [
          { kind: "variable", name: "S_msg", input: "fastest" },
          {
            kind: "power",
            of: [
              {
                kind: "product",
                of: [
                  { kind: "constant", value: "2" },
                  { kind: "variable", name: "T_pp", input: "fastest", type: "scalar" },
                ],
              },
              { kind: "constant", value: "2" },
            ],
          },
        ],
      },
      { kind: "negative", of: [{ kind: "constant", value: "1" }] },
    ],
  });
  expect([...(query.outputs[0]?.inputs[1]?.attributes ?? [])]).toEqual([]);
});

test.each([
  ["OUTPTU x", "q.txt:1:1: unknown keyword 'OUTPTU', did you mean OUTPUT?"],
  ["SOURCE source result=t\nOUTPUT sorce", "q.txt:2:8: there is no element 'sorce', did you mean source?"],
  ["SOURCE s result=t\nSOURCE s result=t", "q.txt:2:8: the id 's' is given twice"],
  ['PARAMETER p n where="gretaer 1"', "q.txt:1:15: 'gretaer' is not a comparison"],
  ['PARAMETER p n where="= 1 and = 2 or = 3"', "q.txt:1:15: 'and' and 'or' are mixed"],
  ["PARAMETER p n\nOUTPUT p", "q.txt:2:8: 'p' is a PARAMETER and cannot be an input of OUTPUT"],
  ["TERM = 1", "q.txt:1:1: TERM needs an OPERATOR before it"],
  ["OPERATOR o eval o\nTERM = t / 2", "q.txt:2:10: 't' needs the input that it comes from"],
  ["OPERATOR o eval o\nTERM = 2 +", "q.txt:2:11: an operand is missing here"],
  ["RUN r created_from=yesterday", "q.txt:1:7: 'yesterday' is not a time"],
  ["OUTPUT label=id x", "q.txt:1:8: label belongs after the input= that it describes"],
])("%s is refused at its position", (text, message) => {
  expect(failureOf(text)).toBe(message);
});

test.each([
  "'".repeat(3),
  `'${"a".repeat(900_000)}`,
  "(".repeat(100_000),
  `${"-".repeat(100_000)}1`,
  `${"2^".repeat(100_000)}2`,
])("a hostile term ends cleanly", (term) => {
  expect(failureOf(`OPERATOR o eval o\nTERM = ${term}`)).toMatch(/^q\.txt:2:/);
});

test("a damaged query is read or refused", () => {
  fc.assert(
    fc.property(
      anyQuery,
      fc.nat(),
      fc.constantFrom("", "=", '"', "'", "\\", "\n", "\0", "(", "x"),
      (query, at, piece) => {
        const text = printQueryText(query);
        const offset = at % (text.length + 1);
        failureOf(text.slice(0, offset) + piece + text.slice(offset + 1));
      },
    ),
    { numRuns: 300 },
  );
});
