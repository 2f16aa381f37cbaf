import { describe, expect, test } from "vitest";
import type { InputLocation, TableValue } from "../../../../formats/descriptions/input/input-description.ts";
import {
  explicit,
  failure,
  keyword,
  named,
  once,
  origin,
  pattern,
  read,
  rows,
  separation,
  table,
  value,
} from "../../../../../test/importers/read-sets.ts";

describe("tables", () => {
  const sT = [value("S", 1), value("T", 2)];
  test("several rows, a number of columns, a number of rows, the row itself", async () => {
    const data = "size\n1 2\n3 4\nlength\n5 6\n7\nsize\n8 9 10\n";
    expect(await rows([table(sT, { rows: [keyword("size"), keyword("length")], columns: 2 })], data)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await rows([table(sT, { most: 1 })], data)).toEqual([
      [1, 2],
      [8, 9],
    ]);
    expect(
      await rows([table([value("S", 2), value("T", 3)], { start: 0, rows: [pattern("^row")] })], "row 1 2\nrow 3 4\nx"),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(
      await rows(
        [
          table(sT, {
            rows: [
              { kind: "number", number: 1 },
              { kind: "number", number: 4 },
            ],
          }),
        ],
        "a\n1 2\nx\nb\n3 4\n",
      ),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("positions relative to the previous column", async () => {
    const relative = (offset: number): Partial<TableValue> => ({ position: { kind: "relative", offset } });
    expect(
      await rows([table([value("T", 3), value("S", 0, relative(-2)), value("B", 0, relative(1))])], "size\n1 2 3\n"),
    ).toEqual([[1, 3, 2]]);
    expect(await failure([table([value("T", 1), value("S", 0, relative(-1))])])).toContain("the table has no entry 0");
    expect(await failure([table([value("T", 1, { typed: true }), value("S", 0, relative(1))])])).toContain(
      "without a known number",
    );
  });

  test("CSV: headings, empty entries, quotes", async () => {
    const csv = table(
      [
        value("op", 0, { position: { kind: "keyword", text: "name" } }),
        value("T", 0, { position: { kind: "keyword", text: "time" } }),
        value("S", 0, { position: { kind: "keyword", text: "size" } }),
      ],
      { rows: [keyword("name,")], separator: "," },
    );
    const data = 'file name,name,real_time,"time",size\nf,"a,b ""c""",1,2.5,\n f , plain , 3 ,,4\r\n"x,y,1,1,1\nend\n';
    expect(await rows([csv], data)).toEqual([
      [null, 'a,b "c"', 2.5],
      [4, "plain", null],
      [1, "y", 1],
    ]);
  });

  test("separators of several characters, tabs, filter, map, scale in columns", async () => {
    expect(await rows([table(sT, { separator: "||" })], "size\n1||2\n3|| 4 \n||5\n")).toEqual([
      [1, 2],
      [3, 4],
      [null, 5],
    ]);
    expect(await rows([table([value("S", 1), value("op", 2)], { separator: "\t" })], "size\n1\ta b\n2\t\n")).toEqual([
      [1, "a b"],
      [2, null],
    ]);
    const shaped = table([
      value("S", 1, { filters: [{ source: ",", ignoreCase: false }] }),
      value("op", 2, { maps: [{ from: pattern("^r"), to: "read" }] }),
      value("T", 3, { scale: 1000 }),
    ]);
    expect(await rows([shaped], "size\n1,024 r1 2\n2,048 w1 3\n")).toEqual([
      [1024, "read", 2000],
      [2048, "w1", 3000],
    ]);
  });

  test("the row of a table, and a value, may start a run", async () => {
    expect(
      (await read([table(sT, { startsRun: true }), named("fs")], "size\n1 2\nfs=a\nsize\n3 4\nfs=b\n")).runs,
    ).toEqual([
      { once: { fs: "a" }, rows: [[1, 2]] },
      { once: { fs: "b" }, rows: [[3, 4]] },
    ]);
    expect((await read([named("fs", { startsRun: true }), named("T")], "fs=a\nT=1\nfs=b\nT=2\n")).runs).toEqual([
      { once: { fs: "a" }, rows: [[1]] },
      { once: { fs: "b" }, rows: [[2]] },
    ]);
  });
});

test("a separation may take effect some lines after its mark", async () => {
  expect(await rows([separation({ skip: 2 }), named("T"), named("n")], "T=1\n***\nn=1\nT=2\n")).toEqual([
    [1, 1],
    [1, 2],
  ]);
});

test("file names", async () => {
  const marks = (name: string, text: string): InputLocation => ({
    kind: "filename",
    name,
    matches: [{ text }],
    patterns: [],
    origin,
  });
  const locations = [marks("hits", "_n"), { ...marks("fs", "fs-"), length: 3 } as InputLocation, named("T")];
  expect(await once(locations, "T=1", "out_n16_fs-nfs.dat")).toEqual({ hits: 16, fs: "nfs" });
  expect(await once(locations, "T=1", "out.dat")).toEqual({});
  expect((await read([marks("hits", "_n"), named("T")], "T=1", "out_nx")).notices).toEqual([
    "1: 'x' in the name of the input is no integer for 'hits'",
  ]);
  expect(
    await once([{ ...marks("ok", "n16"), mode: "boolean" } as InputLocation, named("T")], "T=1", "out_n16"),
  ).toEqual({ ok: true });
});

describe("derived", () => {
  const ratio = (name: string, left: string, right: string): InputLocation => ({
    kind: "derived",
    name,
    from: {
      term: { kind: "fraction", left: { kind: "variable", name: left }, right: { kind: "variable", name: right } },
    },
    origin,
  });
  test("for every row, from columns and single values; missing when an operand is", async () => {
    const locations = [table([value("S", 1), value("T", 2)], { separator: "," }), named("n"), ratio("B", "S", "N")];
    expect(await rows(locations, "size\n1,2\n3,4\n,5\nn=2\n")).toEqual([
      [1, 2, 2, 0.5],
      [3, 2, 4, 1.5],
      [null, 2, 5, null],
    ]);
  });
  test("a set of single values, and a run", async () => {
    expect(
      await rows([named("S"), named("n"), ratio("B", "S", "n"), separation()], "S=7 n=2\n*** n=0\n*** S=9\n"),
    ).toEqual([[7, 2, 3.5]]);
    expect(await once([named("hits"), ratio("total", "hits", "hits")], "hits=3")).toEqual({ hits: 3, total: 1 });
    expect(await rows([named("S"), ratio("B", "S", "S"), ratio("T", "B", "S")], "S=2")).toEqual([[2, 0.5, 1]]);
  });
  test("by a map of one value", async () => {
    const maps = [
      { from: keyword("4"), to: "four" },
      { from: pattern("."), to: "many" },
    ];
    const location: InputLocation = { kind: "derived", name: "op", from: { parameter: "n", maps }, origin };
    expect(await rows([table([value("n", 1), value("T", 2)]), location], "size\n4 1\n5 1\n")).toEqual([
      ["four", 4, 1],
      ["many", 5, 1],
    ]);
  });
  test("an integer has to be integral, operands have to precede", async () => {
    expect(await failure([named("S"), named("T"), ratio("n", "T", "S")], "S=2 T=7")).toContain(
      "'3.5' is no value for 'n' (integer)",
    );
    expect(await failure([named("S"), ratio("B", "S", "T")])).toContain(
      "no location before this line sets 'T', from which 'B' is derived",
    );
    expect(await failure([named("S"), ratio("B", "T", "S"), ratio("T", "B", "S")])).toContain(
      "no location before this line sets 'T'",
    );
    expect(await failure([named("S"), ratio("total", "S", "S")])).toContain(
      "'total' is once per run, but its operand 'S'",
    );
  });
});

test.each([
  ["storing a row on a value", named("T", { storesRow: true })],
  ["an update", named("T", { update: "yes" })],
  ["a value for a single row", named("T", { sticky: false })],
  ["retrigger", named("T", { retrigger: false })],
  ["a trigger after its line", named("T", { triggers: [{ mark: keyword("x"), skip: -1 }] })],
  [
    "skipped lines at the end of a block",
    named("note", { block: { begin: [{ mark: keyword("x"), skip: 0 }], end: [{ mark: keyword("x"), skip: 1 }] } }),
  ],
  ["storing a row on a value", explicit("T", { storesRow: true })],
  ["a relative position outside of a table", explicit("T", { position: { kind: "relative", offset: 1 } })],
  ["an update", table([value("T", 1, { update: "auto" })])],
  ["retrigger", separation({ mark: named("S", { retrigger: true }) })],
  ["a split location", { kind: "split", name: "T", enter: [], leave: [], stores: [], origin }],
  ["retrigger", { kind: "derived", name: "T", from: { parameter: "n", maps: [] }, retrigger: true, origin }],
] satisfies [string, InputLocation][])("%s is refused with advice", async (word, location) => {
  expect(await failure([location])).toBe(`in:1:1: ${word} is not supported by the rules 'sets'`);
});

test.each([
  ["'op' is of type string, only numbers can count", named("op", { mode: "count" })],
  ["'T' is of type float, mode boolean needs a boolean", named("T", { mode: "boolean" })],
  ["'T' is of type float, values of several lines need a string or text", named("T", { lines: 2 })],
  ["cannot have its mark after it", named("note", { lines: 2, leads: true })],
  ["blanks and a separator exclude each other", table([value("T", 1)], { blanks: ",", separator: "," })],
  ["typed entries cannot be counted between separators", table([value("T", 1, { typed: true })], { separator: "," })],
  ["the table has no entry 3", table([value("T", 3)], { columns: 2 })],
  ["only a table with a start row can skip lines", table([value("T", 3)], { rows: [], start: 3 })],
])("%s", async (problem, location) => {
  expect(await failure([location])).toContain(problem);
});

describe("variables with single values and columns", () => {
  const mixed = [named("T", { aliases: ["time"] }), table([value("S", 1), value("T", 2)], { rows: [keyword("size")] })];

  test("rows of tables keep their own values, all others have the single one", async () => {
    const other = table([value("S", 1), value("B", 2)], { rows: [keyword("length")] });
    const data = "length\n1 10\n\ntime 7\nsize\n2 20\n\nlength\n3 30\n";
    expect(await rows([...mixed, other], data)).toEqual([
      [1, 7, 10],
      [2, 20, null],
      [3, 7, 30],
    ]);
  });

  test("a set without a row of the table is a row with the single value", async () => {
    const data = "size\n2 20\n***\ntime 7\n";
    const star = separation({ mark: keyword("***") });
    expect(await rows([star, ...mixed], data)).toEqual([
      [2, 20],
      [null, 7],
    ]);
  });

  test("a single value that no row can have is reported", async () => {
    const { notices } = await read(mixed, "size\n2 20\n\ntime 7\n");
    expect(notices).toEqual(["4: 'T' is not stored: all rows of its input set have values of their own"]);
  });

  test("fixed values, counts and two columns of one table are refused", async () => {
    const column = table([value("T", 2)]);
    for (const single of [{ kind: "fixed", name: "T", value: "1", origin } as const, named("T", { mode: "count" })]) {
      expect(await failure([single, column])).toContain("has a location already");
      expect(await failure([column, single])).toContain("has a location already");
    }
    expect(await failure([table([value("T", 1), value("T", 2)])])).toContain("has a location already");
  });
});
