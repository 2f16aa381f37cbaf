import { beforeAll, describe, expect, test } from "vitest";
import { follow } from "./followed-document.ts";
import { Playground } from "./program.ts";

test("docs/table-shapes.md does what it shows", () => void follow("docs/table-shapes.md"));

const experiment = `*experiment shapes
*parameter op string - NULL
*parameter procs int - NULL
*parameter size int Byte NULL
*parameter title string - none once
*result T float us
*result B float MByte/s
`;

let place: Playground;

beforeAll(() => {
  place = new Playground();
  place.write("shapes.exp", experiment);
  place.ok("experiment", "create", "shapes.exp");
});

interface Preview {
  readonly runs: readonly { readonly parameters: Record<string, unknown>; readonly rows: Record<string, unknown>[] }[];
}

/** The rows that an import would store, as the values of `columns`, and the parameters of the run. */
function preview(lines: readonly string[], data: readonly string[], ...columns: string[]): unknown {
  place.write("d.inp", lines.map((line) => `${line}\n`).join(""));
  place.write("data.txt", data.map((line) => `${line}\n`).join(""));
  const { runs } = place.json("import", "-e", "shapes", "-d", "d.inp", "data.txt", "-t") as Preview;
  const rows = runs.flatMap((run) => run.rows.map((row) => columns.map((column) => row[column] ?? null)));
  const titles = runs.map(({ parameters }) => parameters["title"]);
  return titles.some((title) => title !== "none") ? { titles, rows } : rows;
}

function refusal(lines: readonly string[], data: readonly string[]): string {
  place.write("d.inp", lines.map((line) => `${line}\n`).join(""));
  place.write("data.txt", data.map((line) => `${line}\n`).join(""));
  const { status, stderr } = place.run(["import", "-e", "shapes", "-d", "d.inp", "data.txt", "-t"]);
  expect(status).not.toBe(0);
  return stderr;
}

describe.each(["sets", "stream"])("RULES %s", (rules) => {
  const start = `RULES ${rules}`;

  test("what a pattern captures is kept whole, as are groups of one pattern", () => {
    const data = ["Name: all reduce sum Test", "8 B: 1.5 us, 2 MByte/s; 16 B: 2.5 us, 3 MByte/s"];
    const pattern = "(?<size>[0-9]+) B: (?<T>[0-9.]+) us, (?P<b>[0-9.]+) MByte";
    const lines = [start, 'NAMED title regexp="Name: (.+) Test"', `PATTERN regexp="${pattern}" rows=yes`];
    const rows = [
      [8, 1.5, 2],
      [16, 2.5, 3],
    ];
    expect(preview(lines, data, "size", "T", "B")).toEqual({ titles: ["all reduce sum"], rows });
    const store = rules === "stream" ? " store=yes" : "";
    const once = [start, `PATTERN regexp="${pattern}"${store}`, "GROUP T unit=ms"];
    // The unit in the text is that of the number.
    expect(preview(once, data, "size", "T", "B")).toEqual([[8, 1.5, 2]]);
    const bare = `PATTERN regexp="(?<size>[0-9]+) B: (?<T>[0-9.]+), (?<B>[0-9.]+)"${store}`;
    expect(preview([start, bare, "GROUP T unit=ms"], ["8 B: 1.5, 2"], "size", "T", "B")).toEqual([[8, 1500, 2]]);
  });

  test("an alias finds its value in the same way", () => {
    const lines = [start, 'NAMED procs alias="number of processes"', "TABLE T row=time pos=1"];
    const data = ["xprocs 3", "number of processes = 16", "time", "1.5"];
    expect(preview(lines, data, "procs", "T")).toEqual([[16, 1.5]]);
    expect(preview(lines, ["procs: 8", "time", "1.5"], "procs", "T")).toEqual([[8, 1.5]]);
  });

  test("a position may be the heading of the column", () => {
    const lines = [start, 'TABLE size row="# size" pos=size', 'TABLE T row="# size" pos=time'];
    const data = ["# size timeout time", "8 99 1.5", "16 99 2.5"];
    expect(preview(lines, data, "size", "T")).toEqual([
      [8, 1.5],
      [16, 2.5],
    ]);
  });

  test("colons and bars separate entries", () => {
    const table = "TABLE T row=time pos=1";
    const np = [start, "NAMED procs alias=NP", table];
    expect(preview(np, ["NP: 5: 7", "time", "1"], "procs", "T")).toEqual([[5, 1]]);
    expect(preview(np, ["NP | 5 | 7", "time", "1"], "procs", "T")).toEqual([[5, 1]]);
    const fifth = [start, 'ROW procs row="number of processes" pos=":" rep=5', table];
    const line = "number of processes: 1: 2: 3: 4: 16: 32";
    expect(preview(fifth, [line, "time", "1"], "procs", "T")).toEqual([[16, 1]]);
    expect(preview(fifth, [line.replaceAll(": ", ":"), "time", "1"], "procs", "T")).toEqual([[16, 1]]);
  });

  test("a variable may be a column of several tables, of which one has more columns", () => {
    const lines = [
      start,
      "TABLE size row=latency pos=1",
      "TABLE T row=latency pos=2",
      "TABLE size row=bandwidth pos=1",
      "TABLE B row=bandwidth pos=2",
    ];
    const data = ["latency", "8 1.5", "", "bandwidth", "8 5", "16 6", "", "latency", "32 2.5"];
    expect(preview(lines, data, "size", "T", "B")).toEqual([
      [8, 1.5, null],
      [8, null, 5],
      [16, null, 6],
      [32, 2.5, null],
    ]);
  });

  test("headings of several lines", () => {
    const lines = [
      start,
      'TABLE size row="kB  reclen" header=-2 pos=kB',
      'TABLE B row="kB  reclen" header=-2 pos="random read"',
    ];
    const data = [
      "                              random",
      "   kB  reclen   read  reread    read",
      " 1024       8    100     200     300",
      " 2048       8    101     201     301",
    ];
    expect(preview(lines, data, "size", "B")).toEqual([
      [1024, 300],
      [2048, 301],
    ]);
    const unclear = [start, 'TABLE B row="kB  reclen" header=-2 pos=re'];
    expect(refusal(unclear, data)).toContain("'re' selects no column");
  });

  test("labels of several words, by number of columns and by gaps", () => {
    const data = ["Operation       T", "barrier       1.5", "all reduce    2.5"];
    const rows = [
      ["barrier", 1.5],
      ["all reduce", 2.5],
    ];
    const label = [start, "TABLE op row=Operation columns=2 pos=1 label=yes", "TABLE T row=Operation columns=2 pos=2"];
    expect(preview(label, data, "op", "T")).toEqual(rows);
    const gap = [start, "TABLE op row=Operation gap=2 pos=1", "TABLE T row=Operation gap=2 pos=T"];
    expect(preview(gap, data, "op", "T")).toEqual(rows);
  });

  test("columns at fixed positions", () => {
    const lines = [start, "TABLE op row=name chars=1-6", "TABLE size row=name chars=7-9", "TABLE T row=name chars=10-"];
    expect(preview(lines, ["name", "a b   1281.5", "c d      2.5 ", "", "e 1 2 3"], "op", "size", "T")).toEqual([
      ["a b", 128, 1.5],
      ["c d", null, 2.5],
    ]);
  });

  test("optional columns and entries for missing values", () => {
    const lines = [
      start,
      'TABLE size row="size " pos=size',
      'TABLE T row="size " pos=time missing=- missing=N/A',
      'TABLE B row="size " pos=rate optional=yes',
    ];
    expect(
      preview(lines, ["size time rate", "8 1.5 5", "16 - 6", "32 N/A", "size time", "64 3"], "size", "T", "B"),
    ).toEqual([
      [8, 1.5, 5],
      [16, null, 6],
      [32, null, null],
      [64, 3, null],
    ]);
  });

  test("tables that are drawn with bars", () => {
    const columns = (mark: string) => [
      start,
      `TABLE op row="${mark}" grid=yes pos=name`,
      `TABLE procs row="${mark}" grid=yes pos=procs`,
      `TABLE T row="${mark}" grid=yes pos="time [us]"`,
    ];
    const rows = [
      ["all reduce", 4, 1.5],
      ["-", null, 2.5],
    ];
    const markdown = [
      "| name | procs | time [us] |",
      "|---|:-:|---|",
      "| all reduce | 4 | 1.5 |",
      "| - | | 2.5 |",
      "",
      "| x | 1 | 1 |",
    ];
    expect(preview(columns("| name"), markdown, "op", "procs", "T")).toEqual(rows);
    const jube = [
      " name       | procs | time [us]",
      "------------+-------+----------",
      " all reduce |     4 |       1.5",
      " -          |       |       2.5",
    ];
    expect(preview(columns(" name "), jube, "op", "procs", "T")).toEqual(rows);
    const box = [
      "┍━━━━━┯━━━┯━━━┑",
      "│ name │ procs │ time [us] │",
      "┝━━━┿━━┿━━┥",
      "│ all reduce │ 4 │ 1.5 │",
      "├───┼──┼──┤",
      "│ - │  │ 2.5 │",
      "┕━━━┷━━┷━━┙",
    ];
    expect(preview(columns("│ name"), box, "op", "procs", "T")).toEqual(rows);
  });

  test("tables with a line per variable, whose incomplete parts are reported", () => {
    const lines = [start, "TRANSPOSED procs row=Procs", 'TRANSPOSED T row="Time [us]" missing=-'];
    const data = ["Procs: 1 2 4", "Time [us] 12.5 - 3.5", "Procs: 8", "Procs: 16", "Time [us] 1"];
    expect(preview(lines, data, "procs", "T")).toEqual([
      [1, 12.5],
      [2, null],
      [4, 3.5],
      [16, 1],
    ]);
    const { stderr } = place.run(["import", "-e", "shapes", "-d", "d.inp", "data.txt", "-t"]);
    expect(stderr).toContain("no line for 'T' before this one: the values of line 3 are not stored");
  });

  test("matrices", () => {
    const lines = [start, "MATRIX T row=procs missing=-", "ACROSS procs", "DOWN op label=yes"];
    const data = [
      "operation \\ procs  1  2  4",
      "-----------------",
      "barrier 1.5 - 2.5",
      "all reduce 3.5 4.5 5.5",
      "total 9",
    ];
    expect(preview(lines, data, "op", "procs", "T")).toEqual([
      ["barrier", 1, 1.5],
      ["barrier", 4, 2.5],
      ["all reduce", 1, 3.5],
      ["all reduce", 2, 4.5],
      ["all reduce", 4, 5.5],
    ]);
    const sizes = [start, "MATRIX T row=procs", "ACROSS procs", "DOWN size unit=KiByte"];
    expect(preview(sizes, ["procs 1 2", "1 1.5 2.5", "2 3.5 4.5"], "size", "procs", "T")).toEqual([
      [1024, 1, 1.5],
      [1024, 2, 2.5],
      [2048, 1, 3.5],
      [2048, 2, 4.5],
    ]);
    expect(refusal(sizes, ["procs 1 2 4", "1 1.5 2.5"])).toContain("matrix-headings");
  });
});
