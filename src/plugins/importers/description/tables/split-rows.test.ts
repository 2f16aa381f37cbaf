import { describe, expect, test } from "vitest";
import { readText } from "../../../../../test/importers/read-description.ts";

const columns = ["S", "T", "B", "op"].map((name, at) => `TABLE ${name} row=size pos=${at + 1}\n`).join("");
const head = "size T B op\n1 2.5 3.5 read\n";
/** The notices of both sets of rules. */
const noticesOf = async (data: string): Promise<readonly (readonly string[])[]> =>
  Promise.all(["sets", "stream"].map(async (rules) => (await readText(`RULES ${rules}\n${columns}`, data)).notices));

describe("a row that other text splits is named with its line", () => {
  const split = "4: other text splits rows of the table: lines 3-4";
  test.each([
    ["between entries", "2 2.5 WARNING: slow node\n3.5 write\n", split],
    ["between entries, without a sign of a message", "2 2.5 node seven is rather slow\n3.5 write\n", split],
    ["within a number", "2 2.WARNING: slow node\n5 3.5 write\n", split],
    ["within an exponent", "2 2.5[node7] is slow today\ne3 3.5 write\n", split],
    [
      "before other lines",
      "2 WARNING: slow node 7\nand another one\n2.5 3.5 write\n",
      "5: other text splits rows of the table: lines 3, 5",
    ],
    ["in one line", "2 2.5 WARNING: slow node 3.5 write\n", "3: other text splits rows of the table: line 3"],
  ])("%s", async (_, data, notice) => {
    for (const notices of await noticesOf(head + data)) expect(notices, notices.join()).toContain(notice);
  });

  test("after the end of the table", async () =>
    expect((await noticesOf(`${head}\n2 2.5 WARNING: slow node\n3.5 write\n`))[0]).toEqual([
      "5: other text splits rows of the table: lines 4-5",
    ]));

  test("also within a line that the description skips", async () => {
    const skipping = columns.replaceAll("row=size", "row=size skip_regexp=WARNING");
    const { notices } = await readText(skipping, `${head}2 2.5 WARNING: slow node\n3.5 write\n`);
    expect(notices).toContain(split);
  });

  test.each([
    "7 nodes\n1.5 write\n",
    "17 nodes of 20 are slow\n",
    "2 2.5 MByte/s of 3\nwrite\n",
    "12 s in 3.5 all\n4 5\n",
  ])("%j is none", async (data) =>
    expect((await noticesOf(head + data)).flat().filter((each) => each.includes("splits"))).toEqual([]),
  );
});

describe("a last line without a line end", () => {
  const notice = "3: the input ends within this line, which looks like the beginning of a row";
  test.each(["2", "2 ", "12 -"])("%j is named as the beginning of a row", async (line) =>
    expect(await noticesOf(head + line)).toEqual([[notice], [notice]]),
  );

  test("is named if it begins like the label of the row before", async () => {
    const labelled = ["op", "T", "B"].map((name, at) => `TABLE ${name} row=op pos=${at + 1}\n`).join("");
    const read = async (line: string) => (await readText(labelled, `op T B\nwrite 1.5 2.5\n${line}`)).notices;
    expect(await read("wri")).toEqual([notice]);
    expect(await read("done")).toEqual([]);
  });

  test.each(["2\n", "done", "4 nodes", "3 rows read", "\n\n\n\n2"])("%j is none", async (line) =>
    expect(await noticesOf(head + line)).toEqual([[], []]),
  );
});

describe("white space beyond ASCII separates entries", () => {
  const stored = [[2, 7.5]];
  const table = "TABLE S row=size pos=1\nTABLE T row=size pos=2\n";
  test.each([
    "2\u00a07.5",
    "\ufeff2\u20037.5",
    "\f2\u3000\f7.5\u00a0",
    "2 \0\0\0 7.5",
    "\0 2\u202f7.5 \0",
    "2\u200b7.5",
  ])("%j", async (line) => {
    for (const gap of ["", " gap=2"])
      for (const rules of ["sets", "stream"]) {
        const input = `RULES ${rules}\n${table.replaceAll("=size", `=size${gap}`)}`;
        const text = gap === "" ? line : line.replace(/(?<=2)[^27]+/, "$&$&$&");
        expect(await readText(input, `size T\n${text}\n`)).toMatchObject({ runs: [{ rows: stored }], notices: [] });
      }
  });

  test("no-break spaces of latin1", async () => {
    const { runs } = await readText(table, Buffer.from("size T\n2\u00a07.5\n", "latin1"));
    expect(runs[0]?.rows).toEqual(stored);
  });

  test("NULs next to a word may stand for a part of it: the line is named", async () => {
    const { notices } = await readText(table, "size T\n1 2.5\n2\0 7.5\n");
    expect(notices).toEqual([String.raw`3: the table ends here: '2\0' is not a valid integer for 'S'`]);
  });

  test("no-break spaces within numbers stay where they separate groups of digits", async () => {
    const input = table.replaceAll("row=size", 'row=size thousands="\u00a0"');
    const { runs } = await readText(input, "size T\n2\u00a0000 7.5\n");
    expect(runs[0]?.rows).toEqual([[2000, 7.5]]);
  });
});
