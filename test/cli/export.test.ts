import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { beforeAll, describe, expect, it } from "vitest";
import { description, input } from "./io-experiment.ts";
import { Playground } from "./program.ts";

const place = new Playground();
let head: string;

beforeAll(() => {
  head = place.commit("one");
  place.ok("init");
  place.write("io.exp", description);
  place.write("io.inp", input);
  place.write("a.out", "machine: =node7\nop size rate\nwrite 1024 0.1\nread 4096 NaN\n");
  place.write("b.out", "machine: node8\nop size rate\nwrite 9007199254740993 1e300\n");
  place.ok("experiment", "create", "io.exp");
  place.ok("import", "-e", "io", "-d", "io.inp", "a.out", "b.out");
});

describe("export", () => {
  it("writes a row per data set as csv, with all digits and the contents of its run", () => {
    const rows = [
      "run,host,op,S_chunk [Byte],B_io [MByte/s]",
      "1,=node7,write,1024,0.1",
      "1,=node7,read,4096,NaN",
      "2,node8,write,9007199254740993,1e+300",
    ];
    expect(place.ok("export", "io", "--format", "csv")).toBe(rows.map((row) => `${row}\r\n`).join(""));
  });

  it("keeps spreadsheets from running what it writes, when asked to", () => {
    expect(place.ok("export", "io", "host", "--format", "csv", "--for-spreadsheet")).toBe(
      "host\r\n'=node7\r\nnode8\r\n",
    );
    expect(place.run(["export", "io", "--for-spreadsheet"]).status).toBe(2);
  });

  it("writes chosen variables, also of runs, as one object a line", () => {
    const text = place.ok("export", "io", "commit", "s_chunk", "--where", "op=write", "--format", "ndjson");
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { commit: head, S_chunk: 1024 },
      { commit: head, S_chunk: "9007199254740993" },
    ]);
  });

  it("writes lists and ranges of runs, and those of a branch or a time", () => {
    const hosts = (...words: string[]): string[] =>
      place
        .ok("export", "io", "host", "--format", "csv", ...words)
        .split("\r\n")
        .slice(1, -1);
    expect(hosts("--run", "1,2")).toEqual(["=node7", "node8"]);
    expect(hosts("--run", "2-99")).toEqual(["node8"]);
    expect(hosts("-r", "1-1", "-r", "2")).toEqual(["=node7", "node8"]);
    for (const range of ["2-1", "1,,2"]) expect(place.run(["export", "io", "--run", range]).status).toBe(2);
    expect(place.run(["export", "io", "--run", "1,3"]).stderr).toContain("has no run 3");
    expect(hosts("--branch", "main", "--since", "2020-09-13")).toHaveLength(2);
    expect(place.run(["export", "io", "--since", "2021-01-01"]).status).toBe(5);
    expect(place.run(["export", "io", "--branch", "none"]).stderr).toContain("none");
  });

  it("tells the contents of a run once in json", () => {
    expect(place.json("export", "io")).toMatchObject({
      once: [{ name: "host", type: "string", unit: "" }],
      columns: [{ name: "op" }, { name: "S_chunk", unit: "Byte" }, { name: "B_io" }],
      runs: [
        {
          run: 1,
          once: { host: "=node7" },
          rows: [
            ["write", 1024, 0.1],
            ["read", 4096, "NaN"],
          ],
        },
        { run: 2, once: { host: "node8" }, rows: [["write", "9007199254740993", 1e300]] },
      ],
    });
  });

  it("leaves out runs without a data set that fits", () => {
    expect(place.json("export", "io", "--where", "op=read")).toMatchObject({
      runs: [{ run: 1, rows: [["read", 4096, "NaN"]] }],
    });
    expect(place.json("export", "io", "host", "--where", "op=read")).toMatchObject({ columns: [], runs: [{ run: 1 }] });
    expect(place.run(["export", "io", "--where", "op=none"]).stderr).toContain("[nothing-selected]");
  });

  it("is a text that people can read, unless told otherwise", () => {
    const text = "# run 2\nhost = node8\n\n#\top\tS_chunk[Byte]\tB_io[MByte/s]\n1\twrite\t9007199254740993\t1e+300\n";
    expect(place.ok("export", "io", "--run", "2")).toBe(text);
    place.ok("export", "io", "--run", "2", "--format", "ascii", "-o", "two.txt");
    expect(readFileSync(join(place.folder, "two.txt"), "utf8")).toBe(text);
  });

  it("takes the format from the name of the file", () => {
    place.ok("export", "io", "op", "-o", "io.csv");
    expect(readFileSync(join(place.folder, "io.csv"), "utf8")).toBe("op\r\nwrite\r\nread\r\nwrite\r\n");
  });

  it("exports runs of commits, and deleted ones when asked to", () => {
    expect(place.ok("export", "io", "run", "--format", "csv", "--commit", "HEAD")).toBe("run\r\n1\r\n2\r\n");
    place.ok("experiment", "delete", "io", "--run", "1", "--force");
    expect(place.ok("export", "io", "run", "--format", "csv")).toBe("run\r\n2\r\n");
    expect(place.ok("export", "io", "run", "op", "--format", "csv", "--deleted")).toBe(
      "run,op\r\n1,write\r\n1,read\r\n2,write\r\n",
    );
    expect(place.run(["export", "io", "--run", "1"]).stderr).toContain("[unknown-run]");
    place.ok("experiment", "undelete", "io", "--run", "1");
  });

  it("writes Arrow files, whose rows are those of csv", () => {
    place.ok("export", "io", "-o", "io.arrow");
    const read = tableFromIPC(readFileSync(join(place.folder, "io.arrow")));
    expect([...read.getChild("host")!]).toEqual(["=node7", "=node7", "node8"]);
    expect([...read.getChild("S_chunk")!]).toEqual([1024n, 4096n, 9_007_199_254_740_993n]);
  });

  it("writes what benchstat reads: of every run, with its commit", () => {
    expect(place.ok("export", "io", "--format", "go-bench", "--where", "op=write")).toBe(
      [
        "host: =node7",
        `commit: ${head}`,
        "BenchmarkWrite/S_chunk=1024 1 100000 B_io-B/s",
        "host: node8",
        "BenchmarkWrite/S_chunk=9007199254740993 1 1e306 B_io-B/s",
        "",
      ].join("\n"),
    );
    expect(
      place.ok("export", "io", "op", "B_io", "--format", "go-bench", "--benchmark", "host", "--run", "2"),
    ).toContain("BenchmarkNode8/op=write ");
    expect(place.ok("export", "io", "B_io", "--format", "go-bench", "--run", "2")).toContain("BenchmarkWrite/S_chunk=");
    expect(place.run(["export", "io", "--format", "csv", "--benchmark", "op"]).status).toBe(2);
    expect(place.run(["export", "io", "--format", "bmf", "--benchmark", "none"]).stderr).toContain(
      "[unknown-variable]",
    );
  });

  it("keeps directions, synopses, wide integers and NaN in Parquet, which import reads", () => {
    place.write(
      "points.exp",
      "*experiment points\n*parameter case string\n*result score float - better=higher\nhow good it is\n",
    );
    place.ok("experiment", "create", "points.exp");
    place.write("points.csv", "case,score\na,1.5\nb,2.5\n");
    place.ok("import", "-e", "points", "points.csv");
    place.ok("export", "points", "case", "score", "-o", "points.parquet");
    place.ok("import", "-e", "again", "points.parquet");
    place.write("wide.exp", "*experiment wide\n*parameter id integer\n*result t float s\n");
    place.ok("experiment", "create", "wide.exp");
    place.write("wide.inp", 'TABLE id row="id" pos=1\nTABLE t row="id" pos=2\n');
    place.write("wide.txt", "id t\n9007199254740993 NaN\n-9223372036854775807 Infinity\n");
    place.ok("import", "-e", "wide", "-d", "wide.inp", "wide.txt");
    place.ok("export", "wide", "id", "t", "-o", "wide.parquet");
    expect(place.run(["import", "-e", "wider", "wide.parquet"])).toMatchObject({ status: 0, stderr: "" });
    expect(place.ok("export", "wider", "id", "t", "--format", "csv")).toBe(
      place.ok("export", "wide", "id", "t", "--format", "csv"),
    );
    expect(place.ok("experiment", "show", "again")).toContain(
      "*result score float - NULL better=higher\nhow good it is\n",
    );
  });

  it("tells which results have no direction, and takes those that are named", () => {
    place.write("scores.csv", "case,amount,time [s]\na,1.5,2\nb,2.5,3\n");
    place.ok("import", "-e", "scores", "scores.csv");
    const left = place.run(["export", "scores", "--format", "custom-smaller"]);
    expect(JSON.parse(left.stdout)).toMatchObject([{ unit: "s" }, { unit: "s" }]);
    expect(left.stderr).toContain("skipped, direction unknown: amount;");
    expect(place.run(["export", "scores", "--format", "custom-bigger"]).stderr).toContain(
      "perfkeep export scores amount,",
    );
    const named = place.run(["export", "scores", "amount", "--format", "custom-bigger"]);
    expect(JSON.parse(named.stdout)).toMatchObject([{ unit: "amount", value: 1.5 }, { value: 2.5 }]);
    expect(named.stderr).toBe("");
  });

  it("writes for other programs piece by piece: a reader may have had enough, and a disk may be full", async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `case ${at},${at / 8}`);
    place.write("many.csv", ["case,time [s]", ...lines, ""].join("\n"));
    place.ok("import", "-e", "many", "many.csv");
    for (const format of ["bmf", "openmetrics", "custom-smaller"]) {
      const words = ["export", "many", "--format", format];
      const whole = place.ok(...words);
      expect(whole.length).toBeGreaterThan(3 << 16);
      place.ok(...words, "-o", "many.txt");
      expect(readFileSync(join(place.folder, "many.txt"), "utf8")).toBe(whole);
    }
    const words = ["export", "many", "--format", "bmf"];
    const { child, ended } = place.begin(words);
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
    const full = openSync("/dev/full", "w");
    expect(place.run(words, { stdout: full })).toMatchObject({
      status: 74,
      stderr: expect.stringContaining("the disk is full"),
    });
    closeSync(full);
  });

  it("writes for Bencher, Prometheus and asv, the last run of each benchmark", () => {
    expect(JSON.parse(place.ok("export", "io", "--format", "bmf"))).toEqual({
      "write/S_chunk=1024": { B_io: { value: 1e5 } },
      "write/S_chunk=9007199254740993": { B_io: { value: 1e306 } },
    });
    expect(place.ok("export", "io", "--format", "openmetrics", "--run", "1")).toContain(
      'perfkeep_io_B_io{benchmark="write",S_chunk="1024",unit="Byte/s"} 100000\n',
    );
    expect(JSON.parse(place.ok("export", "io", "--format", "custom-bigger"))).toMatchObject([
      { unit: "Byte/s" },
      { unit: "Byte/s" },
    ]);
    expect(place.run(["export", "io", "--format", "custom-smaller"])).toMatchObject({
      status: 5,
      stdout: "",
      stderr: expect.stringContaining(
        "choose the format of the other direction, custom-bigger [no-result-of-direction]",
      ),
    });
    place.ok("export", "io", "--format", "asv", "-o", "results");
    const result = readFileSync(join(place.folder, "results", "_node7", `${head.slice(0, 8)}-existing.json`), "utf8");
    expect(JSON.parse(result)).toMatchObject({ commit_hash: head });
    expect(place.run(["export", "io", "--format", "asv"]).stderr).toContain("give -o FOLDER");
  });
});
