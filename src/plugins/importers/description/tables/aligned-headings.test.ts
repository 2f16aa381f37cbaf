import fc from "fast-check";
import { expect, test } from "vitest";
import { alignedHeadings, displayedColumns } from "./aligned-headings.ts";

function headings(...lines: string[]): string[] | undefined {
  const row = lines.pop() ?? "";
  const columns = displayedColumns(row);
  const entries = [...row.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    start: columns[index] ?? 0,
    end: columns[index + text.length] ?? 0,
  }));
  return alignedHeadings(lines, entries);
}

test("headings of several lines, as iozone prints them", () => {
  const found = headings(
    "                                                              random    random     bkwd    record    stride",
    "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read",
    "         1048576     512  5169375  7712220  7634280  7649870  7541971  8989992  7688128  11968815   7556588",
  );
  expect(found?.slice(4)).toEqual([
    "read",
    "reread",
    "random read",
    "random write",
    "bkwd read",
    "record rewrite",
    "stride read",
  ]);
});

test.each([
  [
    ["# Size (B)   Latency (us)", "       8           0.12"],
    ["Size (B)", "Latency (us)"],
  ],
  [
    ["Block Size    Xfer Size", "1024          8"],
    ["Block Size", "Xfer Size"],
  ],
  [
    ["Procs Size", "    4    8"],
    ["Procs", "Size"],
  ],
  [
    ["Name Size", "a       8"],
    ["Name", "Size"],
  ],
  [
    ["a\tb c", "1\t2"],
    ["a", "b c"],
  ],
])("%j", (lines, expected) => {
  expect(headings(...lines)).toEqual(expected);
});

test("a word in the middle between two entries is not assigned", () => {
  expect(headings("   x", "1     2")).toBeUndefined();
});

test("columns that are aligned left, right or centred have their own headings", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const column = fc.record({
    words: fc.array(word, { minLength: 1, maxLength: 2 }),
    entry: fc.stringMatching(/^[0-9]{1,9}$/),
    side: fc.constantFrom("left", "right", "centre"),
  });
  const aligned = (text: string, width: number, side: string): string => {
    if (side === "left") return text.padEnd(width);
    return side === "right"
      ? text.padStart(width)
      : text.padStart(text.length + ((width - text.length) >> 1)).padEnd(width);
  };
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 5 }), fc.boolean(), (columns, stacked) => {
      const widths = columns.map(({ words, entry }) =>
        Math.max(entry.length, ...(stacked ? words.map((each) => each.length) : [words.join(" ").length])),
      );
      const line = (textOf: (at: number) => string): string =>
        columns.map(({ side }, at) => aligned(textOf(at), widths[at] ?? 0, side)).join("   ");
      const header = stacked
        ? [0, 1].map((row) => line((at) => columns[at]?.words[row] ?? ""))
        : [line((at) => columns[at]?.words.join(" ") ?? "")];
      const found = headings(
        ...header,
        line((at) => columns[at]?.entry ?? ""),
      );
      expect(found).toEqual(columns.map(({ words }) => words.join(" ")));
    }),
  );
});
