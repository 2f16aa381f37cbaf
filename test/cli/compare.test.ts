import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Playground, timeProfile, type Ended } from "./program.ts";

interface Row {
  readonly benchmark: string;
  readonly metric: string;
  readonly unit: string;
  readonly isDirectionAssumed?: boolean;
  readonly old: { readonly center: number; readonly n: number } | null;
  readonly new: { readonly center: number; readonly n: number } | null;
  readonly delta: number | null;
  readonly p: number | null;
  readonly test: string;
  readonly verdict: string;
  readonly reason: string | null;
  readonly since: { readonly before: string; readonly after: string; readonly suspects: readonly string[] } | null;
}

const rowsOf = ({ stdout }: Ended): Row[] => (JSON.parse(stdout) as { rows: Row[] }).rows;
const go = (name: string, values: readonly number[], unit = "ns/op"): string =>
  values.map((value) => `Benchmark${name}-4 100 ${value} ${unit}\n`).join("");
const around = (level: number): number[] => [0, 3, 1, 4, 2, 5, 9, 7].map((step) => level + step / 10);

describe("files of samples", () => {
  const place = new Playground();
  beforeAll(() => {
    place.write(
      "old.txt",
      `pkg: p\n${go("A", around(100))}${go("B", around(50), "MB/s")}${go("Gone", around(10_000))}`,
    );
    place.write(
      "same.txt",
      `pkg: p\n${go("A", around(100))}${go("B", around(50), "MB/s")}${go("Gone", around(10_000))}`,
    );
    place.write("worse.txt", `pkg: p\n${go("A", around(110))}${go("B", around(60), "MB/s")}`);
    place.write(
      "better.csv",
      "benchmark,value,unit\n" +
        around(90)
          .map((value) => `A-4,${value},ns/op\n`)
          .join(""),
    );
  });

  test("keeps metrics of one unit apart, and takes higher rates of a CSV for better", () => {
    const lines = (slow: number): string =>
      [
        "name,wall_s,cpu_s,ops",
        ...["a", "b"].map((name, at) => `${name},${4.5 * slow},${2 + slow},${at + 1000 / slow}`),
      ].join("\n");
    place.write("fast.csv", `${lines(1)}\n`);
    place.write("slow.csv", `${lines(1.25)}\n`);
    const { stdout, status } = place.run(["compare", "fast.csv", "slow.csv", "--exact"]);
    expect([stdout.match(/^wall \[s\]$/m)?.length, stdout.match(/^cpu \[s\]$/m)?.length, status]).toEqual([1, 1, 1]);
    expect(stdout).toMatch(/^ops\n.*\n.*\nname=a .* -20\.00% .* worse/m);
    expect(stdout.match(/^geomean/gm)?.length).toBe(3);
  });

  test("numbers beyond the prefixes have an exponent instead of one", () => {
    const lines = (end: string): string =>
      `benchmark,time [s]\n${[1.01, 1.03, 1.02, 1.05].map((time) => `x,${time}${end}\n`).join("")}`;
    place.write("huge.csv", lines("e307"));
    place.write("larger.csv", lines("e308"));
    place.write("tiny.csv", lines("e-300"));
    expect(place.run(["compare", "huge.csv", "larger.csv"]).stdout).toMatch(/^x +1\.025e\+307 ± ∞ +1\.025e\+308 ± ∞/m);
    expect(place.run(["compare", "tiny.csv", "huge.csv"]).stdout).toMatch(/^x +1\.025e-300 ± ∞ +1\.025e\+307 ± ∞/m);
  });

  test("a name with line ends and controls is one line of the summary", () => {
    const hyperfine = (times: readonly number[]): string =>
      JSON.stringify({ results: [{ command: "a\nb\u001b[31m", times }] });
    place.write("first.json", hyperfine(around(100)));
    place.write("second.json", hyperfine(around(200)));
    expect(place.run(["compare", "first.json", "second.json"]).stderr).toMatch(
      /^1 worse, .*; a\^Jb\^\[\[31m s \+1?\d\d %\n$/,
    );
  });

  test("metrics that only describe others are not compared", () => {
    place.write("steady.csv", "name,mean_s,stddev_s,max_s,ops\na,2,0.1,2.5,7\n");
    place.write("noisy.csv", "name,mean_s,stddev_s,max_s,ops\na,2,0.4,4.5,7\n");
    const metricsOf = (...words: string[]): unknown[] => {
      const compared = place.run(["compare", "steady.csv", "noisy.csv", "--exact", "--format", "json", ...words]);
      return rowsOf(compared).map(({ metric, verdict }) => [metric, verdict]);
    };
    expect(metricsOf()).toEqual([
      ["mean", "same"],
      ["ops", "same"],
    ]);
    expect(metricsOf("--metric", "stddev")).toEqual([["stddev", "worse"]]);
  });

  test("names the metrics whose direction is an assumption, if they decide", () => {
    place.write("few.csv", "name,packets,elapsed\na,5000,2\n");
    place.write("many.csv", "name,packets,elapsed\na,6000,2.5\n");
    const { stderr, status } = place.run(["compare", "few.csv", "many.csv", "--exact"]);
    expect(status).toBe(1);
    expect(stderr).toContain("lower values of packets are assumed to be better: neither unit nor name states it");
    const json = place.run(["compare", "few.csv", "many.csv", "--exact", "--format", "json"]);
    expect(rowsOf(json).map(({ metric, isDirectionAssumed }) => [metric, isDirectionAssumed])).toEqual([
      ["packets", true],
      ["elapsed", undefined],
    ]);
    for (const files of [
      ["few.csv", "few.csv"],
      ["few.csv", "many.csv", "--better", "higher"],
    ])
      expect(place.run(["compare", ...files, "--exact"]).stderr).not.toContain("assumed");
  });

  test("each subject is judged, and the worst is the exit status", () => {
    const ended = place.run(["compare", "old.txt", "worse.txt", "--format", "json"]);
    expect(ended.status).toBe(1);
    const [a, b, gone] = rowsOf(ended);
    expect(a).toMatchObject({
      benchmark: "A-4",
      unit: "sec/op",
      verdict: "worse",
      test: "mann-whitney",
      old: { n: 8 },
    });
    expect(a?.delta).toBeCloseTo(10 / 100.35, 10);
    expect(a?.p).toBeCloseTo(2 / 12_870, 12);
    expect(b).toMatchObject({ unit: "B/s", verdict: "better" });
    expect(gone).toMatchObject({
      verdict: "inconclusive",
      new: null,
      delta: null,
      reason: "only the old side has values",
    });
  });

  test("0 where nothing is worse, 3 where something is missing", () => {
    expect(place.run(["compare", "old.txt", "same.txt"]).status).toBe(0);
    place.write("fewer.txt", go("A", around(100)));
    expect(place.run(["compare", "old.txt", "fewer.txt"]).status).toBe(3);
  });

  test("options move the line", () => {
    const [old, now] = [place.write("o.txt", go("A", around(100))), place.write("n.txt", go("A", around(102)))];
    expect(place.run(["compare", old, now]).status).toBe(1);
    expect(place.run(["compare", old, now, "--min-effect", "4%"]).status).toBe(0);
    expect(place.run(["compare", old, now, "--better", "higher"]).status).toBe(0);
    expect(place.run(["compare", old, now, "--alpha", "0.00001"]).status).toBe(0);
    expect(place.run(["compare", old, now, "--alpha", "0.00001", "--resolution", "1%"]).status).toBe(3);
    expect(place.run(["compare", old, now, "--exact"]).status).toBe(3);
    expect(place.run(["compare", old, now, "--alpha", "two"])).toMatchObject({ status: 2 });
  });

  test("the table has centers with intervals, change, p and n, and the geometric mean", () => {
    place.write("two-old.txt", go("A", around(100)) + go("B", around(400)));
    place.write("two-new.txt", go("A", around(110)) + go("B", around(400)));
    const text = place.run(["compare", "two-old.txt", "two-new.txt"]).stdout;
    expect(text).toMatch(/^sec\/op\nbenchmark +two-old.txt +two-new.txt +change/);
    expect(text).toMatch(/A-4 +100.3n ± 1% +110.3n ± 0% +\+9.97% .* p=0.000 n=8 +worse/);
    expect(text).toMatch(/B-4 .* ~ .* p=1.000 n=8 +same/);
    expect(text).toMatch(/geomean .*\+4.8\d%/);
    for (const format of ["markdown", "html", "csv"])
      expect(place.run(["compare", "two-old.txt", "two-new.txt", "--format", format]).stdout).toContain("+9.97%");
  });

  test("units that differ are converted or refused, content counts and not the name", () => {
    place.write(
      "ms.csv",
      "benchmark,value,unit\n" +
        around(100)
          .map((value) => `x,${value},ms\n`)
          .join(""),
    );
    place.write(
      "s.csv",
      "benchmark,value,unit\n" +
        around(100)
          .map((value) => `x,${value / 1000},s\n`)
          .join(""),
    );
    expect(rowsOf(place.run(["compare", "ms.csv", "ms.csv", "--format", "json"]))).toMatchObject([{ verdict: "same" }]);
    expect(rowsOf(place.run(["compare", "ms.csv", "s.csv", "--format", "json"]))).toMatchObject([
      { verdict: "same", unit: "ms", new: { n: around(100).length } },
    ]);
    place.write("both.csv", "benchmark,value,unit\nx,1,s\nx,1,us\n");
    expect(rowsOf(place.run(["compare", "ms.csv", "both.csv", "--format", "json"]))).toHaveLength(3);
    expect(rowsOf(place.run(["compare", "old.txt", "better.csv", "--format", "json"])).length).toBeGreaterThan(1);
    expect(place.run(["compare", "old.txt", "missing.txt"]).stderr).toContain("missing.txt");
    place.write("none.txt", "x is nothing that could be read\n");
    expect(place.run(["compare", "none.txt", "none.txt"])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("[no-measurements]"),
    });
  });

  test("processors that differ decide nothing", () => {
    place.write("here.txt", `cpu: one\n${go("A", around(100))}`);
    place.write("there.txt", `cpu: two\n${go("A", around(200))}`);
    expect(place.run(["compare", "here.txt", "there.txt"])).toMatchObject({ status: 3 });
    expect(place.run(["compare", "here.txt", "there.txt", "--any-machine"])).toMatchObject({ status: 1 });
  });
});

describe("suites", () => {
  const place = new Playground();
  const suite = (levels: readonly number[]): string => levels.map((level, at) => go(`B${at}`, around(level))).join("");
  beforeAll(() => {
    place.write("a.txt", suite([100, 200, 300]));
    place.write("b.txt", suite([110, 200, 300]));
    place.write("c.txt", suite([100, 180, 300]));
  });

  test("several sides are compared with the first, and q accounts for all of their rows", () => {
    const ended = place.run(["compare", "a.txt", "b.txt", "c.txt", "--format", "json"]);
    expect(ended.status).toBe(1);
    const document = JSON.parse(ended.stdout) as {
      readonly sides: readonly string[];
      readonly rows: readonly (Row & { readonly side: string; readonly q: number })[];
    };
    expect(document.sides).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(document.rows.map(({ side, verdict }) => `${side} ${verdict}`)).toEqual([
      "b.txt worse",
      "b.txt same",
      "b.txt same",
      "c.txt same",
      "c.txt better",
      "c.txt same",
    ]);
    expect(document.rows[0]!.q).toBeCloseTo(3 * document.rows[0]!.p!, 12);
    const text = place.run(["compare", "a.txt", "b.txt", "c.txt"]).stdout;
    expect(text).toMatch(/^sec\/op\nbenchmark +a.txt +b.txt +change +verdict +c.txt +change +verdict/);
    expect(text).toMatch(/B1-4 +200.3n .* ~ +same +180.3n ± 0% +-9.9\d% +better/);
  });

  test("rows are selected and sorted, and the others still count for the exit status", () => {
    const names = (...options: string[]): string[] =>
      rowsOf(place.run(["compare", "a.txt", "b.txt", "--format", "json", ...options])).map(
        ({ benchmark }) => benchmark,
      );
    expect(names("--verdict", "same")).toEqual(["B1-4", "B2-4"]);
    expect(names("--min-change", "5%")).toEqual(["B0-4"]);
    expect(names("--sort", "change")[0]).toBe("B0-4");
    expect(names("--filter", "B[12]")).toEqual(["B1-4", "B2-4"]);
    expect(place.run(["compare", "a.txt", "b.txt", "--verdict", "same"]).status).toBe(1);
    expect(place.run(["compare", "a.txt", "b.txt", "--filter", "B[12]"]).status).toBe(0);
    expect(place.run(["compare", "a.txt", "b.txt", "--metric", "nothing"]).status).toBe(3);
    expect(place.run(["compare", "a.txt", "b.txt", "--sort", "size"]).status).toBe(2);
  });

  test("--gate-bound fails unless the intervals exclude a greater change for the worse", () => {
    const gated = (bound: string): Ended =>
      place.run(["compare", "a.txt", "b.txt", "--filter", "B[12]", "--gate-bound", bound, "--format", "json"]);
    expect(gated("2%")).toMatchObject({ status: 0 });
    expect(JSON.parse(gated("2%").stdout)).toMatchObject({ gate: { bound: 0.02, failed: 0, unknown: 0 } });
    const failed = gated("0.01%");
    expect(failed.status).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ gate: { failed: 2 } });
    expect(failed.stderr).toContain("B1-4 (sec/op), B2-4 (sec/op) may be worse by more than 0.01 % (95 % interval)");
  });

  test("one small p among many equal benchmarks is no regression", () => {
    const equal = Array.from({ length: 30 }, (_, at) => 100 + at);
    place.write("many.txt", `${go("One", [1, 2, 3, 4, 5, 6])}${suite(equal)}`);
    place.write("again.txt", `${go("One", [4.5, 5.5, 6.5, 7.5, 8.5, 9.5])}${suite(equal)}`);
    expect(place.run(["compare", "many.txt", "again.txt", "--filter", "One"]).status).toBe(1);
    const ended = place.run(["compare", "many.txt", "again.txt"]);
    expect(ended.status).toBe(3);
    expect(ended.stdout).toContain("p alone is small, q over all rows is not");
  });
});

describe("versions and profiles", () => {
  const place = new Playground();
  const add = (version: string, name: string, amounts: number[], fingerprint = "m"): void => {
    const path = place.write(`${name}.perf`, timeProfile({ origin: version, amounts, machine: { fingerprint } }));
    place.ok("add", "-m", version, path);
  };
  const versions: string[] = [];
  beforeAll(() => {
    versions.push(place.commit("one"), place.commit("two"), place.commit("three"));
    place.ok("init");
    add(versions[0]!, "a", around(100));
    add(versions[1]!, "b", around(110));
    add(versions[2]!, "c", around(110), "other");
  });

  test("a version against another", () => {
    const ended = place.run(["compare", "HEAD~2", "HEAD~1", "--format", "json"]);
    expect(ended.status, ended.stderr).toBe(1);
    expect(rowsOf(ended)).toMatchObject([
      { benchmark: "time ./work", metric: "time", unit: "s", verdict: "worse", old: { n: 8 } },
    ]);
  });

  test("a change lies between the two versions, where one of them comes from the other", () => {
    const sinceOf = (...sides: string[]): Row["since"] | undefined =>
      rowsOf(place.run(["compare", ...sides, "--any-machine", "--format", "json"]))[0]?.since;
    const [first, second, third] = versions as [string, string, string];
    expect(sinceOf("HEAD~2", "HEAD~1")).toEqual({ before: first, after: second, suspects: [second] });
    expect(sinceOf("HEAD~2", "HEAD")).toEqual({ before: first, after: third, suspects: [second, third] });
    expect(sinceOf("HEAD~2^0@i", "HEAD^0@i")).toEqual({ before: first, after: third, suspects: [second, third] });
    expect(sinceOf("HEAD", "HEAD~2")).toBeNull();
    expect(sinceOf("HEAD~1", "HEAD")).toBeNull();
    expect(place.run(["compare", "HEAD~2", "HEAD", "--any-machine", "--format", "annotations"]).stdout).toContain(
      `since ${third.slice(0, 8)} (one of 2 commits)`,
    );
  });

  test("a profile against another", () => {
    expect(place.run(["compare", "HEAD~2^0@i", "HEAD~1^0@i"]).status).toBe(1);
    expect(place.run(["compare", "HEAD~2^0@i", "HEAD~2^0@i"]).status).toBe(0);
  });

  test("a metric of a profile has the direction that the profile declares", () => {
    const place = new Playground();
    const scores = (origin: string, amount: number): string =>
      JSON.stringify({
        origin,
        header: { type: "mixed", cmd: "./work", workload: "", units: {} },
        collector_info: { name: "import", params: {} },
        postprocessors: [],
        resources: around(amount).map((value, order) => {
          return { amount: value, order, subtype: "points", type: "mixed", uid: "./work", better: "higher" };
        }),
      });
    const [first, second] = [place.commit("one"), place.commit("two")];
    place.ok("init");
    place.ok("add", "-m", first, place.write("a.perf", scores(first, 100)));
    place.ok("add", "-m", second, place.write("b.perf", scores(second, 110)));
    const ended = place.run(["compare", first, second, "--format", "json"]);
    expect(rowsOf(ended)).toMatchObject([{ metric: "points", better: "higher", verdict: "better" }]);
    expect(ended.stderr).not.toContain("assumed");
  });

  test("other machines decide nothing unless asked to", () => {
    const ended = place.run(["compare", "HEAD~2", "HEAD", "--format", "json"]);
    expect(ended.status).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      otherMachine: true,
      rows: [{ verdict: "inconclusive", reason: "measured on different machines" }],
    });
    expect(place.run(["compare", "HEAD~2", "HEAD", "--any-machine"]).status).toBe(1);
  });

  test("a version without profiles is no silent pass", () => {
    place.commit("four");
    expect(place.run(["compare", "HEAD~1", "HEAD"])).toMatchObject({ status: 3, stdout: "" });
  });
});

test("runs of an experiment, by parameter set", () => {
  const place = new Playground();
  const first = place.commit("first");
  place.ok("init");
  place.write("io.exp", "*experiment io\n*parameter op string -\n*result t float s\n");
  place.write("io.inp", 'TABLE op row="op t" pos=1\nTABLE t row="op t" pos=2\n');
  place.ok("experiment", "create", "io.exp");
  for (let run = 0; run < 8; run++) {
    const slower = run < 4 ? 0 : 10;
    place.write(
      `${run}.txt`,
      `op t\n${around(100 + slower)
        .map((value) => `read ${value + run / 100}\n`)
        .join("")}${around(50)
        .map((value) => `write ${value + run / 100}\n`)
        .join("")}`,
    );
  }
  place.ok("import", "-e", "io", "-d", "io.inp", "0.txt", "1.txt", "2.txt", "3.txt");
  const second = place.commit("second");
  place.ok("import", "-e", "io", "-d", "io.inp", "4.txt", "5.txt", "6.txt", "7.txt");
  const ended = place.run(["compare", "-e", "io", "1,2,3,4", "5,6,7,8", "--format", "json"]);
  expect(ended.status, ended.stderr).toBe(1);
  expect(rowsOf(ended)).toMatchObject([
    {
      benchmark: "io op=read",
      metric: "t",
      unit: "s",
      verdict: "worse",
      test: "mann-whitney of groups",
      old: { n: 32 },
    },
    { benchmark: "io op=write", since: null, verdict: expect.not.stringMatching("worse|inconclusive") },
  ]);
  expect(rowsOf(ended)[0]?.since).toEqual({ before: first, after: second, suspects: [second] });
  const commits = place.run(["compare", "HEAD~1", "HEAD", "--format", "json"]);
  expect(commits.status, commits.stderr).toBe(1);
  expect(rowsOf(commits).map(({ since: _, ...row }) => row)).toEqual(rowsOf(ended).map(({ since: _, ...row }) => row));
  expect(place.run(["compare", "HEAD~1", "HEAD"]).stderr).toContain("1 worse, 0 better");
  expect(place.run(["compare", "HEAD~1", "HEAD"]).stderr).toMatch(/; io op=read t \+10 %\n/);
  expect(place.run(["compare", "HEAD~1", "HEAD", "--format", "csv"]).stdout).toContain("io op=read");
  expect(place.run(["compare", "HEAD~1", "HEAD", "--format", "markdown"]).stdout).toContain("| io op=read |");
  expect(rowsOf(place.run(["compare", "-e", "io", "1,2,3,4,5", "6,7,8", "--format", "json"]))[0]?.since).toBeNull();
  expect(place.run(["compare", "-e", "io", "1", "99"]).status).toBe(3);
  expect(place.run(["compare", "-e", "io", "1", "no-label"]).status).toBe(5);
});

test("runs of an experiment, without metrics that only describe others unless they are named", () => {
  const place = new Playground();
  place.ok("init");
  const hyperfine = (times: readonly number[]): string =>
    JSON.stringify({ results: [{ command: "sort", mean: times[0], stddev: 0.1, min: 1, max: 9, times }] });
  place.write("old.json", hyperfine(around(100)));
  place.write("new.json", hyperfine(around(110)));
  place.ok("import", "old.json", "new.json");
  const metricsOf = (...words: string[]): unknown[] =>
    rowsOf(place.run(["compare", "-e", "hyperfine", "1", "2", "--format", "json", ...words])).map(
      ({ metric }) => metric,
    );
  expect(metricsOf()).toEqual(["time"]);
  expect(metricsOf("--metric", "stddev")).toEqual(["stddev"]);
});

test("run ab measures two versions in turns, keeps the pairs, and compares by them at once and later", () => {
  const place = new Playground();
  const log = join(place.home, "log");
  const script = (word: string): string => place.write("work.sh", `echo ${word} >> ${log}\n`);
  script("base");
  place.commit("one", "work.sh");
  script("head");
  place.commit("two", "work.sh");
  place.ok("init");
  const ended = place.run([
    "run",
    "ab",
    "HEAD~1",
    "HEAD",
    "--pairs",
    "6",
    "-p",
    "warmup: 0",
    "--format",
    "json",
    "--",
    "sh",
    "work.sh",
  ]);
  expect([0, 1, 3], ended.stderr).toContain(ended.status);
  const order = "base head head base base head head base base head head base".split(" ");
  expect(readFileSync(log, "utf8").trim().split("\n")).toEqual(order);
  const rows = rowsOf(ended);
  expect(rows.find(({ metric }) => metric === "time")).toMatchObject({
    test: "signed-rank",
    old: { n: 6 },
    new: { n: 6 },
  });
  const later = place.run(["compare", "HEAD~1", "HEAD", "--format", "json"]);
  expect(rowsOf(later)).toEqual(rows);
  expect(place.run(["run", "ab", "HEAD", "HEAD", "--", "true"]).status).toBe(2);
});

test("run ab without --pairs stops as soon as the pairs decide, and compares by the same test later", () => {
  const place = new Playground();
  place.write("work.sh", "true\n");
  place.commit("one", "work.sh");
  place.write("work.sh", "sleep 0.2\n");
  place.commit("two", "work.sh");
  place.ok("init");
  const ended = place.run(
    "run ab HEAD~1 HEAD --max-pairs 30 --metric time -p warmup:\u00a00 --format json -- sh work.sh"
      .split(" ")
      .map((word) => word.replace("\u00a0", " ")),
  );
  expect(ended.status, ended.stderr).toBe(1);
  const { pairs, rows } = JSON.parse(ended.stdout) as { readonly pairs: object; readonly rows: readonly Row[] };
  expect(pairs).toEqual({ measured: 7, most: 30, isFixed: false });
  expect(rows).toMatchObject([{ test: "sequential sign", verdict: "worse", old: { n: 7 }, new: { n: 7 } }]);
  expect(rowsOf(place.run(["compare", "HEAD~1", "HEAD", "--metric", "time", "--format", "json"]))).toEqual(rows);
  expect(place.run(["run", "ab", "HEAD~1", "HEAD", "--pairs", "6", "--max-pairs", "9", "--", "true"]).status).toBe(2);
  const few = place.run(["run", "ab", "HEAD~1", "HEAD", "--max-pairs", "2", "--metric", "time", "--", "sh", "work.sh"]);
  expect(few.status).toBe(3);
  expect(few.stderr).toMatch(/2 pairs of at most 2 measured: about 5 more pairs would settle it/);
});
