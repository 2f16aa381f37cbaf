import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

interface Printed {
  readonly series: { readonly all: number; readonly judged: number };
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly verdicts: readonly {
    readonly outcome: string;
    readonly delta: number;
    readonly subject: { readonly benchmark: string; readonly metric: string; readonly unit: string };
    readonly since: { readonly before: string; readonly after: string; readonly suspects: readonly string[] } | null;
  }[];
}

const fits = new Ajv2020({ allowUnionTypes: true, strictTypes: false, formats: { "date-time": true } }).compile(
  JSON.parse(readFileSync("schemas/verdicts-2.schema.json", "utf8")) as object,
);
const wave = (at: number): number => 1 + (((at * 7) % 5) - 2) / 200;

/** A profile of two functions at a commit; the amounts are in `unit`. */
function profile(origin: string, amounts: Readonly<Record<string, number>>, unit = "ms", machine?: string): string {
  const resources = Object.entries(amounts).map(([uid, amount]) => ({
    uid,
    amount,
    type: "mixed",
    subtype: "time delta",
  }));
  return JSON.stringify({
    origin,
    header: { type: "mixed", cmd: "./bench", args: "", workload: "small", units: { "mixed(time delta)": unit } },
    collector_info: { name: "trace", params: {} },
    postprocessors: [],
    ...(machine === undefined ? {} : { machine: { fingerprint: machine } }),
    global: { timestamp: "0", resources },
  });
}

describe("series of profiles", () => {
  const place = new Playground();
  const commits: string[] = [];
  const add = (at: number, text: string): string =>
    place.ok("add", "-m", commits[at] as string, place.write(`${at}.perf`, text));

  beforeAll(() => {
    for (let at = 0; at < 20; at++) commits.push(place.commit(`change ${at}`));
    place.ok("init");
    // Every other commit is measured; `slow` gets slower in commit 11 or 12, and the unit changes in between.
    for (let at = 0; at < 20; at += 2) {
      const [fast, slow] = [2 * wave(at), (at < 12 ? 5 : 6) * wave(at + 1)];
      add(
        at,
        at < 6
          ? profile(commits[at] as string, { fast, slow })
          : profile(commits[at] as string, { fast: fast / 1e3, slow: slow / 1e3 }, "s"),
      );
    }
  }, 60_000);

  const check = (...words: string[]): { status: number | null; found: Printed } => {
    const { status, stdout, stderr } = place.run(["check", "series", ...words, "--format", "json"]);
    if (stdout === "") throw new Error(stderr);
    const found = JSON.parse(stdout) as Printed;
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    return { status, found };
  };

  it("show what changed, by how much, and which commits may have done it", () => {
    const { status, found } = check();
    expect(status).toBe(1);
    expect(found).toMatchObject({ series: { all: 2, judged: 2 }, counts: { worse: 1, same: 1 } });
    const [worse] = found.verdicts;
    expect(worse).toMatchObject({
      outcome: "worse",
      subject: { benchmark: "trace ./bench small: slow", metric: "time delta", unit: "ms" },
    });
    expect(worse?.delta).toBeCloseTo(0.2, 1);
    expect(worse?.since).toEqual({ before: commits[10], after: commits[12], suspects: [commits[11], commits[12]] });
  });

  it("decide by the range", () => {
    expect(check(`${commits[13]}..HEAD`)).toMatchObject({ status: 0, found: { counts: { worse: 0, same: 2 } } });
    expect(check(`${commits[10]}..`)).toMatchObject({ status: 1, found: { counts: { worse: 1 } } });
    expect(check(`..${commits[4]}`, "--location", "slow").status).toBe(3);
  });

  it("are chosen by location, collector and command", () => {
    expect(check("--location", "^fa.t$")).toMatchObject({ status: 0, found: { series: { all: 1 } } });
    expect(place.run(["check", "series", "--collector", "time"])).toMatchObject({ status: 3, stdout: "" });
    expect(place.run(["check", "series", "--location", "("])).toMatchObject({ status: 4 });
  });

  it("know directions and least effects", () => {
    expect(check("--better", "higher")).toMatchObject({ status: 0, found: { counts: { better: 1 } } });
    expect(check("--min-effect", "50%")).toMatchObject({ status: 0, found: { counts: { same: 2 } } });
  });

  it("are judged alike whether answers were kept or not", () => {
    expect(check("--no-cache")).toEqual(check());
  });

  it("come with the difference of the profiles and the files of the suspects, if asked for", () => {
    const [worse, same] = check("--why").found.verdicts as readonly { readonly why?: unknown }[];
    expect(worse?.why).toMatchObject({
      profiles: [{ differences: [{ unit: "s", rows: [{ name: "slow" }, { name: "fast" }] }] }],
      suspects: [{ commit: commits[11], files: ["file"] }, { commit: commits[12] }],
    });
    expect(same?.why).toBeUndefined();
    const { stdout } = place.run(["check", "series", "--why"]);
    expect(stdout).toMatch(/small: slow time delta is worse since [0-9a-f]{8}:[^]*, [0-9.]+ standard errors: slow/);
    expect(stdout).toContain("2 commits may have caused it:");
    expect(place.run(["check", "series", "--why", "--format", "junit"])).toMatchObject({ status: 2 });
  });

  it("print a table", () => {
    const { status, stdout } = place.run(["check", "series"]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^worse +trace \.\/bench small: slow +time delta +\+2\d\.\d %.* 2$/m);
    expect(stdout).toContain("1 worse, 0 better, 1 the same, 0 inconclusive; 2 of 2 series judged\n");
  });

  it.each([
    ["--min-effect", "x"],
    ["--opt", "x"],
    ["--method", "nothing"],
    ["--opt", "max-pvalue=7"],
    ["--result", "t"],
    ["no-such-revision", ""],
  ])("refuse %s %s", (...words) => {
    const { status, stderr } = place.run(["check", "series", ...words.filter((word) => word !== "")]);
    expect([2, 4, 5]).toContain(status);
    expect(stderr).toMatch(/^perfkeep: error: /);
  });

  it("that grow, or whose history is another one now, are answered as from scratch", () => {
    commits.push(place.commit("change 20"));
    add(20, profile(commits[20] as string, { fast: 3e-3, slow: 6e-3 }, "s"));
    const grown = check();
    expect(grown).toEqual(check("--no-cache"));
    expect(grown.found.verdicts[0]).toMatchObject({ outcome: "worse" });
    place.ok("rm", "-m", commits[14] as string, "0@i");
    const less = check();
    expect(less).toEqual(check("--no-cache"));
    expect(less).not.toEqual(grown);
    expect(check("--location", "slow")).toEqual(check("--location", "slow", "--no-cache"));
    expect(check("--better", "higher")).toEqual(check("--better", "higher", "--no-cache"));
  });
});

describe("series of experiments", () => {
  const place = new Playground();

  beforeAll(() => {
    place.write(
      "bench.exp",
      "*experiment bench\n*parameter op string -\n*result rate float MByte/s\n*result t float s\n",
    );
    place.write(
      "bench.inp",
      'TABLE op row="op rate t" pos=1\nTABLE rate row="op rate t" pos=2\nTABLE t row="op rate t" pos=3\n',
    );
    place.ok("experiment", "create", "bench.exp");
    for (let run = 0; run < 12; run++) {
      const rows = ["read", "write"].map((op, at) => {
        const rate = (op === "read" && run >= 7 ? 80 : 100) * wave(run + at);
        return `${op} ${rate} ${5 * wave(run + 3) + run / 1e4}`;
      });
      place.write(`run-${run}.txt`, `op rate t\n${rows.join("\n")}\n`);
    }
    place.ok("import", "-e", "bench", "-d", "bench.inp", ...Array.from({ length: 12 }, (_, run) => `run-${run}.txt`));
  }, 60_000);

  it("go by parameter set along the runs where there are no versions", () => {
    const { status, stdout, stderr } = place.run(["check", "series", "-e", "bench", "--format", "json"]);
    expect(status, stderr).toBe(1);
    const found = JSON.parse(stdout) as Printed;
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    expect(found).toMatchObject({ series: { all: 4, judged: 4 }, counts: { worse: 1, same: 3 } });
    expect(found.verdicts[0]).toMatchObject({
      subject: { benchmark: "bench op=read", metric: "rate", unit: "MByte/s" },
      since: null,
    });
    expect(found.verdicts[0]?.delta).toBeCloseTo(-0.2, 1);
    expect(found.notes.join()).toContain("runs are ordered by number");
  });

  it("are chosen by result and condition", () => {
    const some = place.run(["check", "series", "-e", "bench", "--result", "t", "-w", "op=read", "--format", "json"]);
    expect(some.status, some.stderr).toBe(0);
    expect(JSON.parse(some.stdout)).toMatchObject({ series: { all: 1 } });
  });
});

describe("series of experiments at versions", () => {
  const place = new Playground();

  const measure = (at: number): void => {
    place.commit(`change ${at}`);
    if (at === 0) place.ok("init");
    if (at === 0)
      place.ok(
        "experiment",
        "create",
        place.write(
          "io.exp",
          "*experiment io\n*parameter host string - once\n*parameter op string -\n*result t float s\n",
        ),
      );
    place.write("io.inp", 'NAMED host match=host:\nTABLE op row="op t" pos=1\nTABLE t row="op t" pos=2\n');
    const rows = ["read", "write"].map((op, i) => `${op} ${(op === "read" && at >= 5 ? 8 : 5) * wave(at + i)}`);
    place.write("out.txt", `host: ${at < 9 ? "a" : "b"}\nop t\n${rows.join("\n")}\n`);
    place.ok("import", "-e", "io", "-d", "io.inp", "out.txt");
  };
  const check = (range: string): Printed => {
    const { stdout, stderr } = place.run(["check", "series", range, "-e", "io", "--format", "json"]);
    expect(stderr).not.toContain("error");
    return JSON.parse(stdout) as Printed;
  };

  it("of a range that ended long ago are what they were then; later runs are only counted", () => {
    for (let at = 0; at < 8; at++) measure(at);
    const then = check("HEAD~4..HEAD");
    expect(then).toMatchObject({ counts: { worse: 1, same: 1 }, notes: [] });
    expect(then.verdicts.map(({ subject }) => subject.benchmark)).toEqual(["io op=read", "io op=write"]);
    for (let at = 8; at < 10; at++) measure(at);
    const now = check("HEAD~6..HEAD~2");
    expect(now.notes).toEqual(["skipped: 4 rows of commits that are not on this line of history"]);
    // The host of a later run is another one, so that it is told.
    expect(now.verdicts.map(({ subject }) => subject.benchmark)).toEqual(["io host=a, op=read", "io host=a, op=write"]);
    const numbers = ({ verdicts }: Printed): object[] => verdicts.map(({ subject: _, ...rest }) => rest);
    expect(numbers(now)).toEqual(numbers(then));
  }, 120_000);
});

describe("series of reports of benchmark programs", () => {
  const place = new Playground();

  it("are judged by the times; statistics are evidence, and changes at one commit a group", () => {
    for (let at = 0; at < 12; at++) {
      place.commit(`change ${at}`);
      const results = ["./a", "./b"].map((command, i) => {
        const mean = (at >= 7 ? 1.2 : 1) * wave(at + i) + at / 1e5;
        const times = Array.from({ length: 6 }, (_, run) => mean * wave(at + 3 * run + i));
        return { command, mean, stddev: 0.01, min: Math.min(...times), user: 0.5 * wave(at), times, exit_codes: [0] };
      });
      place.write("report.json", JSON.stringify({ results }));
      place.ok("import", "-e", "speed", "report.json");
    }
    const { status, stdout } = place.run(["check", "series", "-e", "speed", "--format", "json"]);
    expect(status).toBe(1);
    const found = JSON.parse(stdout) as Printed & { readonly groups: readonly { readonly subjects: object }[] };
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    expect(found).toMatchObject({ series: { all: 4 }, counts: { worse: 2, same: 2 } });
    expect(found.verdicts[0]).toMatchObject({
      subject: { metric: "time" },
      derived: [
        { metric: "exit_code", delta: 0 },
        { metric: "mean" },
        { metric: "min" },
        { metric: "stddev", delta: 0 },
      ],
    });
    expect(found.groups).toMatchObject([{ subjects: [{}, {}].map(() => expect.stringContaining("time") as string) }]);
    const text = place.run(["check", "series", "-e", "speed"]);
    expect(text.stdout).toMatch(/changed 2 series \(2 worse\)[^]*speed benchmark=\.\/a time: mean \+2\d\.\d %, min \+/);
    expect(text.stderr).toContain(
      "evidence only, judged if selected as results: 8 series of exit_code, mean, min, stddev",
    );
    const named = place.run(["check", "series", "-e", "speed", "--result", "mean,time", "--format", "json"]);
    expect(JSON.parse(named.stdout)).toMatchObject({ series: { all: 4 }, counts: { worse: 4 } });
  }, 120_000);
});

describe("series of generated workloads", () => {
  const place = new Playground();
  const commits: string[] = [];

  /** Workloads of one profile: the small one is measured more often, the large one gets slower in commit 6. */
  function generated(at: number): string {
    const rows = [1, 1, 1, 100].map((workload, row) => {
      const amount = (workload === 1 ? 2 : at < 6 ? 50 : 65) * wave(at + row);
      return { uid: "./bench", amount, workload, type: "mixed", subtype: "time delta" };
    });
    return JSON.stringify({
      ...(JSON.parse(profile(commits[at] as string, {})) as object),
      global: { timestamp: "0", resources: rows },
    });
  }

  beforeAll(() => {
    for (let at = 0; at < 12; at++) commits.push(place.commit(`change ${at}`));
    place.ok("init");
    for (const at of commits.keys())
      place.ok("add", "-m", commits[at] as string, place.write(`${at}.perf`, generated(at)));
  }, 60_000);

  it("are kept apart, whether numbers of profiles were kept or not", () => {
    for (const words of [["--no-cache"], [], []]) {
      const { status, stdout, stderr } = place.run(["check", "series", ...words, "--format", "json"]);
      expect(status, stderr).toBe(1);
      const found = JSON.parse(stdout) as Printed;
      expect(found).toMatchObject({ series: { all: 2, judged: 2 }, counts: { worse: 1, same: 1 } });
      expect(found.verdicts.map(({ outcome, subject }) => [outcome, subject.benchmark])).toEqual([
        ["worse", "trace ./bench small: ./bench [workload=100]"],
        ["same", "trace ./bench small: ./bench [workload=1]"],
      ]);
      expect(found.verdicts[0]?.since?.after).toBe(commits[6]);
    }
  });

  it("are compared and calibrated apart as well", () => {
    const compared = place.run(["compare", commits[0] as string, commits[11] as string, "--format", "json"]);
    const { rows } = JSON.parse(compared.stdout) as { rows: { key: string }[] };
    const key = (name: string): string => `profile ["mixed","trace","./bench","small","${name}","time delta"]`;
    const keys = [key("./bench [workload=100]"), key("./bench [workload=1]")];
    expect(rows.map((row) => row.key).toSorted()).toEqual(keys);
    const calibrated = place.run(["calibrate", "--dry-run", "--replicates", "100", "--format", "json"]);
    const { subjects } = JSON.parse(calibrated.stdout) as { subjects: { subject: { key: string } }[] };
    expect(subjects.map(({ subject }) => subject.key)).toEqual(keys.toReversed());
  });
});

describe("growth", () => {
  const place = new Playground();

  it("that turns from n to n log n is a verdict of its own, with both models", () => {
    const commits = Array.from({ length: 12 }, (_, at) => place.commit(`change ${at}`));
    place.ok("init");
    for (const [at, origin] of commits.entries()) {
      const cost = (n: number): number => (at < 6 ? 3 * n : 0.4 * n * Math.log(n)) * wave(at + n);
      const resources = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map((n) => {
        return { uid: "sort", amount: cost(n), "structure-unit-size": n, type: "mixed", subtype: "time delta" };
      });
      const text = JSON.stringify({
        ...(JSON.parse(profile(origin, {})) as object),
        global: { timestamp: "0", resources },
      });
      place.ok("add", "-m", origin, place.write(`${at}.perf`, text));
    }
    const { status, stdout, stderr } = place.run(["check", "series", "--format", "json"]);
    expect(status, stderr).toBe(1);
    const found = JSON.parse(stdout) as Printed;
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    const grown = found.verdicts.find(({ subject }) => subject.metric === "growth");
    expect(grown).toMatchObject({
      outcome: "worse",
      since: { after: commits[6] },
      growth: { before: { name: "n" }, after: { name: "n log n" } },
    });
    expect(place.run(["check", "series"]).stdout).toMatch(
      / growth .* O\(n\), n\^\d\.\d\d, r² [01]\.\d+ +O\(n log n\), n\^1\.\d\d, r² [01]\./,
    );
  }, 60_000);
});

describe("the machine", () => {
  const place = new Playground();
  const check = (...words: readonly string[]): Printed =>
    JSON.parse(place.run(["check", "series", ...words, "--format", "json"]).stdout) as Printed;

  beforeAll(() => {
    const commits = Array.from({ length: 24 }, (_, at) => place.commit(`change ${at}`));
    place.ok("init");
    // The machine gets slower at commit 12, `work` at commit 17; `slow` drifts.
    for (const [at, commit] of commits.entries()) {
      const machine = at < 12 ? 1 : 1.3;
      const amounts = {
        loop: 5 * machine * wave(at),
        work: (at < 17 ? 8 : 8.8) * machine * wave(at + 2),
        slow: 3 * (1 + 0.01 * at) * wave(at + 1),
      };
      place.ok("add", "-m", commit, place.write(`${at}.perf`, profile(commit, amounts)));
    }
  }, 120_000);

  it("is recognised by a canary, and drift blames no commit", () => {
    const found = check("--canary", "loop", "--any-machine");
    expect(fits(found)).toBe(true);
    const of = (name: string) => found.verdicts.filter(({ subject }) => subject.benchmark.includes(name));
    expect(of("work").map(({ outcome, delta }) => [outcome, Math.round(delta * 100)])).toEqual([["worse", 10]]);
    expect(of("loop")).toMatchObject([{ outcome: "inconclusive", doubt: "unsteady" }]);
    expect(of("slow")).toMatchObject([{ outcome: "inconclusive", doubt: "drift", since: null }]);
    expect(found.notes).toContainEqual(expect.stringContaining("the canary's level"));
    expect(place.run(["check", "series"]).stdout).toMatch(/^drift /mu);
  });
});

describe("cost that moved between functions", () => {
  const place = new Playground();
  const callers: Readonly<Record<string, readonly string[]>> = { main: ["main"], parse: ["parse", "main"] };

  /** A profile of sampled stacks; `parse` calls all functions but `main`. */
  function sampled(origin: string, cmd: string, costs: Readonly<Record<string, number>>, at: number): string {
    const names = Object.keys(costs);
    return JSON.stringify({
      origin,
      header: { type: "time", cmd, workload: "", units: { time: "ms" } },
      collector_info: { name: "perf", params: {} },
      resources: Object.fromEntries(names.map((name, i) => [name, { amount: [(costs[name] ?? 0) * wave(at + i)] }])),
      resource_type_map: Object.fromEntries(
        names.map((name) => [
          name,
          {
            type: "time",
            subtype: "cpu",
            uid: { function: name },
            trace: (callers[name] ?? [name, "parse", "main"]).map((caller) => ({ function: caller })),
          },
        ]),
      ),
    });
  }

  it("is no change, and names the function that costs as much as before", () => {
    place.commit("start");
    place.ok("init");
    const before = { main: 5, parse: 20, words: 40, numbers: 30, others: 60 };
    for (let at = 0; at < 24; at++) {
      const commit = place.commit(`change ${at}`);
      const isOld = at < 12;
      const moved = sampled(commit, "./moved", isOld ? before : { ...before, words: 25, numbers: 45 }, at);
      const grown = sampled(commit, "./grown", isOld ? before : { ...before, words: 55 }, at + 5);
      place.ok("add", "-m", commit, place.write(`${at}.perf`, moved), place.write(`${at}-grown.perf`, grown));
    }
    const { status, stdout } = place.run(["check", "series", "--format", "json"]);
    const found = JSON.parse(stdout) as Printed;
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    const of = (name: string) =>
      found.verdicts.filter(({ subject, delta }) => subject.benchmark.includes(name) && Math.abs(delta) > 0.2);
    expect(of("./moved")).toMatchObject([
      { outcome: "same", movedWithin: "parse", since: null },
      { outcome: "same", movedWithin: "parse", since: null },
    ]);
    expect(of("./grown")).toMatchObject([
      { outcome: "worse", subject: { benchmark: expect.stringContaining("words") } },
    ]);
    expect(status).toBe(1);
    expect(found.notes).toContainEqual(
      expect.stringMatching(/^no change: cost moved within parse, which costs as much as before: .*(words|numbers), /u),
    );
  }, 120_000);
});

describe("a series that noise hides changes in", () => {
  const place = new Playground();

  beforeAll(() => {
    place.commit("start");
    place.ok("init");
    for (let at = 0; at < 7; at++) {
      const commit = place.commit(`change ${at}`);
      place.ok("add", "-m", commit, place.write(`${at}.perf`, profile(commit, { f: 1 + ((at * 7) % 5) * 0.2 })));
    }
  }, 60_000);

  it.each([
    ["100%", 0],
    ["1%", 1],
  ])("has a row where it looks changed by more than --resolution %s", (resolution, rows) => {
    const { status, stdout } = place.run(["check", "series", "--resolution", resolution]);
    expect(status).toBe(3);
    expect(stdout.split("\n").filter((line) => line.startsWith("inconclusive "))).toHaveLength(rows);
    expect(stdout).toContain("noise hides changes of less than");
  });
});
