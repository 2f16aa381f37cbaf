import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namedLines } from "../../../../../test/importers/named-lines.ts";
import { readText } from "../../../../../test/importers/read-description.ts";
import { isFailure } from "../../../../core/failures/index.ts";

/** The entries of a row by what they are; rows may lack their units. */
const layouts = ["i t u", "i t u op", "i t u b v", "i op t u", "op i t u b", "i t b", "t u i", "op t u i b v"];
const value = fc.constantFrom("0.5", "17", "-3e2");
const row = fc.record({
  t: value,
  u: fc.constantFrom("us", "us", "ms", ""),
  b: value,
  v: fc.constantFrom("MB/s", "GB/s", ""),
  op: fc.constantFrom("read", "write"),
});
const foreign = fc
  .array(fc.constantFrom("slow", "node!", "17", "0.25", "us", "MB/s", "900"), { maxLength: 6 })
  .map((words) => words.join(" "));
const line = fc.oneof({ weight: 5, arbitrary: row }, { weight: 2, arbitrary: foreign });
/** A run that is refused loses nothing silently. */
const raise = (error: unknown): never => {
  throw error;
};
const columns = { i: "S", t: "T", b: "B", op: "op" };

describe("rows with and without units are stored or named in a notice", () => {
  const heads = ["row=#size", "row=0", "row=1", ""];
  test.each(heads.flatMap((head) => [["sets", head] as const, ["stream", head] as const]))("%s, %j", (rules, head) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 14 }),
        fc.constantFrom(...layouts),
        fc.constantFrom("", " skip_blank=yes"),
        async (lines, layout, skip) => {
          const entries = layout.split(" ");
          const texts = lines.map((each, at) => {
            if (typeof each === "string") return each;
            const words: Readonly<Record<string, string>> = { ...each, i: String(at + 2) };
            return entries.map((entry) => words[entry] ?? "").filter((word) => word !== "");
          });
          const tables = Object.entries(columns).map(([entry, name]) => {
            const at = entries.indexOf(entry);
            return at < 0 ? "" : `TABLE ${name} ${head}${skip} pos=${at + 1}\n`;
          });
          const input = `RULES ${rules}\nNAMED np match=done:\n${tables.join("")}`;
          const data = ["#size t[usec]", ...texts.map((each) => [each].flat().join(" ")), "done: 5", ""].join("\n");
          const read = await readText(input, data).catch((error: unknown) =>
            isFailure(error) ? undefined : raise(error),
          );
          if (read === undefined) return;
          const { names, runs, notices } = read;
          const stored = new Set(runs.flatMap((run) => run.rows.map((each) => each[names.indexOf("S")])));
          const isNamed = namedLines(notices);
          const isRow = (at: number): boolean => typeof lines[at - 2] === "object";
          const missing = lines.map((_, at) => at + 2).filter((at) => isRow(at) && !stored.has(at) && !isNamed(at));
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: 60 },
    ),
  );
});

test("a row that lacks the unit of the others is named", async () => {
  const input = "TABLE S row=#size pos=1\nTABLE T row=#size pos=2\nTABLE B row=#size pos=4\n";
  const { notices } = await readText(input, "#size t b\n1 0.5 us 3 MB/s\n2 0.5 3 MB/s\n3 0.5 3 MB/s\n");
  expect(notices).toEqual([
    "3: the table ends here, at a line that looks like a row but has 4 entries instead of 5",
    "4: 1 line after the end of the table at line 3 looks like one of its rows: 4",
  ]);
});

test("under the rules stream a line after a table that is none of its rows does not fail the import", async () => {
  const table = ["S", "T", "op"].map((name, at) => `TABLE ${name} row=#size pos=${at + 1}\n`).join("");
  const { runs } = await readText(`RULES stream\n${table}`, "#size t op\n1 2 read\n0.5 3\n");
  expect(runs.map(({ rows }) => rows)).toEqual(
    [[[1, "read", 2]]].map((rows) => rows.map((row) => expect.arrayContaining(row))),
  );
});
