import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { columnKind, type Column, type Table } from "../../src/core/tables/table.ts";
import type { DataType, Value } from "../../src/core/values/value.ts";
import type { Engine, EnginePlugin } from "../../src/plugins/engines/engine.ts";

/** A place for databases, fresh for every test. */
export interface Scratch {
  readonly url: string;
  remove(): Promise<void>;
}

/** What every engine keeps to. `makeScratch` answers an address where no database is yet. */
export function engineContract(name: string, plugin: EnginePlugin, makeScratch: () => Promise<Scratch>): void {
  describe(`engine contract: ${name}`, () => {
    let scratch: Scratch;
    let engine: Engine;
    beforeEach(async () => {
      scratch = await makeScratch();
      engine = await plugin.open(scratch.url, "write");
    });
    afterEach(async () => {
      await engine.close();
      await scratch.remove();
    });
    typesRoundTrip(() => engine);
    statementsKeepApart(() => engine);
    sameDialect(() => engine);
    transactionsAreWhole(
      () => engine,
      plugin,
      () => scratch.url,
    );
    openings(
      plugin,
      () => scratch.url,
      () => engine,
    );
  });
}

type Given = () => Engine;

const hostile = ["'; drop table t; --", '"', "$1", "\\", "%_", "né", "日本語 🜁", "a\nb\tc", "x".repeat(5000), "", " "];

const cells: readonly { sql: (engine: Engine) => string; type: DataType; reads: DataType; values: readonly Value[] }[] =
  [
    {
      sql: () => "bigint",
      type: "integer",
      reads: "integer",
      values: [
        0,
        -1,
        42,
        null,
        2 ** 53 - 1,
        1 - 2 ** 53,
        9007199254740993n,
        9223372036854775807n,
        -9223372036854775808n,
      ],
    },
    { sql: () => "integer", type: "integer", reads: "integer", values: [0, 2147483647, -2147483648, null] },
    { sql: () => "smallint", type: "integer", reads: "integer", values: [0, 32767, -32768, null] },
    {
      sql: () => "double precision",
      type: "float",
      reads: "float",
      values: [0, 1.5, -1e308, 5e-324, NaN, Infinity, -Infinity, null, 0.1],
    },
    { sql: () => "varchar", type: "string", reads: "string", values: [...hostile, null] },
    { sql: () => "boolean", type: "boolean", reads: "boolean", values: [1, 0, null] },
    { sql: () => "date", type: "date", reads: "date", values: [0, -1, 20000, 2932896, null] },
    {
      sql: () => "timestamp",
      type: "timestamp",
      reads: "timestamp",
      values: [0, -1, 1763717000123456, 253402300799999999n, null],
    },
    {
      sql: (e) => e.dialect.bytesType,
      type: "binary",
      reads: "binary",
      values: ["", "AA==", "/+8A3q2+7w==", null, "QUFB".repeat(300)],
    },
  ];

const pairs = (a: readonly Value[], b: readonly Value[]) => a.map((x, i) => `${x}|${b[i]}`).toSorted();

function typesRoundTrip(engine: Given): void {
  it.each(
    cells.map((cell) => ({
      name: `${cell.type} as ${cell.sql({ dialect: { bytesType: "bytes" } } as never)}`,
      ...cell,
    })),
  )("keeps $name", async ({ sql, type, reads, values }) => {
    await engine().execute(`create table t (before integer, v ${sql(engine())}, n integer)`);
    await engine().append(
      "t",
      ["n", "v"],
      table([
        ["n", "integer", values.map((_, i) => i)],
        ["v", type, values],
      ]),
    );
    const back = await engine().query("select v, before from t order by n");
    expect(back.variables[0]?.type).toBe(reads);
    expect(columnValues(back, 0)).toEqual(values);
    expect(columnValues(back, 1)).toEqual(values.map(() => null));
  });

  it("keeps more rows than any batch has, in all their columns", async () => {
    const rows = 10_000;
    const numbers = Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? null : i));
    const texts = Array.from({ length: rows }, (_, i) =>
      i % 5 === 0 ? null : `text ${i % 321} ${"y".repeat(i % 20)}`,
    );
    const few = Array.from({ length: rows }, (_, i) =>
      i % 50 === 7 ? null : "abcdefghijklmnö".slice(0, (i >> 3) % 17),
    );
    await engine().execute("create table t (a bigint, b varchar, c varchar)");
    await engine().append(
      "t",
      ["a", "b", "c"],
      table([
        ["a", "integer", numbers],
        ["b", "string", texts],
        ["c", "string", few],
      ]),
    );
    const back = await engine().query("select a, b, c from t");
    expect(pairs(columnValues(back, 0), columnValues(back, 1))).toEqual(pairs(numbers, texts));
    expect(pairs(columnValues(back, 0), columnValues(back, 2))).toEqual(pairs(numbers, few));
  });

  it("keeps columns that are the same in many rows, or empty in all of them", async () => {
    const rows = 5000;
    const each = (cell: (row: number) => Value): Value[] => Array.from({ length: rows }, (_, row) => cell(row));
    const columns: readonly (readonly [string, DataType, readonly Value[]])[] = [
      ["n", "integer", each((row) => row)],
      ["a", "string", each((row) => (row < 3000 ? hostile[0]! : hostile[1]!))],
      ["b", "string", each((row) => (row < 4500 ? null : "late"))],
      ["c", "float", each(() => null)],
      ["d", "string", each(() => null)],
      ["e", "float", each((row) => (row < 3000 ? null : 0.5))],
    ];
    await engine().execute(
      "create table t (n bigint, a varchar, b varchar, c double precision, d varchar, e double precision)",
    );
    await engine().append(
      "t",
      columns.map(([name]) => name),
      table(columns),
    );
    const back = await engine().query("select n, a, b, c, d, e from t order by n");
    expect(columns.map((_, at) => columnValues(back, at))).toEqual(columns.map(([, , values]) => values));
  });

  it("runs statements in the order in which they come, also when nobody waits", async () => {
    await engine().execute("create table t (n bigint)");
    const rows = table([["n", "integer", Array.from({ length: 20_000 }, (_, n) => n)]]);
    const first = engine().append("t", ["n"], rows);
    const second = engine().append("t", ["n"], rows);
    expect(columnValues(await engine().query("select count(*) as n from t"), 0)).toEqual([40_000]);
    await Promise.all([first, second]);
  });

  it("appends nothing, and answers an empty result with its columns", async () => {
    await engine().execute("create table t (a bigint, b varchar)");
    await engine().append("t", ["a"], table([["a", "integer", []]]));
    const back = await engine().query("select * from t");
    expect(back.length).toBe(0);
    expect(back.variables.map((v) => `${v.name}:${v.type}`)).toEqual(["a:integer", "b:string"]);
  });

  it("refuses a NUL in a text, bound or appended", async () => {
    await engine().execute("create table t (a varchar)");
    await expect(engine().execute("insert into t values ($1)", ["a\0b"])).rejects.toMatchObject({
      code: "text-not-storable",
    });
    await expect(engine().append("t", ["a"], table([["a", "string", ["a\0b"]]]))).rejects.toMatchObject({
      code: "text-not-storable",
    });
    expect(columnValues(await engine().query("select count(*) as n from t"), 0)).toEqual([0]);
  });
}

function statementsKeepApart(engine: Given): void {
  it("binds values, whatever they hold", async () => {
    await engine().execute("create table t (n bigint, v varchar)");
    for (const [i, text] of hostile.entries())
      await engine().execute("insert into t (n, v) values ($1, $2)", [i, text]);
    for (const [i, text] of hostile.entries()) {
      expect(columnValues(await engine().query("select n from t where v = $1", [text]), 0)).toEqual([i]);
    }
  });

  it("binds each kind of value", async () => {
    const sql =
      "select cast($1 as bigint) as a, cast($2 as double precision) " +
      "as b, cast($3 as boolean) as c, cast($4 as varchar) as d";
    const values = [9223372036854775807n, -0.5, true, null];
    const back = await engine().query(sql, values);
    expect(back.columns.map((_, i) => columnValues(back, i)[0])).toEqual([9223372036854775807n, -0.5, 1, null]);
    const date = await engine().query("select cast($1 as date) as d, cast($2 as timestamp) as t", [
      "1970-01-03",
      "1970-01-01 00:00:01.5",
    ]);
    expect([columnValues(date, 0), columnValues(date, 1)]).toEqual([[2], [1500000]]);
  });

  it("fails with database-refused, and goes on working", async () => {
    await engine().execute("create table t (n bigint unique)");
    for (const bad of ["selekt 1", "select * from nowhere", "select cast('x' as bigint) as x"]) {
      await expect(engine().query(bad)).rejects.toMatchObject({ code: "database-refused" });
    }
    await engine().execute("insert into t values (1)");
    await expect(engine().execute("insert into t values (1)")).rejects.toMatchObject({ code: "database-refused" });
    await expect(engine().append("t", ["x"], table([["x", "integer", [1]]]))).rejects.toMatchObject({
      code: "database-refused",
    });
    await expect(engine().append("t", ["n"], table([["n", "integer", [2, 1]]]))).rejects.toMatchObject({
      code: "database-refused",
    });
    expect(columnValues(await engine().query("select n from t"), 0)).toEqual([1]);
  });

  it("refuses a column that tables cannot hold", async () => {
    await expect(engine().query("select array[1, 2] as a")).rejects.toMatchObject({ code: "column-not-readable" });
  });
}

/** Where SQL engines silently differ. */
function sameDialect(engine: Given): void {
  const answers: readonly [string, Value][] = [
    ["select 7 / 2 as x", 3],
    ["select avg(cast(v as double precision)) as x from (values (1), (2)) as t(v)", 1.5],
    ["select percentile_cont(0.25) within group (order by v) as x from (values (1.0), (2.0), (4.0)) as t(v)", 1.5],
    ["select stddev_samp(v) as x from (values (1.0), (2.0), (4.0)) as t(v)", 1.5275252316519468],
    ["select sum(v) as x from (values (9223372036854775807), (1)) as t(v)", 9223372036854775808n],
    ["select v as x from (values (1), (null)) as t(v) order by v limit 1", 1],
    ["select v as x from (values (1), (null)) as t(v) order by v desc limit 1", null],
    ["select strpos('abc', 'c') as x", 3],
    [
      "select count(*) as x from (values (1)) as t(v) where cast('NaN' " +
        "as double precision) = cast('NaN' as double precision)",
      1,
    ],
    ["select count(*) as x from (values (1)) as t(v) where 'a%b' like 'a\\%b' escape '\\'", 1],
  ];
  it.each(answers)("answers %s", async (sql, expected) => {
    const back = await engine().query(sql);
    const [value] = columnValues(back, 0);
    if (typeof expected === "number") expect(value).toBeCloseTo(expected, 12);
    else expect(value).toEqual(expected);
  });

  it("numbers rows by sequences", async () => {
    await engine().execute("create sequence s");
    const next = async () => columnValues(await engine().query("select nextval('s') as id"), 0)[0];
    expect([await next(), await next()]).toEqual([1, 2]);
  });
}

function transactionsAreWhole(engine: Given, plugin: EnginePlugin, url: () => string): void {
  it("rolls back when the work fails, tables and rows alike", async () => {
    await engine().execute("create table t (n bigint)");
    const work = engine().transaction(async () => {
      await engine().execute("create table u (n bigint)");
      await engine().append("t", ["n"], table([["n", "integer", [1, 2, 3]]]));
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(columnValues(await engine().query("select count(*) as n from t"), 0)).toEqual([0]);
    await expect(engine().query("select * from u")).rejects.toMatchObject({ code: "database-refused" });
  });

  it("rolls back after a refused statement", async () => {
    await engine().execute("create table t (n bigint)");
    const work = engine().transaction(async () => {
      await engine().execute("insert into t values (1)");
      await engine().execute("insert into t values (cast('x' as bigint))");
    });
    await expect(work).rejects.toMatchObject({ code: "database-refused" });
    expect(columnValues(await engine().query("select count(*) as n from t"), 0)).toEqual([0]);
    expect(await engine().transaction(async () => 7)).toBe(7);
  });

  it("ends a statement that is cancelled, and goes on working", async () => {
    await engine().cancel();
    await engine().execute("create table t (n bigint)");
    const running = new AbortController();
    const work = engine()
      .transaction(async () => {
        await engine().execute("insert into t values (1)");
        await engine().query(
          "with recursive r (n) as (select cast(1 as bigint) union " +
            "all select n + 1 from r) select count(*) as n from r",
        );
      })
      .finally(() => running.abort());
    const failed = expect(work).rejects.toMatchObject({ name: "Failure" });
    while (!running.signal.aborted) {
      await engine().cancel();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await failed;
    await engine().cancel();
    expect(columnValues(await engine().query("select count(*) as n from t"), 0)).toEqual([0]);
  });

  it("keeps what was committed, for the next to open it", async () => {
    await engine().transaction(async () => {
      await engine().execute("create table t (n bigint)");
      await engine().execute("insert into t values (5)");
    });
    await engine().close();
    const reader = await plugin.open(url(), "read");
    expect(columnValues(await reader.query("select n from t"), 0)).toEqual([5]);
    await reader.close();
  });
}

function openings(plugin: EnginePlugin, url: () => string, engine: Given): void {
  it("lets readers read at the same time, and write nothing", async () => {
    await engine().execute("create table t (n bigint)");
    await engine().execute("insert into t values (5)");
    await engine().close();
    const readers = await Promise.all([
      plugin.open(url(), "read"),
      plugin.open(url(), "read"),
      plugin.open(url(), "read"),
    ]);
    const answers = await Promise.all(readers.map((reader) => reader.query("select n from t")));
    expect(answers.map((answer) => columnValues(answer, 0))).toEqual([[5], [5], [5]]);
    await expect(readers[0]?.execute("insert into t values (6)")).rejects.toMatchObject({ name: "Failure" });
    for (const reader of readers) await reader.close();
  });

  it("says that it is closed", async () => {
    await engine().close();
    await engine().close();
    await expect(engine().query("select 1 as x")).rejects.toMatchObject({ code: "database-refused" });
  });
}

/** What engines without a server keep to as well: a database has either one process that writes, or readers. */
export function embeddedContract(name: string, plugin: EnginePlugin, makeScratch: () => Promise<Scratch>): void {
  describe(`embedded engine contract: ${name}`, () => {
    let scratch: Scratch;
    let engines: Engine[];
    beforeEach(async () => {
      scratch = await makeScratch();
      engines = [];
    });
    afterEach(async () => {
      for (const engine of engines) await engine.close();
      await scratch.remove();
    });
    const open = async (mode: "read" | "write", patience?: number): Promise<Engine> => {
      const engine = await plugin.open(scratch.url, mode, patience);
      engines.push(engine);
      return engine;
    };
    openingsInTurn(open);
    readersChangeNothing(open);
    embeddedFeatures(open);
  });
}

type Open = (mode: "read" | "write", patience?: number) => Promise<Engine>;

function openingsInTurn(open: Open): void {
  it("must exist to be read", async () => {
    await expect(open("read")).rejects.toMatchObject({ code: "no-database" });
  });

  it("is opened by one instance that all writers share", async () => {
    const one = await open("write");
    const two = await open("write");
    await one.execute("create table t (n bigint)");
    await two.append("t", ["n"], table([["n", "integer", [1, 2]]]));
    await one.close();
    await two.append("t", ["n"], table([["n", "integer", [3]]]));
    await two.close();
    const reader = await open("read");
    expect(columnValues(await reader.query("select n from t order by n"), 0)).toEqual([1, 2, 3]);
    await expect(open("write", 30)).rejects.toMatchObject({ code: "database-busy" });
    expect(reader.isConstant).toBe(true);
    await reader.close();
    const writer = await open("write");
    const second = await open("read");
    expect([writer.isConstant, second.isConstant]).toEqual([false, false]);
  });

  it("lets a writer wait for the last reader", async () => {
    await (await open("write")).close();
    const readers = [await open("read"), await open("read")];
    const writer = open("write");
    for (const reader of readers) await reader.close();
    expect((await writer).isConstant).toBe(false);
  });
}

function readersChangeNothing(open: Open): void {
  it("is not changed by readers, which may have temporary tables", async () => {
    const writer = await open("write");
    await writer.execute("create table t (n bigint)");
    await writer.close();
    const reader = await open("read");
    const refused = { code: "database-unwritable" };
    for (const sql of ["insert into t values (1)", "drop table t", "create table u (n bigint)"])
      await expect(reader.execute(sql), sql).rejects.toMatchObject(refused);
    await expect(reader.query("insert into t values (1) returning n")).rejects.toMatchObject(refused);
    for (const rows of [1, 5000])
      await expect(reader.append("t", ["n"], table([["n", "integer", Array(rows).fill(1)]]))).rejects.toMatchObject({
        name: "Failure",
      });
    await reader.transaction(() => reader.execute("create temporary table s as select 1 as n"));
    expect(columnValues(await reader.query("select count(*) as n from t, s"), 0)).toEqual([0]);
  });
}

function embeddedFeatures(open: Open): void {
  it("reads no files once they are forbidden", async () => {
    const engine = await open("write");
    await engine.forbidFiles();
    await expect(engine.query("select * from read_text('package.json')")).rejects.toMatchObject({
      code: "database-refused",
    });
  });

  it("has the same fingerprints while it stores the same", async () => {
    const engine = await open("write");
    await engine.execute("create table t (run bigint, n bigint)");
    await engine.execute("create sequence s");
    const empty = await engine.fingerprints?.();
    await engine.execute("insert into t values (1, 2)");
    const filled = await engine.fingerprints?.();
    expect(filled?.tables.map(({ rows }) => [...rows.keys()])).toEqual([[1]]);
    await engine.execute("delete from t");
    expect(await engine.fingerprints?.()).toEqual(empty);
    await engine.query("select nextval('s') as n");
    expect((await engine.fingerprints?.())?.next.get("s")).toBe(2);
  });

  it("finds no damage in an intact database", async () => {
    const engine = await open("write");
    await engine.execute("create table t as select range as n from range(100000)");
    await engine.verify?.();
  });

  it("calls back after each commit, and not after a rollback", async () => {
    const engine = await open("write");
    let commits = 0;
    engine.onCommit?.(async () => void commits++);
    await engine.transaction(async () => {});
    await engine.exclusive(async () => {});
    await expect(engine.transaction(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(commits).toBe(2);
  });
}

/** A Table of cells, for the tests. */
export function table(columns: readonly (readonly [name: string, type: DataType, values: readonly Value[]])[]): Table {
  return {
    variables: columns.map(([name, type]) => ({ name, role: "result", occurrence: "multiple", type })),
    columns: columns.map(([, type, values]) => column(values, columnKind(type))),
    length: columns[0]?.[2].length ?? 0,
  };
}

function column(values: readonly Value[], kind: "number" | "text"): Column {
  if (kind === "text") {
    const dictionary = [...new Set(values.filter((value) => typeof value === "string"))];
    return { kind: "text", dictionary, codes: Int32Array.from(values, (value) => dictionary.indexOf(value as string)) };
  }
  const exact = new Map(
    values.flatMap((value, row) => (typeof value === "bigint" ? [[row, value.toString()] as const] : [])),
  );
  const missing = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
  return {
    kind: "number",
    values: Float64Array.from(values, (value) => Number(value ?? Number.NaN)),
    missing: missing.includes(1) ? missing : null,
    exact: exact.size > 0 ? exact : null,
  };
}

/** The cells of one column as values. */
export function columnValues(source: Table, index: number): Value[] {
  const cells = source.columns[index] as Column;
  return Array.from({ length: source.length }, (_, row) => {
    if (cells.kind !== "number") return (cells.dictionary[cells.codes[row] as number] as string | undefined) ?? null;
    if (cells.missing?.[row] === 1) return null;
    const digits = cells.exact?.get(row);
    return digits === undefined ? (cells.values[row] as number) : BigInt(digits);
  });
}
