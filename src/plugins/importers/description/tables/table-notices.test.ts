import { describe, expect, test } from "vitest";
import { readText } from "../../../../../test/importers/read-description.ts";

const columns = (shared: string): string => `TABLE S ${shared} pos=1\nTABLE T ${shared} pos=2\n`;
const read = async (rules: string, shared: string, data: string) => {
  const { runs, notices } = await readText(`RULES ${rules}\n${columns(shared)}`, data);
  return { rows: runs.flatMap((run) => run.rows), notices };
};
const both = (shared: string, data: string): [string, string, string][] => [
  ["sets", shared, data],
  ["stream", shared, data],
];

describe("lines after the end of a table", () => {
  test.each([
    ...both("row=size", "size T\n1 1\n2 2\n\n3 3\n4 4\n"),
    ...both("row=size", "size T\r\n1 1\r\n2\t2\r\n\r\n3 3\r\n4\t4\r\n"),
    ...both("row=size", "size T\n1 1\n2 2\nslow node!! wait a bit\n3 3\n4 4"),
  ])("%s, %s, %j", async (rules, shared, data) => {
    const { rows, notices } = await read(rules, shared, data);
    expect(rows).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(notices).toEqual(["6: 2 lines after the end of the table at line 4 look like its rows: 5-6"]);
  });

  test.each(both("row=size columns=3", ""))("that begin like a row are reported, %s, %s", async (rules, shared) => {
    const message = (line: number, count: number): string =>
      `${line}: the table ends here, at a line that looks like a row but has ${count} entries instead of 3`;
    expect((await read(rules, shared, "size T B\n1 2 3\n4 5\n")).notices).toEqual([message(3, 2)]);
    expect((await read(rules, shared, "size T B\n1 2 3\n4 5 6 slow\n")).notices).toEqual([message(3, 4)]);
    for (const end of ["", "done", "7", "4 rows", "in all 5 rows read"])
      expect((await read(rules, shared, `size T B\n1 2 3\n${end}\n`)).notices).toEqual([]);
  });

  test.each(both("row=size", ""))("all rows after one with more entries are named, %s, %s", async (rules, shared) =>
    expect((await read(rules, shared, "size T\n1 2 3 4\n5 6\n7 8\n9 10\n")).notices).toEqual([
      "3: the table ends here, at a line that looks like a row but has 2 entries instead of 4",
      "5: 2 lines after the end of the table at line 3 look like its rows: 4-5",
    ]),
  );

  test("of a table are no rows of it when another table begins or reads them", async () => {
    const two = "TABLE S row=size pos=1\nTABLE T row=size pos=2\nTABLE S row=rate pos=1\nTABLE B row=rate pos=2\n";
    const { notices } = await readText(two, "size T\n1 2\nrate B\n3 4\n");
    expect(notices).toEqual([]);
  });

  test.each(both("row=size", "\u001b[1msize T\u001b[0m\n\u001b[32m1\u001b[0m 2\n3\u001b[K 4\n"))(
    "codes of terminals are no text, %s, %s",
    async (rules, shared, data) =>
      expect(await read(rules, shared, data)).toEqual({
        rows: [
          [1, 2],
          [3, 4],
        ],
        notices: [],
      }),
  );

  test.each([
    ["t_ms", 2000],
    ["t.ms", 2000],
    ["time_s", 2_000_000],
    ["t_min", 2],
    ["t_x", 2],
    ["ms", 2],
  ])("the heading %s", async (heading, value) => {
    const input = `TABLE S row=size pos=1\nTABLE T row=size pos=${heading}\n`;
    expect((await readText(input, `size ${heading}\n1 2\n`)).runs[0]?.rows).toEqual([[1, value]]);
  });

  test.each(["sets", "stream"])("are listed as ranges up to a limit, %s", async (rules) => {
    const apart = Array.from({ length: 20 }, (_, at) => `${at} 1\n---\n`).join("");
    const { notices } = await read(rules, "row=size", `size T\n1 1\n\n2 2\n3 3\n\n${apart}`);
    expect(notices).toEqual([
      "45: 22 lines after the end of the table at line 3 look like its rows: " +
        "4-5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27 and 9 more up to line 45",
    ]);
  });

  test("are not reported when the table has its number of rows, or another table or value takes them", async () => {
    expect(await read("sets", "row=size rows=1", "size T\n1 1\n2 2\n")).toEqual({ rows: [[1, 1]], notices: [] });
    const two = `TABLE S row=size pos=1\nTABLE T row=rate pos=1\nTABLE B row=rate pos=2\nNAMED np\n`;
    const { notices } = await readText(two, "size\n1\n\nrate x\n1 2\n3 4\n\nnp 4\n");
    expect(notices).toEqual([]);
  });

  test("are reported for each end, at the restart of the table", async () => {
    const block = "size T\n1 1\n\n2 2\n";
    const { notices } = await read("sets", "row=size", block.repeat(3));
    expect(notices).toEqual([
      "4: 1 line after the end of the table at line 3 looks like one of its rows: 4",
      "8: 1 line after the end of the table at line 7 looks like one of its rows: 8",
      "12: 1 line after the end of the table at line 11 looks like one of its rows: 12",
    ]);
  });

  test("include those that a table without a mark skips when it starts again", async () => {
    const { rows, notices } = await read("stream", "", "1 1\n2 2\n\n3 3\n4 4\n");
    expect(rows).toEqual([
      [2, 2],
      [4, 4],
    ]);
    expect(notices).toEqual(["4: 2 lines above the table look like its rows: 1, 4"]);
    expect(await read("stream", "start=0", "1 1\n2 2\n")).toMatchObject({ rows: { length: 2 }, notices: [] });
  });
});

describe("a table whose first row does not fit", () => {
  test.each([
    [
      "sets",
      "row=size",
      "size T\n1 1,5\n",
      "2: the table has no rows: line 2, column 2: '1,5' is not a valid float for 'T'",
    ],
    ["sets", "row=size columns=3", "size T\n1 2\n", "2: the table has no rows: line 2 has 2 entries instead of 3"],
    ["stream", "row=size", "size T\n\n", "2: the table has no rows: line 2 is empty"],
    ["stream", "row=size", "size T\n1 none\n", "2: row skipped: 'none' is not a valid value for 'T'"],
  ])("%s, %s, %j", async (rules, shared, data, notice) => {
    const { runs, notices } = await readText(
      `RULES ${rules}\nNAMED host match=on\n${columns(shared)}`,
      `${data}on n1\n`,
    );
    expect(runs.flatMap((run) => run.rows)).toEqual([]);
    expect(notices[0]).toBe(notice);
  });

  test("is reported if it is the marked line itself", async () => {
    const { runs, notices } = await readText(
      "TABLE S row=took start=0 rows=1 pos=1\nTABLE T row=took start=0 rows=1 pos=3\n",
      "1 took 1.5\n2 took one\n3 took 3.5\n4 it took 4.5\n",
    );
    expect(runs.flatMap((run) => run.rows)).toEqual([
      [1, 1.5],
      [3, 3.5],
    ]);
    expect(notices).toEqual([
      "2: the table has no rows: line 2, column 3: 'one' is not a valid float for 'T'",
      "4: table without rows: 1 more, on line 4",
    ]);
  });

  test("names the rows that are lost with it", async () => {
    const { notices } = await readText(
      `NAMED np\n${columns("row=size")}`,
      "np 4\nsize T\nwaiting for nodes\n1 1\n2 2\n",
    );
    expect(notices).toEqual([
      "3: the table has no rows: line 3, column 1: 'waiting' is not a valid integer for 'S'",
      "5: 2 lines after the end of the table at line 3 look like its rows: 4-5",
      "5: no result was found in this run, only parameters",
    ]);
  });
});

describe("a keyword that is the heading of several columns", () => {
  test.each([
    ["words", "row=size", "size T T\n1 2 3\n"],
    ["fields", 'row=size separator=","', "size,T,T\n1,2,3\n"],
    ["a header of aligned words", "row=size header=1", "size T T\n1    2 3\n"],
  ])("is reported, unless rep= names one: %s", async (_, shared, data) => {
    const column = `TABLE S ${shared} pos=size\nTABLE T ${shared} pos=T`;
    const { runs, notices } = await readText(`${column}\n`, data);
    expect(runs.flatMap((run) => run.rows)).toEqual([[1, 2]]);
    expect(notices).toEqual(["2: 'T' is the heading of several columns: the first is read; rep=2 selects the second"]);
    expect(await readText(`${column} rep=2\n`, data)).toMatchObject({ runs: [{ rows: [[1, 3]] }], notices: [] });
  });
});

describe("a damaged row is named", () => {
  const columns = ["S", "T", "B", "op"].map((name, at) => `TABLE ${name} row=size pos=${at + 1}\n`).join("");
  const partial = (entries: number): string =>
    `3: the table ends here, at a line that looks like a row but has ${entries} entries instead of 4`;
  test.each([
    ["without an entry", "2 7.5 write", partial(3)],
    ["with numbers that are not separated", "2 7.1234008.5 write", partial(3)],
    ["after a time", "2024-01-01 12:00:01 2 7.5 9.5 write", partial(6)],
    ["after a sign", "# 2 7.5 9.5 write", partial(5)],
  ])("%s", async (_, line, notice) => {
    for (const rules of ["sets", "stream"]) {
      const { notices } = await readText(`RULES ${rules}\n${columns}`, `size T B op\n1 2.5 3.5 read\n${line}\n`);
      expect(notices).toEqual([notice]);
    }
  });

  test("and so are the rows after it in the same notation", async () => {
    const data = "size T B op\n1 2.5 3.5 read\n2 1,2.5 7.5 read\n3 1,3.5 8.5 write\n4 - 8.5 write\nof 4 nodes only\n";
    const { notices } = await readText(columns, data);
    expect(notices).toEqual([
      "3: the table ends here: '1,2.5' is not a valid float for 'T'",
      "5: 2 lines after the end of the table at line 3 look like its rows: 4-5",
    ]);
  });

  test.each(["slow node here!", "done in 12 s", "7 nodes", "12 of 17 nodes are slow"])("%s is no row", async (line) => {
    const { notices } = await readText(columns, `size T B op\n1 2.5 3.5 read\n${line}\n`);
    expect(notices.filter((each) => /looks? like/.test(each))).toEqual([]);
  });
});

describe("a mark below the rows of a table starts it again", () => {
  test.each([
    ["sets", ""],
    ["stream", "done and gone: 3\n"],
  ])("%s: rows that are skipped below it are named", async (rules, end) => {
    const data = `size T\n-- s\n1 1\n${end}warning: size grows\n2 2\n3 3\n`;
    const line = end === "" ? 4 : 5;
    const { rows, notices } = await read(rules, "row=size skip=1", data);
    expect(rows).toEqual([
      [1, 1],
      [3, 3],
    ]);
    const lost = `1 line after the end of the table at line ${line} looks like one of its rows: ${line + 1}`;
    expect(notices).toEqual([`${line + 1}: ${lost}`]);
  });

  test("a repeated head skips what the first one skipped", async () => {
    const { notices } = await read("sets", "row=size skip=1", "size T\n0 0\n1 1\nsize  T\n0 0\n2 2\n");
    expect(notices).toEqual([]);
  });
});

describe("lines that a description skips", () => {
  const all = [
    [1, 1],
    [2, 2],
    [3, 3],
  ];
  test.each([
    ...both("row=size skip_blank=yes", "size T\n1 1\n\n2 2\n \n\n3 3\n"),
    ...both("row=size skip_regexp=^slow", "size T\n1 1\nslow node!\n2 2\nslow node again!\n3 3\n"),
    ...both("row=size skip_regexp=^slow skip_regexp=^#", "size T\n1 1\nslow node!\n2 2\n# remark\n3 3\n"),
    ...both("row=1 skip_heads=yes", "size T\n1 1\nsize T\n2 2\n3 3\n"),
    ...both("row=0 start=3 skip_heads=yes", "size T\n--- s\n1 1\nsize T\n--- s\n2 2\n3 3\n"),
    ...both("row=size skip=1 skip_heads=yes skip_blank=yes", "size T\nByte s\n1 1\n\nByte  s\n2 2\n\n3 3\n"),
  ])("%s, %s, %j", async (rules, shared, data) => {
    expect(await read(rules, shared, data)).toEqual({ rows: all, notices: [] });
  });

  test("a pattern applies to lines that resemble rows as well", async () => {
    const { rows } = await read("sets", "row=size skip_regexp=^9", "size T\n1 1\n9 9\n2 2\n");
    expect(rows).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});
