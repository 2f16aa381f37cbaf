import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namedLines } from "../../../../../test/importers/named-lines.ts";
import { readText } from "../../../../../test/importers/read-description.ts";
import { isFailure } from "../../../../core/failures/index.ts";
import { LostRows } from "./lost-rows.ts";

/** A line of a generated text; the first entry of a row is its own number. */
type Line = {
  readonly kind: "row" | "split" | "rest" | "cut" | "blank" | "head" | "foreign";
  readonly text: (entries: number, id: number) => string;
  /** The value of its second entry, in microseconds. */
  readonly time?: number;
};

const times = { "0.5": 0.5, "17": 17, "-3e2": -300, "0.5 us": 0.5, "7 ms": 7000, "2 \u00b1 1 ms": 2000 };
const gap = fc.constantFrom(
  " ",
  "  ",
  "\t",
  " \t ",
  "\u00a0",
  "\u2003 ",
  "\u3000",
  " \f",
  "\ufeff ",
  " \0\0 ",
  "\u202f\t",
);
const margin = fc.constantFrom("", " ", "\t", "\f", "\ufeff", "\u00a0", "\0 ");
const row: fc.Arbitrary<Line> = fc
  .tuple(gap, margin, fc.constantFrom(...Object.entries(times)))
  .map(([between, before, [value, time]]): Line => ({
    kind: "row",
    time,
    text: (entries, id) => before + [String(id), ...Array.from({ length: entries - 1 }, () => value)].join(between),
  }));
const other = (kind: Line["kind"], text: string): Line => ({ kind, text: () => text });
const foreign = fc
  .array(fc.constantFrom("slow", "node!", "wait", "17", "0.25", "s"), { maxLength: 4 })
  .map((words) => other("foreign", ["warning:", ...words].join(" ")));
const line = fc.oneof(
  { weight: 5, arbitrary: row },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\t ").map((text) => other("blank", text)) },
  { weight: 1, arbitrary: fc.constant(other("head", "#size t[usec]")) },
  { weight: 1, arbitrary: foreign },
);
const messages = ["WARNING: slow node", "[node] late", "srun: error: node7 is down", "node is slow!"];
/** A row that a message splits between two entries or within a number: the rest of the row is in the next line. */
const splitRow = fc
  .tuple(fc.constantFrom(...messages), fc.boolean(), fc.constantFrom("0.5", "17", "-3e2"))
  .map(([message, isGlued, value]): Line[] => {
    const parts = (entries: number): readonly [string, string] => {
      const rest = Array.from({ length: entries - 1 }, () => value);
      return isGlued && /^[W[]/.test(message)
        ? [value.slice(0, value.search(/\d/) + 1), [value.slice(value.search(/\d/) + 1), ...rest.slice(1)].join(" ")]
        : ["", rest.join(" ")];
    };
    const text = (entries: number, id: number): string => `${id} ${parts(entries)[0]}${message}`;
    return [
      { kind: "split", text, time: Number(value) },
      { kind: "rest", text: (entries) => parts(entries)[1] },
    ];
  });
/** The last row, within which the input ends. */
const cutRow = fc
  .tuple(row, fc.constantFrom("", " ", " -", "\t"))
  .map(([before, end]): Line[] => [before, { kind: "cut", text: (_, id) => `${id}${end}` }]);
/** Begins with a foreign line, perhaps one that looks like a row with more entries. */
const document = fc
  .tuple(
    fc.constantFrom([], [other("foreign", "900 8 9 10")]),
    fc.array(fc.oneof({ weight: 8, arbitrary: line.map((each) => [each]) }, splitRow), { maxLength: 30 }),
    fc.oneof(fc.constant([]), cutRow),
  )
  .map(([first, lines, end]) => [...first, ...lines.flat(), ...end]);
/** An input without any value, or with a number that its variable cannot hold, is refused. */
const refusal = (error: unknown): undefined => {
  if (!isFailure(error, "nothing-found") && !isFailure(error, "bad-content")) throw error;
};
const names = ["S", "T", "B", "total2"];
const options = ["", " skip_blank=yes", " skip_heads=yes", " skip_regexp=^warning"];

describe("for generated tables every row is stored as written or its line is named in a notice", () => {
  const marked = ["row=#size", "row=#size rows=1000", "row=#size columns=3", "row=#size header=1"];
  const heads = [...marked, "row=0", "row=1", ""];
  test.each([
    ["", "row=#size"] as const,
    ...heads.flatMap((head) => [["sets", head] as const, ["stream", head] as const]),
  ])("%s, %j", async (rules, head) => {
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.integer({ min: 2, max: 3 }),
        fc.constantFrom("\n", "\r\n"),
        fc.subarray(options),
        async (generated, entries, newline, chosen) => {
          const count = head.includes("columns") ? 3 : entries;
          // Without a mark, any line of two numbers is a row.
          const isSplit = ({ kind }: Line): boolean => kind === "split" || kind === "rest";
          const lines = head === "" && count > 2 ? generated.filter((each) => !isSplit(each)) : generated;
          const isCut = lines.at(-1)?.kind === "cut";
          const texts = [
            "#size t[usec]",
            ...lines.map(({ text }, at) => text(count, at + 2)),
            ...(isCut ? [] : ["done: 5", ""]),
          ];
          const shared = head + chosen.join("");
          const columns = names
            .slice(0, count)
            .map((name, at) => `TABLE ${name.slice(0, 1)} ${shared} pos=${at + 1}\n`);
          const begin = rules === "" ? "" : `RULES ${rules}\n`;
          const input = `${begin}NAMED np match=done:\n${columns.slice(0, 2).join("")}`;
          const read = await readText(input, texts.join(newline)).catch(refusal);
          if (!read) return;
          const { names: found, runs, notices } = read;
          const stored = new Map(runs.flatMap((run) => run.rows.map((row) => [row[0], row[found.indexOf("T")]])));
          const isNamed = namedLines(notices);
          const missing = lines.flatMap(({ kind }, index) =>
            ["row", "split", "cut"].includes(kind) && !stored.has(index + 2) && !isNamed(index + 2) ? [index + 2] : [],
          );
          expect(missing, JSON.stringify([texts, notices])).toEqual([]);
          lines.forEach(({ time }, index) => {
            if (time !== undefined && stored.has(index + 2) && !isNamed(index + 2))
              expect(stored.get(index + 2), texts[index + 1]).toBe(time);
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("LostRows has no text without lines", () => {
  const lost = new LostRows(7, 3);
  expect([lost.text, lost.fits(2), lost.fits(3)]).toEqual([undefined, false, true]);
  lost.add(9);
  expect(lost.text).toBe("1 line after the end of the table at line 7 looks like one of its rows: 9");
});
