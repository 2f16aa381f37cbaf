import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { onEachEngine } from "../servers/databases.ts";
import { Playground } from "./program.ts";

const net = [
  "*experiment net",
  "*parameter host string - once",
  "*parameter size int Byte",
  "*parameter np int",
  "*parameter op string",
  "*result latency float us",
  "",
].join("\n");
const io = [
  "*experiment io",
  "*parameter size float KiByte",
  "*parameter procs int",
  "*result bandwidth float MByte/s",
  "*result latency float ms",
  "",
].join("\n");

const column = (name: string, at: number): string => `TABLE ${name} row="size np" pos=${at}`;
const netInput = ['NAMED host ws=":"', ...["size", "np", "op", "latency"].map((name, at) => column(name, at + 1)), ""];
const ioInput = [...["size", "procs", "bandwidth", "latency"].map((name, at) => column(name, at + 1)), ""];

const netRuns = [
  ["host: node1", "size np op t", "1024 1 a.write 5", "1024 1 write 7", "2048 1 read 8", "2048 2 read 9", ""],
  ["host: nodex", "size np op t", "4096 2 rewrite 10", ""],
];
const ioRun = ["size np b t", "1 1 100 1", "1 1 300 2", "2 1 200 3", "2 2 250 4", "8 2 900 5", ""];

/** Creates both experiments in the database of a place. */
function fill(place: Playground): void {
  place.write("net.exp", net);
  place.write("io.exp", io);
  place.write("net.inp", netInput.join("\n"));
  place.write("io.inp", ioInput.join("\n"));
  for (const [at, lines] of netRuns.entries()) place.write(`net${at}.txt`, lines.join("\n"));
  place.write("io.txt", ioRun.join("\n"));
  place.ok("experiment", "create", "net.exp");
  place.ok("experiment", "create", "io.exp");
  for (const at of netRuns.keys()) place.ok("import", "-q", "-e", "net", "-d", "net.inp", `net${at}.txt`);
  place.ok("import", "-q", "-e", "io", "-d", "io.inp", "io.txt");
}

const rowsOf = (csv: string): string[] => csv.split("\r\n").slice(1, -1);

onEachEngine("conditions", (makePlace) => {
  const place = new Playground();
  const query = (...words: string[]): string[] => rowsOf(place.ok("query", ...words, "--format", "csv"));
  const told = (...words: string[]): string[] => {
    const { status, stderr } = place.run(["query", ...words, "--format", "csv"]);
    expect(status, stderr).toBe(0);
    return stderr.trimEnd().split("\n");
  };

  beforeAll(async () => {
    const { url, environment } = await makePlace();
    place.commit("one");
    place.ok("init");
    place.environment = { PERFKEEP_DB: url, ...environment };
    fill(place);
  });

  it("match patterns by ~, of rows and of runs, as described queries do", () => {
    const where = (condition: string): string[] => query("net", "latency", "--where", condition);
    expect(where("op~^write$")).toEqual(["7"]);
    expect(where("op~write")).toEqual(["5", "7", "10"]);
    expect(where("op!~^(re)?write$")).toEqual(["5", "8", "9"]);
    expect(where("op~^.?e")).toEqual(["8", "9", "10"]);
    expect(where("host~node[0-9] and (op~^re or np=1)")).toEqual(["5", "7", "8", "9"]);
    expect(place.run(["query", "net", "--where", "op~^WRITE"]).stderr).toContain("nothing-selected");
  });

  it("compare parts of texts by words, and lists", () => {
    const where = (condition: string): string[] => query("net", "latency", "--where", condition);
    expect(where("op contains a.w")).toEqual(["5"]);
    expect(where("op lacks rite and host contains 1")).toEqual(["8", "9"]);
    expect(where("op like re%")).toEqual(["8", "9", "10"]);
    expect(where("op like %wri_e and op not in write,rewrite")).toEqual(["5"]);
    expect(where("np not in 1")).toEqual(["9", "10"]);
  });

  it("have the same rows in the description that --print writes", () => {
    for (const condition of ["op~^write$", "op!~^re", "op contains .", "op like re%", "op not in read,write"]) {
      const words = ["net", "latency", "--where", condition];
      place.write("printed.txt", place.ok("query", ...words, "--print", "text"));
      const described = place
        .ok("query", "-d", "printed.txt")
        .split("\n")
        .filter((line) => /^\s*\d/.test(line));
      expect(
        described.map((line) => String(Number(line))),
        condition,
      ).toEqual(query(...words));
    }
  });

  it("select runs and exported rows, also of deleted runs", () => {
    const find = (...words: string[]): number[] => {
      const { stdout } = place.run(["find", "net", "run", ...words, "--format", "json"]);
      return (JSON.parse(stdout) as { runs: { run: number }[] }).runs.map(({ run }) => run);
    };
    expect(find("--where", "op~^re")).toEqual([1, 2]);
    expect(find("--where", "host~x$")).toEqual([2]);
    const values = place.ok("find", "net", "run", "op", "--where", "op~^re", "--format", "json");
    expect(values).not.toContain('write","');
    expect(rowsOf(place.ok("export", "net", "latency", "--where", "op~^r", "--format", "csv"))).toEqual([
      "8",
      "9",
      "10",
    ]);
  });

  it("are refused as patterns that are none, and for numbers", () => {
    expect(place.run(["query", "net", "--where", "op~("]).stderr).toContain("pattern-error");
    expect(place.run(["query", "net", "--where", "size~1"]).stderr).toContain("needs a text");
  });

  it("take quantiles in three spellings, for one column", () => {
    const stat = (word: string): string => place.ok("query", "net", "latency", "--stat", word, "--format", "csv");
    expect(stat("q95")).toBe("latency.q95 [us]\r\n9.8\r\n");
    expect([stat("p95"), stat("quantile=0.95"), stat("P95,q95")]).toEqual([stat("q95"), stat("q95"), stat("q95")]);
    place.write(
      "stats.txt",
      'EXPERIMENT net\nSOURCE s result=latency\nOPERATOR o statistics s value="p25,quantile=0.75"\nOUTPUT o\n',
    );
    expect(place.ok("query", "-d", "stats.txt").replaceAll(/\s+/g, " ")).toContain("7.0 9.0");
    place.write("rank.txt", "EXPERIMENT net\nSOURCE s result=latency\nOPERATOR o quantile s value=p25\nOUTPUT o\n");
    place.write("old.txt", "EXPERIMENT net\nSOURCE s result=latency\nOPERATOR o quantile s value=25\nOUTPUT o\n");
    expect(place.ok("query", "-d", "rank.txt")).toBe(place.ok("query", "-d", "old.txt"));
    const plots = ["p90", "quantile=0.9", "q90"].map((word) =>
      place.ok("plot", "net", "latency", "-x", "size", "-s", word, "--format", "csv"),
    );
    expect(new Set(plots).size).toBe(1);
    expect(plots[0]).toContain("q90 latency");
    expect(place.run(["query", "net", "--stat", "p101"]).stderr).toContain("unknown-statistic");
  });

  it("join two experiments by keys of other names and units, and report rows without a partner", () => {
    const words = ["net", "size", "np", "net.latency", "bandwidth", "--join", "io", "--on", "size,np=procs"];
    expect(query(...words)).toEqual([
      "1024,1,5,100",
      "1024,1,5,300",
      "1024,1,7,100",
      "1024,1,7,300",
      "2048,1,8,200",
      "2048,2,9,250",
    ]);
    expect(told(...words)).toEqual([
      "1 of 5 rows of 'net' has no partner in 'io' (size=4096 Byte np=2): omitted",
      "1 of 5 rows of 'io' has no partner in 'net' (size=8192 Byte np=2): omitted",
      "1 key (size=1024 Byte np=1) with several rows in both experiments: " +
        "2 rows of 'net' and 2 of 'io' make 4 pairs",
    ]);
    expect(query(...words, "--join-type", "full").slice(6)).toEqual(["4096,2,10,", "8192,2,,900"]);
    expect(told(...words, "--join-type", "left")[0]).toContain("kept without values of 'io'");
    expect(query(...words, "--where", "op~^write and bandwidth>100")).toEqual(["1024,1,7,300"]);
    expect(query(...words, "--sort=-io.bandwidth", "--limit", "1")).toEqual(["1024,1,5,300"]);
  });

  it("count each row once in statistics of a join", () => {
    const words = ["net", "net.latency", "bandwidth", "--join", "io", "--on", "size,np=procs"];
    expect(query(...words, "--by", "size,np", "--stat", "mean,count,p50")).toEqual([
      "1024,1,6,200,2,2,6,200",
      "2048,1,8,200,1,1,8,200",
      "2048,2,9,250,1,1,9,250",
    ]);
    expect(query("net", "--join", "io", "--on", "size,np=procs", "--by", "host", "--stat", "count")).toEqual([
      "node1,6",
    ]);
    expect(told(...words, "--by", "size")[2]).toContain("in statistics each row counts once");
  });

  it("show the statements and the join in the plan", () => {
    const plan = place.ok(
      "query",
      "net",
      "bandwidth",
      "--join",
      "io",
      "--by",
      "size",
      "--where",
      "size>1KiByte",
      "--explain",
    );
    expect(plan).toMatch(
      /^net: one statement\n {2}rows\n.* SQL: select .* \$1 = 1024\nio: one statement\n.* \$1 = 1\n/s,
    );
    expect(plan).toContain("inner join of net and io on size: outside the database\n");
    expect(plan).toContain("groups and statistics: outside the database\n");
  });

  it("describe the join in JSON", () => {
    const words = ["net", "bandwidth", "--join", "io", "--on", "size,np=procs", "--format", "json"];
    const { join: found } = JSON.parse(place.ok("query", ...words)) as { join: object };
    expect(found).toEqual({
      type: "inner",
      on: [
        { left: "size", right: "size" },
        { left: "np", right: "procs" },
      ],
      left: { experiment: "net", rows: 5, unmatched: 1, withoutKey: 0, repeatedKeys: 1 },
      right: { experiment: "io", rows: 5, unmatched: 1, withoutKey: 0, repeatedKeys: 1 },
      repeatedInBoth: 1,
      rows: 6,
    });
  });

  it("join commits, plots and exports", () => {
    const commits = query("net", "bandwidth", "--join", "io", "--on", "commit", "--by", "commit", "--stat", "max");
    expect(commits).toEqual([expect.stringMatching(/^[0-9a-f]{40},900$/)]);
    const plotted = ["net", "net.latency", "io.latency", "--join", "io", "--on", "size,np=procs", "-x", "size"];
    const picture = place.ok("plot", ...plotted, "--series", "np", "-s", "max", "--format", "csv");
    expect(picture).toContain("net.latency np=2,2,0.009\r\n");
    const words = ["net", "op", "bandwidth", "--join", "io", "--on", "size,np=procs"];
    expect(rowsOf(place.ok("export", ...words, "--format", "csv"))).toEqual(query(...words));
    expect(place.run(["export", ...words, "--format", "json"]).stderr).toContain("unusable-combination");
  });

  it("refuse joins that would guess", () => {
    const refused = (...words: string[]): string => place.run(["query", "net", ...words]).stderr;
    expect(refused("latency", "--join", "io", "--on", "size")).toContain("ambiguous-variable");
    expect(refused("--on", "size")).toContain("add --join EXPERIMENT");
    expect(refused("--join", "net")).toContain("join-not-possible");
    expect(refused("--join", "io", "-r", "1")).toContain("unusable-combination");
    expect(refused("--join", "io", "--print", "text")).toContain("unusable-combination");
    expect(refused("--join", "io", "--freeze", "x")).toContain("unusable-combination");
    expect(refused("op", "bandwidth", "--join", "io", "--where", "op=rewrite")).toContain(
      "no row of 'net' has a partner in 'io' on size; compare the values of the keys: net: 4096; io: 1024, 2048, 8192",
    );
  });
});

describe("plots that average over parameters", () => {
  const place = new Playground();
  beforeAll(() => {
    place.commit("one");
    place.ok("init");
    fill(place);
  });

  const plot = (...words: string[]) => place.run(["plot", "net", "latency", ...words]);

  it("say so in the notes, the picture and the answer", () => {
    const note = "mean over np, op: separate them with --series, --plots or --where\n";
    expect(plot("-x", "size", "-o", "p.svg")).toMatchObject({ status: 0, stderr: note });
    expect(readFileSync(join(place.folder, "p.svg"), "utf8")).toContain(
      ">mean over np, op; error bars: one standard deviation<",
    );
    plot("-x", "size", "-o", "p.gp");
    expect(readFileSync(join(place.folder, "p.gp"), "utf8")).toContain(
      `set title 'net: latency'."\\n".'mean over np, op; error bars: one standard deviation'\n`,
    );
    const figure = JSON.parse(plot("-x", "size", "--format", "json").stdout) as { blocks: { caption?: string }[] };
    expect(figure.blocks.map(({ caption }) => caption)).toEqual([
      "mean over np, op; error bars: one standard deviation",
    ]);
    const surface = JSON.parse(plot("-x", "size", "-y", "host", "--format", "json").stdout) as typeof figure;
    expect(surface.blocks.map(({ caption }) => caption)).toEqual(["mean over np, op"]);
    expect(plot("-x", "host", "-s", "max").stderr).toContain("max over size, np, op:");
  });

  it("are silent where every point has one value of each parameter, or none is averaged", () => {
    expect(plot("-x", "size", "--series", "np,op").stderr).toBe("");
    expect(plot("-x", "size", "-s", "none").stderr).toBe("");
    expect(plot("-x", "size", "--where", "op=read and np=1").stderr).toBe("");
  });
});

describe("times in JSON", () => {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
  const place = new Playground();
  const json = (...words: string[]): Record<string, unknown> =>
    JSON.parse(place.run([...words, "--format", "json"]).stdout) as Record<string, unknown>;

  beforeAll(() => {
    place.commit("one");
    place.ok("init");
    fill(place);
  });

  it("are ISO 8601 for files of runs and for commits", () => {
    const { runs } = json("experiment", "info", "net") as { runs: { sources: { modified: string }[] }[] };
    expect(runs.flatMap(({ sources }) => sources.map(({ modified }) => iso.test(modified)))).toEqual([true, true]);
    expect((json("status")["version"] as { date: string }).date).toMatch(iso);
  });
});
