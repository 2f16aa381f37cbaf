import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onEachEngine } from "../servers/databases.ts";
import { description, input } from "./io-experiment.ts";
import { Playground } from "./program.ts";

const output = (factor: number): string =>
  [
    "machine: node7",
    "op size rate",
    ...["write", "read"].flatMap((op, i) => [1024, 4096].map((size) => `${op} ${size} ${factor * (i + 1) * size}`)),
    "",
    "end",
    "",
  ].join("\n");

let place: Playground;
let head: string;

onEachEngine("experiments by the command line", (makePlace, engine) => {
  beforeEach(async () => {
    place = new Playground();
    if (engine === "postgres") {
      const { url, environment } = await makePlace();
      place.environment = { PGPASSWORD: environment["PGPASSWORD"] ?? "", PERFKEEP_DB: url };
    }
    head = place.commit("one");
    place.ok("init");
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.write("a.out", output(1));
    place.write("b.out", output(3));
    place.ok("experiment", "create", "io.exp");
  });

  const importAll = (): string => place.ok("import", "-e", "io", "-d", "io.inp", "a.out", "b.out");

  interface Answer {
    readonly columns: readonly { readonly name: string; readonly unit: string }[];
    readonly rows: readonly (readonly unknown[])[];
  }

  function query(...words: string[]): Answer {
    return place.json("query", "io", ...words) as Answer;
  }

  describe("import", () => {
    it("stores all files, links them to the commit and keeps their bytes", () => {
      expect(importAll()).toBe("a.out: run 1 of io with 4 rows\nb.out: run 2 of io with 4 rows\n");
      const { runs } = place.json("experiment", "info", "io") as {
        runs: { commit: string; dirty: boolean; sources: { object: string }[] }[];
      };
      expect(runs.map((run) => [run.commit, run.dirty])).toEqual([
        [head, false],
        [head, false],
      ]);
      expect(place.ok("cat-object", runs[0]?.sources[0]?.object ?? "")).toBe(output(1));
      expect(place.json("fsck")).toMatchObject({ problems: [] });
    });

    it("refuses a file that was imported before, unless forced, and then stores nothing of the rest", () => {
      place.ok("import", "-e", "io", "-d", "io.inp", "a.out");
      const ended = place.run(["import", "-e", "io", "-d", "io.inp", "b.out", "a.out"]);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toContain("[already-imported]");
      expect(query().rows).toHaveLength(4);
      place.ok("import", "-e", "io", "-d", "io.inp", "--force", "a.out");
      expect(query().rows).toHaveLength(8);
    });

    it("takes fixed contents before those of the file, and standard input", () => {
      expect(
        place.run(["import", "-e", "io", "-d", "io.inp", "-f", "host=other", "-"], { input: output(2) }).status,
      ).toBe(0);
      expect(query("host").rows).toEqual([["other"]]);
    });

    it("shows what it would store, and stores nothing", () => {
      expect(place.ok("import", "-e", "io", "-d", "io.inp", "--dry-run", "a.out")).toContain("host = node7");
      expect(place.json("import", "-e", "io", "-d", "io.inp", "-t", "a.out")).toMatchObject({
        stored: false,
        runs: [
          {
            file: "a.out",
            parameters: { host: "node7" },
            results: [{ name: "B_io", unit: "MByte/s" }],
            rows: [
              { op: "write", S_chunk: 1024, B_io: 1024 },
              { op: "write", S_chunk: 4096, B_io: 4096 },
              { op: "read", S_chunk: 1024, B_io: 2048 },
              { op: "read", S_chunk: 4096, B_io: 8192 },
            ],
          },
        ],
      });
      expect(place.run(["query", "io"]).status).toBe(5);
    });

    it("shows once contents of a dry run as people write them", () => {
      place.write(
        "timed.exp",
        description.replace(
          "*experiment io",
          "*experiment timed\n*parameter began timestamp - once\n*result T float s once",
        ),
      );
      place.ok("experiment", "create", "timed.exp");
      const words = [
        "import",
        "-e",
        "timed",
        "-d",
        "io.inp",
        "-f",
        "began=2024-01-02T03:04:05Z",
        "-f",
        "T=1.5",
        "-t",
        "a.out",
      ];
      expect(place.ok(...words)).toMatch(/^began = 2024-01-02[T ]03:04:05.*\nT \[s\] = 1.5\nhost = node7$/m);
      expect(place.json(...words)).toMatchObject({
        runs: [{ parameters: { began: expect.stringMatching(/^2024-01-02/), T: 1.5, host: "node7" } }],
      });
    });

    it.each([
      ["a misspelt keyword", "NAMD host\n", 4, /io\.inp:1:1: .*NAMD.*NAMED/],
      ["an unknown variable", "NAMED hst\n", 4, /hst.*host/],
      ["an unknown descriptor", "NAMED host alais=x\n", 4, /io\.inp:1:\d+: .*alais.*alias/],
    ])("names the place and the remedy for %s", (_, text, status, message) => {
      place.write("io.inp", text);
      const ended = place.run(["import", "-e", "io", "-d", "io.inp", "a.out"]);
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr.trim().split("\n")).toHaveLength(1);
      expect(ended.status).toBe(status);
    });

    it("refuses binary garbage in one line, storing nothing", () => {
      place.write(
        "garbage.out",
        Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256),
      );
      const ended = place.run(["import", "-e", "io", "-d", "io.inp", "garbage.out"]);
      expect(ended.status).toBe(4);
      expect(ended.stderr.trim().split("\n").at(-1)).toMatch(/garbage\.out/);
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(place.run(["query", "io"]).status).toBe(5);
    });
  });

  describe("experiment", () => {
    it("names the place of an unknown unit and what comes near", () => {
      place.write("bad.exp", description.replace("MByte/s", "MBite/s").replace("io", "bad"));
      const ended = place.run(["experiment", "create", "bad.exp"]);
      expect(ended.status).toBe(4);
      expect(ended.stderr).toMatch(/bad\.exp:6:\d+: .*MBite/);
    });

    it("lists, describes and prints its description, which makes the same again", () => {
      importAll();
      expect(place.json("experiment", "list")).toMatchObject({ experiments: [{ name: "io", runs: 2, rows: 8 }] });
      expect(place.ok("experiment", "info", "io")).toContain("MByte/s");
      place.write("again.exp", place.ok("experiment", "info", "io", "--description"));
      place.ok("experiment", "create", "again.exp", "-e", "again");
      const variables = (name: string): unknown =>
        (place.json("experiment", "info", name) as { experiment: { variables: unknown } }).experiment.variables;
      expect(variables("again")).toEqual(variables("io"));
    });

    it("hides a run, whose file can then be imported again; asks before it deletes", () => {
      importAll();
      expect(place.run(["experiment", "delete", "io"])).toMatchObject({ status: 2 });
      place.ok("experiment", "delete", "io", "--run", "1", "--force");
      expect(query().rows).toHaveLength(4);
      place.ok("import", "-e", "io", "-d", "io.inp", "a.out");
      place.ok("experiment", "delete", "io", "--force");
      expect(place.run(["query", "io"])).toMatchObject({ status: 5 });
    });

    it("suggests a near name", () => {
      const ended = place.run(["query", "oi"]);
      expect(ended.status).toBe(5);
      expect(ended.stderr).toContain("did you mean io?");
    });
  });

  describe("query", () => {
    beforeEach(() => void importAll());

    it("groups, filters with units, sorts and limits", () => {
      const answer = query(
        "B_io",
        "--by",
        "op,S_chunk",
        "--stat",
        "mean,count,q75",
        "--where",
        "S_chunk>=4KiByte",
        "--sort",
        "-B_io.mean",
      );
      expect(answer.columns.map((column) => column.name)).toEqual([
        "op",
        "S_chunk",
        "B_io.mean",
        "B_io.count",
        "B_io.q75",
      ]);
      expect(answer.rows).toEqual([
        ["read", 4096, 16384, 2, 20480],
        ["write", 4096, 8192, 2, 10240],
      ]);
      expect(query("B_io", "--limit", "3").rows).toHaveLength(3);
      expect(query("--where", "op in read,write").rows).toHaveLength(8);
      expect(query("--where", "op is not null").rows).toHaveLength(8);
      expect(place.run(["query", "io", "--where", "op is null"]).status).toBe(5);
    });

    it("filters by commit, and tells when nothing fits", () => {
      const second = place.commit("two");
      expect(query("--commit", head).rows).toHaveLength(8);
      expect(place.run(["query", "io", "--commit", second]).status).toBe(5);
      expect(place.run(["query", "io", "--commit", "nope"]).stderr).toContain("[unknown-revision]");
    });

    it("prints CSV and NDJSON that read back", () => {
      const [first, ...lines] = place.ok("query", "io", "op", "B_io", "--format", "csv").trim().split("\r\n");
      expect(first).toBe("op,B_io [MByte/s]");
      expect(lines).toHaveLength(8);
      const records = place.ok("query", "io", "op", "B_io", "--format", "ndjson").trim().split("\n");
      expect(JSON.parse(records[0] ?? "")).toEqual({ op: "write", B_io: 1024 });
    });

    it("never takes names or values for SQL", () => {
      for (const word of ["op='; drop table run; --", 'op="', "op=%"])
        expect(place.run(["query", "io", "--where", word]).status, word).not.toBe(70);
      expect(place.run(["query", "io", "B_io; drop table run"]).stderr).toContain("[unknown-variable]");
      expect(query().rows).toHaveLength(8);
    });
  });

  describe("plot", () => {
    beforeEach(() => void importAll());

    it("draws in the terminal, as SVG and as PNG", () => {
      expect(place.ok("plot", "io", "B_io", "-x", "S_chunk", "-b", "op")).toContain("S_chunk [");
      place.ok("plot", "io", "B_io", "-x", "S_chunk", "-b", "op", "-e", "minmax", "-o", "io.svg");
      place.ok("plot", "io", "B_io", "-x", "S_chunk", "-b", "op", "-e", "minmax", "-o", "io.png");
      expect(readFileSync(join(place.folder, "io.svg"), "utf8")).toMatch(/^<svg[^]*B_io[^]*<\/svg>\s*$/);
      expect([...readFileSync(join(place.folder, "io.png")).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    });

    it("says when there is nothing to draw, and leaves no file", () => {
      const ended = place.run(["plot", "io", "B_io", "-x", "S_chunk", "-w", "op=none", "-o", "x.svg"]);
      expect(ended.status).toBe(5);
      expect(readdirSync(place.folder).filter((name) => name.startsWith("x.svg"))).toEqual([]);
    });
  });

  describe("the seed's programs", () => {
    it("create, import, describe and delete", () => {
      const seed = (program: string, ...words: string[]): string => {
        const path = join(place.folder, program);
        if (!existsSync(path)) symlinkSync(place.program, path);
        const ended = place.start(path, words);
        expect(ended.stderr, `${program} ${words.join(" ")}`).toBe("");
        expect(ended.status).toBe(0);
        return ended.stdout;
      };
      place.write("two.exp", description.replace("*experiment io", "*experiment two"));
      seed("pb_create", "two.exp");
      expect(seed("pb_import", "-i", "io.inp", "-d", "two.exp", "-t", "a.out")).toContain("host = node7");
      expect(seed("import_db", "-i", "io.inp", "-e", "two", "a.out", "b.out")).toContain("run 2 of two");
      expect(seed("pb_info")).toContain("two");
      expect(seed("pb_info", "-e", "two")).toContain("B_io");
      seed("pb_delete", "-e", "two", "-r", "1", "-f");
      expect(seed("pb_info", "-e", "two")).not.toContain("a.out");
      seed("pb_delete", "-e", "two", "-f");
      expect(seed("pb_info")).not.toContain("two");
    });
  });
});

describe("outside of a repository", () => {
  it("experiments live in the user's own folder", () => {
    const elsewhere = new Playground();
    elsewhere.write("io.exp", description);
    elsewhere.write("io.inp", input);
    elsewhere.write("a.out", output(1));
    elsewhere.ok("experiment", "create", "io.exp");
    elsewhere.ok("import", "-e", "io", "-d", "io.inp", "a.out");
    expect(elsewhere.ok("query", "io", "--stat", "count")).toContain("4");
    expect(existsSync(join(elsewhere.home, ".local/share/perfkeep/experiments.duckdb"))).toBe(true);
    expect(readdirSync(elsewhere.folder).sort()).toEqual(["a.out", "io.exp", "io.inp"]);
  });
});
