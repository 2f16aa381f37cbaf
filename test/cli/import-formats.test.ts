import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onEachEngine } from "../servers/databases.ts";
import { Playground } from "./program.ts";

const sample = (name: string): string => resolve("test/samples/hyperfine", name);

interface Compared {
  readonly rows: readonly { readonly metric: string }[];
}

interface Answer {
  readonly rows: readonly unknown[][];
}

let place: Playground;
let head: string;

onEachEngine("importing formats that are known by themselves", (makePlace, engine) => {
  beforeEach(async () => {
    place = new Playground();
    if (engine === "postgres") {
      const { url, environment } = await makePlace();
      place.environment = { PGPASSWORD: environment["PGPASSWORD"] ?? "", PERFKEEP_DB: url };
    }
    head = place.commit("one");
    place.ok("init");
  });

  const rows = (...words: string[]): Answer["rows"] => (place.json("query", "hyperfine", ...words) as Answer).rows;

  it("makes the experiment, extends it, and links the runs to the commit", () => {
    expect(place.ok("import", sample("scan.json"))).toMatch(
      /^hyperfine is a new experiment of hyperfine with benchmark, n, sample, time, /,
    );
    expect(place.ok("import", sample("list.json"), "-f", "host=node7")).toMatch(
      /^hyperfine has new variables how, host\n.*run 2 of hyperfine with 2 rows\n$/,
    );
    expect(rows("time", "--by", "commit,n", "--stat", "count")).toContainEqual([head, 300, 3]);
    expect(rows("exit_code", "--by", "host,how", "--stat", "max")).toContainEqual(["node7", "-r", 2]);
  });

  it("finds the format by the content of standard input, and refuses what it imported before", () => {
    const input = readFileSync(sample("plain.json"), "utf8");
    const quiet = place.run(["import", "-q", "-e", "cmds", "-"], { input });
    expect([quiet.status, quiet.stdout, quiet.stderr]).toEqual([0, "", ""]);
    expect(place.run(["check", "series"]).stderr).toContain("name an experiment: --experiment cmds [no-series]");
    const again = place.run(["import", "-e", "cmds", sample("plain.json")]);
    expect([again.status, again.stderr]).toEqual([4, expect.stringMatching(/\[already-imported\]\n$/)]);
    expect(place.json("experiment", "info", "cmds")).toMatchObject({ runs: [{ number: 1 }] });
  });

  it("leaves no experiment behind when the import fails", () => {
    const ended = place.run(["import", sample("plain.json"), sample("plain.json")]);
    expect([ended.status, ended.stderr.split("\n")]).toEqual([4, [expect.stringContaining("hyperfine"), ""]]);
    expect(place.run(["query", "hyperfine"]).status).toBe(5);
    place.write("odd.json", '{"results": [{"command": "a", "mean": 1}]}');
    place.ok("import", "odd.json");
    place.write("bad.json", '{"results": [{"command": "a", "mean": 1, "parameters": {"mean": "x"}}, {"command": 7}]}');
    expect(place.run(["import", "bad.json"]).stderr).toBe(
      "perfkeep: error: bad.json: results[1].command: it is not a string; write it again with the " +
        "program that created it, or name its format with --from (perfkeep import --list-formats) [damaged-report]\n",
    );
  });

  it("prints the first rows of a dry run and how many follow", () => {
    const csv = (count: number): string => `n,v\n${Array.from({ length: count }, (_, at) => `1,${at}.5\n`).join("")}`;
    place.write("a.csv", csv(1000));
    expect(place.ok("import", "-t", "a.csv")).not.toContain("more");
    place.write("a.csv", csv(70_001));
    const lines = place.ok("import", "-t", "a.csv").split("\n");
    expect(lines.slice(-6)).toEqual([
      expect.stringMatching(/ 998\.5$/),
      expect.stringMatching(/ 999\.5$/),
      "\u2026 69001 more rows: --format json prints more",
      "csv would be a new experiment of csv with n, v",
      "a.csv: would be a run of csv with 70001 rows",
      "",
    ]);
  });

  it("shows what it would store in the shape of a dry run, and stores nothing", () => {
    expect(place.json("import", "--dry-run", sample("scan.json"))).toMatchObject({
      importer: "hyperfine",
      made: true,
      stored: false,
      runs: [
        {
          parameters: {},
          results: [{ name: "time", unit: "s", better: "lower" }, {}, {}, {}, {}, {}, {}, {}, {}],
          rows: expect.any(Array),
        },
      ],
    });
    expect(place.ok("import", "-t", sample("scan.json"))).toMatch(
      /^hyperfine would be a new experiment|would be a run of hyperfine with 9 rows/m,
    );
    expect(place.run(["experiment", "info", "hyperfine"]).status).toBe(5);
  });
});

describe("formats", () => {
  beforeEach(() => {
    place = new Playground();
    place.commit("one");
    place.ok("init");
  });

  it("takes contents of another type where they fit, and tells what does not", () => {
    const report = (n: string): string => JSON.stringify({ results: [{ command: "a", mean: 1, parameters: { n } }] });
    place.write("word.json", report("all"));
    place.write("number.json", report("7"));
    place.ok("import", "word.json");
    place.ok("import", "number.json");
    expect((place.json("query", "hyperfine", "mean", "--by", "n") as Answer).rows).toEqual([
      ["7", 1],
      ["all", 1],
    ]);
    place.ok("import", "-e", "other", "number.json");
    const ended = place.run(["import", "-e", "other", "word.json"]);
    expect([ended.status, ended.stderr]).toEqual([
      4,
      expect.stringContaining("word.json: 'all' does not fit 'n' (float)"),
    ]);
  });

  it("belongs to the version that the user names", () => {
    const head = place.commit("two");
    place.ok("import", sample("plain.json"), "--minor", "HEAD~1");
    place.ok("import", sample("scan.json"));
    const { rows } = place.json("query", "hyperfine", "time", "--by", "commit", "--stat", "count") as Answer;
    expect(rows.map(([commit, count]) => [commit === head, count])).toEqual(
      expect.arrayContaining([
        [false, 8],
        [true, 9],
      ]),
    );
    expect(place.run(["import", "-d", "x.inp", "--minor", "HEAD", sample("list.json")]).status).toBe(2);
  });

  it("tells where experiments live when there is no instance", () => {
    const bare = new Playground();
    bare.commit("one");
    bare.environment = { XDG_DATA_HOME: join(bare.home, "data") };
    for (const name of ["plain.json", "scan.json"])
      expect(bare.run(["import", sample(name)])).toMatchObject({
        status: 0,
        stderr: expect.stringContaining("data/perfkeep/experiments.duckdb"),
      });
    expect(existsSync(join(bare.home, "data/perfkeep/experiments.duckdb"))).toBe(true);
  });

  it("rebuilds the database from the kept files", () => {
    place.ok("import", sample("scan.json"), "-f", "host=7", "--label", "a");
    place.ok("import", sample("list.json"));
    const before = place.json("query", "hyperfine", "time", "--by", "run,label,host,benchmark,sample");
    place.ok("rebuild", "experiments");
    expect(place.json("query", "hyperfine", "time", "--by", "run,label,host,benchmark,sample")).toEqual(before);
  });

  it("takes samples for repetitions, unless they are named", () => {
    const report = (level: number): string =>
      JSON.stringify({
        results: ["a", "b"].map((command) => ({
          command,
          mean: level,
          times: [0, 1, 2, 3, 4].map((at) => level + at / 100),
        })),
      });
    place.write("old.json", report(1));
    place.write("new.json", report(2));
    place.ok("import", "old.json", "new.json");
    const compared = JSON.parse(
      place.run(["compare", "-e", "hyperfine", "1", "2", "--format", "json"]).stdout,
    ) as Compared;
    expect(compared.rows.filter(({ metric }) => metric === "time")).toMatchObject([
      { benchmark: "hyperfine benchmark=a", verdict: "worse", old: { n: 5 }, new: { n: 5 } },
      { benchmark: "hyperfine benchmark=b", verdict: "worse", old: { n: 5 }, new: { n: 5 } },
    ]);
    const mined = place.json("mine", "hyperfine", "time");
    expect(mined).toMatchObject({ tables: [{ parameters: [{ name: "benchmark" }] }] });
  });

  it("explains by what a file is known, and lists what there is", () => {
    expect(place.json("import", "--explain", sample("plain.json"))).toMatchObject({
      files: [
        {
          formats: [
            { name: "hyperfine", confidence: 1 },
            { name: "json", confidence: 0.1 },
          ],
        },
      ],
    });
    place.write("words.txt", "nothing of the kind\n");
    expect(place.run(["import", "--explain", "words.txt"])).toMatchObject({
      status: 5,
      stdout: expect.stringContaining("none"),
    });
    expect(place.ok("import", "--list-formats")).toContain("hyperfine --export-json");
    expect(place.run(["import", "words.txt"])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("[unknown-report-format]"),
    });
    expect(place.run(["import", "--from", "nonsense", "words.txt"]).status).toBe(2);
    expect(place.run(["import", "--join", "words.txt"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--join is for files with a description"),
    });
  });

  it("measures versions and imports what was printed in one step, each run at its version", () => {
    const measured = new Playground();
    const printed = (...times: number[]): string => times.map((time) => `BenchmarkA-8 10 ${time} ns/op\n`).join("");
    measured.write("printed.txt", printed(5, 7));
    const old = measured.commit("one", "printed.txt");
    measured.write("printed.txt", printed(15));
    const head = measured.commit("two", "printed.txt");
    measured.ok("init");
    const words = [
      "collect",
      "command",
      "--from",
      "auto",
      "-e",
      "go",
      "-p",
      "repeat: 2",
      "-m",
      "HEAD~1",
      "-m",
      "HEAD",
      "--",
      "cat",
      "printed.txt",
    ];
    expect(measured.json(...words)).toMatchObject({
      stored: [{ commit: old }, { commit: head }],
      imported: {
        experiment: "go",
        importer: "go-bench",
        created: true,
        runs: [{ run: 1, rows: 2 }, { run: 2 }, { run: 3, rows: 1 }, { run: 4 }],
      },
    });
    const rows = measured.ok("export", "go", "run", "commit", "time", "--format", "csv").split("\r\n");
    expect(rows.slice(1, -1)).toEqual([
      ...[1, 2].flatMap((run) => [`${run},${old},5e-9`, `${run},${old},7e-9`]),
      ...[3, 4].map((run) => `${run},${head},1.5e-8`),
    ]);
    expect(
      measured.ok("collect", "command", "--from", "go-bench", "--as", "profile", "--", "cat", "printed.txt"),
    ).not.toContain("imported");
    measured.write("table.csv", "case,n,time_ms\na,1,2\n");
    const table = ["--from", "csv", "--from-params", "results: [n]", "--", "cat", "table.csv"];
    expect(measured.json("collect", "command", ...table)).toMatchObject({
      imported: { importer: "csv", runs: [{ rows: 1 }] },
    });
    expect(measured.ok("experiment", "info", "csv")).toMatch(/result +n /);
    expect(measured.run(["collect", "time", "--from", "auto", "--", "true"]).status).toBe(2);
    expect(measured.run(["collect", "command", "--from-params", "a: b", "--", "true"]).status).toBe(2);
    expect(measured.run(["collect", "command", "--result", "x", "--", "true"]).status).toBe(2);
  });
});
