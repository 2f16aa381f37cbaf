import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import { rowsOf, type Table } from "../../src/core/tables/table.ts";
import { onEachEngine, type TestDatabase } from "../servers/databases.ts";
import { Playground, scratchFolder } from "./program.ts";

/* What is in an experiment comes out of it alike from every engine. */

const description = [
  "*experiment io",
  "*parameter host string - once default=NULL",
  "*parameter day date - once default=NULL",
  "*parameter op string default=NULL",
  "*parameter S_chunk int Byte default=NULL",
  "*parameter blob binary default=NULL",
  "*result B_io float MByte/s default=NULL",
  "*result ok boolean default=NULL",
  "*result t_all duration default=NULL",
  "*result at timestamp default=NULL",
  "",
].join("\n");

const columns = ["op", "S_chunk", "blob", "B_io", "ok", "t_all", "at"];
const input = [
  'SEP regexp="^# run" run=yes',
  'NAMED host regexp="host (.*)$" len=0 escapes=yes',
  'NAMED day regexp="day (.*)$"',
  ...columns.map(
    (name, i) => `TABLE ${name} row="op;" separator=";" pos=${i + 1}${name === "op" ? " escapes=yes" : ""}`,
  ),
  "",
].join("\n");

const data = [
  "# run a",
  "host \\& =node 7\\t",
  "day 2004-11-23",
  "op;S_chunk;blob;B_io;ok;t_all;at",
  "write;1024;AP8=;0.1;true;0:01:00.5;2004-11-23T18:30:00.000001Z",
  "\\&# run 1\\nx;9007199254740993;;NaN;false;;",
  "",
  "# run b",
  "host node8",
  "op;S_chunk;blob;B_io;ok;t_all;at",
  "write;4096;;-Infinity;;;",
  "\\&;4096;;1e300;true;;",
  "",
].join("\n");

onEachEngine("contents", (makePlace) => {
  const place = new Playground();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await makePlace();
    place.commit("one");
    place.ok("init");
    place.environment = { ...(database.environment as Record<string, string>), PERFKEEP_DB: database.url };
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.write("io.out", data);
    place.ok("experiment", "create", "io.exp");
    place.ok("import", "-e", "io", "-d", "io.inp", "io.out");
  });
  afterAll(() => database.remove());

  const parquetTable = async (file: string): Promise<Table> => {
    const engine = await duckdb.open(join(scratchFolder(), "scratch.duckdb"), "write");
    try {
      return await engine.query(`select * from '${join(place.folder, file)}'`);
    } finally {
      await engine.close();
    }
  };

  it("come back unchanged from ascii and its description", () => {
    place.ok("export", "io", "-o", "io.txt", "--format", "ascii");
    place.ok("export", "io", "--describe", "-o", "back.inp", "--format", "ascii");
    place.ok("experiment", "create", "-e", "io2", "io.exp");
    expect(place.ok("import", "-e", "io2", "-d", "back.inp", "io.txt")).toContain("2 rows");
    const { runs } = place.json("export", "io") as { runs: unknown[] };
    expect(runs).toHaveLength(2);
    expect(runs[0]).toMatchObject({
      once: { host: " =node 7\t", day: "2004-11-23" },
      rows: [
        ["write", 1024, "AP8=", 0.1, true, 60.5, "2004-11-23T18:30:00.000001Z"],
        ["# run 1\nx", "9007199254740993", null, "NaN", false, null, null],
      ],
    });
    expect((place.json("export", "io2") as { runs: unknown[] }).runs).toEqual(runs);
    expect(place.ok("export", "io2")).toBe(readFileSync(join(place.folder, "io.txt"), "utf8"));
    expect(place.run(["export", "io", "--describe", "--format", "csv"]).status).toBe(2);
  });

  it("are rows of a Parquet file", async () => {
    place.ok("export", "io", "host", "day", ...columns, "-o", "io.parquet");
    const table = await parquetTable("io.parquet");
    expect(table.variables.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "host string",
      "day date",
      "op string",
      "S_chunk integer",
      "blob binary",
      "B_io float",
      "ok boolean",
      "t_all float",
      "at timestamp",
    ]);
    expect(rowsOf(table)).toEqual([
      [" =node 7\t", 12745, "write", 1024, "AP8=", 0.1, true, 60.5, 1101234600000001],
      [" =node 7\t", 12745, "# run 1\nx", 9007199254740993n, null, Number.NaN, false, null, null],
      ["node8", null, "write", 4096, null, -Infinity, null, null, null],
      ["node8", null, "", 4096, null, 1e300, true, null, null],
    ]);
  });

  it("leave no file where a Parquet export fails, and go to pipes as well", async () => {
    expect(place.run(["export", "io", "--where", "op=none", "-o", "none.parquet"]).stderr).toContain(
      "[nothing-selected]",
    );
    expect(place.run(["export", "io", "-o", "no-such/io.parquet"]).stderr).toContain("[cannot-write-output]");
    expect(readdirSync(place.folder).filter((name) => name.includes("none") || name.includes(".part"))).toEqual([]);
    const file = openSync(join(place.folder, "piped.parquet"), "w");
    place.run(["export", "io", "run", "op", "--format", "parquet", "-w", "op=write"], { stdout: file });
    closeSync(file);
    const table = await parquetTable("piped.parquet");
    expect(rowsOf(table)).toEqual([
      [1, "write"],
      [2, "write"],
    ]);
  });

  it("are chosen by run, condition and commit, deleted ones only when asked for", () => {
    const csv = (...words: string[]): string[] =>
      place
        .ok("export", "io", "run", "S_chunk", "--format", "csv", ...words)
        .split("\r\n")
        .slice(1, -1);
    expect(csv("-r", "2", "-w", "B_io>1")).toEqual(["2,4096"]);
    expect(csv("-c", "HEAD", "-w", "op=write")).toEqual(["1,1024", "2,4096"]);
    place.ok("experiment", "delete", "io", "--run", "2", "--force");
    expect(csv("-w", "op=write")).toEqual(["1,1024"]);
    expect(csv("--deleted", "-w", "op=write")).toEqual(["1,1024", "2,4096"]);
    place.ok("experiment", "undelete", "io", "--run", "2", "--force");
  });

  it("have ranges and counts that the database computes", () => {
    const told = (...words: string[]) =>
      place.json("experiment", "info", "io", ...words) as { ranges: object[]; counts: { rows: unknown[] } };
    const { ranges } = told("--range", "host,S_chunk,B_io", "--range", "ok,blob,run");
    expect(ranges).toEqual([
      {
        name: "host",
        type: "string",
        unit: "",
        min: " =node 7\t",
        max: "node8",
        valueCount: 2,
        distinct: 2,
        missing: 0,
      },
      {
        name: "S_chunk",
        type: "integer",
        unit: "Byte",
        min: 1024,
        max: "9007199254740993",
        valueCount: 4,
        distinct: 3,
        missing: 0,
      },
      {
        name: "B_io",
        type: "float",
        unit: "MByte/s",
        min: "-Infinity",
        max: "NaN",
        valueCount: 4,
        distinct: 4,
        missing: 0,
      },
      { name: "ok", type: "boolean", unit: "", min: false, max: true, valueCount: 3, distinct: 2, missing: 1 },
      { name: "blob", type: "binary", unit: "", min: null, max: null, valueCount: 1, distinct: 1, missing: 3 },
      { name: "run", type: "integer", unit: "", min: 1, max: 2, valueCount: 2, distinct: 2, missing: 0 },
    ]);
    expect(told("--counts", "S_chunk").counts.rows).toEqual([
      [1024, 1, 1, 1, 1],
      [4096, 2, 1, 0, 0],
      ["9007199254740993", 1, 1, 0, 0],
    ]);
    expect(told("--counts").counts.rows).toHaveLength(4);
    const shown = place.ok("experiment", "info", "io", "--range", "S_chunk", "--counts", "op");
    expect(shown).toMatch(/^variable .*\n.*\nS_chunk /);
    expect(shown).not.toContain("once");
    expect(told("--run", "2", "--counts", "S_chunk").counts.rows).toEqual([[4096, 2, 1, 0, 0]]);
    place.ok("experiment", "delete", "io", "--run", "2", "--force");
    expect(told("--range", "S_chunk").ranges).toMatchObject([{ valueCount: 2 }]);
    expect(told("--range", "S_chunk", "--deleted").ranges).toMatchObject([{ valueCount: 4 }]);
    place.ok("experiment", "undelete", "io", "--run", "2", "--force");
    expect(place.run(["experiment", "info", "io", "--range", "S_chunks"]).stderr).toContain("S_chunk");
  });

  it("of one run are shown, all or by occurrence", () => {
    const shown = (kind: string): string => place.ok("experiment", "info", "io", "--run", "2", "--data", kind);
    expect(shown("all")).toMatch(
      /\n# run 2\nhost = node8\n\n#\top\t.*\n1\twrite\t4096\t\t-Infinity\t\t\t\n2\t\\&\t4096\t/,
    );
    expect(shown("once")).toMatch(/\n# run 2\nhost = node8\n$/);
    expect(shown("multiple")).toMatch(/\n# run 2\n\n#\top\t/);
    expect(
      place.json("experiment", "info", "io", "--run", "2", "--data", "multiple", "--value", "^(op|ok)$"),
    ).toMatchObject({
      data: [
        {
          run: 2,
          multiple: {
            columns: [{ name: "op" }, { name: "ok" }],
            rows: [
              ["write", null],
              ["", true],
            ],
          },
        },
      ],
    });
  });
});
