import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Playground, timeProfile } from "./program.ts";

/** Deterministic noise of about one percent. */
function sample(level: number, seed: number, count = 10): number[] {
  return Array.from({ length: count }, (_, at) => level * (1 + (((seed * 7919 + at * 104_729) % 200) - 100) / 10_000));
}

const samplesPerReport = 10;

/** A report of pytest-benchmark on a host with that processor. */
function pytestReport(cpu: string, host: string, level: number, seed = 1): string {
  const data = sample(level, seed);
  const stats = { data, rounds: samplesPerReport, iterations: 1, min: Math.min(...data), max: Math.max(...data) };
  return JSON.stringify({
    machine_info: { node: host, machine: "x86_64", cpu: { brand_raw: cpu, count: 4 }, system: "Linux" },
    commit_info: {},
    benchmarks: [{ name: "test_a", fullname: "t.py::test_a", group: null, params: null, stats }],
    datetime: "2024-01-01T00:00:00",
    version: "4.0.0",
  });
}

/** A report of Google Benchmark on a host with that many processors. */
function googleReport(processors: number, host: string, level: number): string {
  const benchmarks = sample(level, 1).map((time, at) => ({
    name: "BM_a",
    run_name: "BM_a",
    run_type: "iteration",
    repetitions: 10,
    repetition_index: at,
    iterations: 100,
    real_time: time,
    cpu_time: time,
    time_unit: "ns",
  }));
  return JSON.stringify({ context: { host_name: host, num_cpus: processors }, benchmarks });
}

describe("reports of different machines are refused alike", () => {
  const place = new Playground();

  test.each([
    ["pytest-benchmark", pytestReport("one", "a", 1), pytestReport("one", "b", 1.2), pytestReport("two", "a", 1.2)],
    ["Google Benchmark", googleReport(4, "a", 1), googleReport(4, "b", 1.2), googleReport(8, "a", 1.2)],
  ])("%s: other hosts of the same class are compared, other classes are not", (_, old, sameClass, otherClass) => {
    place.write("old.json", old);
    place.write("same.json", sameClass);
    place.write("other.json", otherClass);
    expect(place.run(["compare", "old.json", "same.json"])).toMatchObject({ status: 1 });
    expect(place.run(["compare", "old.json", "other.json"])).toMatchObject({
      status: 3,
      stdout: expect.stringContaining("measured on different machines"),
    });
    expect(place.run(["compare", "old.json", "other.json", "--any-machine"])).toMatchObject({ status: 1 });
  });
});

describe("a history on runners of two machines", () => {
  const place = new Playground();

  interface Found {
    readonly notes: readonly string[];
    readonly verdicts: readonly {
      readonly outcome: string;
      readonly machine?: string;
      readonly scaled?: readonly object[];
    }[];
  }

  /** Imports a report for each commit; answers the verdicts. */
  function history(cpuAt: (at: number) => string, levelAt: (at: number) => number): Found {
    for (let at = 0; at < 20; at++) {
      const commit = place.commit(`change ${at}`);
      place.write("report.json", pytestReport(cpuAt(at), `host${at}`, levelAt(at), at + 1));
      place.ok("import", "report.json", "--minor", commit);
    }
    return JSON.parse(place.run(["check", "series", "-e", "pytest-benchmark", "--format", "json"]).stdout) as Found;
  }

  test("is judged as one if they take turns", () => {
    place.commit("start");
    place.ok("init");
    const cpuAt = (at: number): string => (at % 2 === 0 ? "slow" : "fast");
    const { verdicts } = history(cpuAt, (at) => (at % 2 === 0 ? 1.4 : 1) * (at < 10 ? 1 : 1.05));
    const time = verdicts.find(({ outcome }) => outcome === "worse");
    expect(time?.machine).toContain("fast");
    expect(time?.scaled).toEqual([
      { machine: expect.stringContaining("slow") as string, factor: expect.closeTo(1 / 1.4, 2) as number },
    ]);
    const text = place.run(["check", "series", "-e", "pytest-benchmark"]).stdout;
    expect(text).toMatch(/measured on .*fast.*, and on .*slow.* times 0\.71/);
    const missing = place.run(["check", "series", "-e", "pytest-benchmark", "--bridge", "no-such"]);
    expect(missing.stdout + missing.stderr).toContain("no series of no-such: machines are not bridged");
    expect(place.run(["check", "series", "-e", "pytest-benchmark", "--bridge", "x", "--any-machine"]).status).toBe(2);
  }, 120_000);
});

test("machines are sides of a comparison: at the newest commit that both measured", () => {
  const place = new Playground();
  const [first, second] = [place.commit("first"), place.commit("second")];
  place.ok("init");
  const add = (origin: string, fingerprint: string, level: number): void => {
    const amounts = sample(level, 1);
    const profile = timeProfile({ origin, amounts, machine: { fingerprint } });
    place.ok("add", place.write(`${fingerprint}-${level}.perf`, profile));
  };
  add(first, "5f2c01", 2);
  add(first, "91ab02", 1.5);
  add(second, "5f2c01", 4);
  const compared = place.run(["compare", "machine:5f", "machine:91ab02", "--format", "json"]);
  const { rows, otherMachine } = JSON.parse(compared.stdout) as {
    readonly rows: readonly object[];
    readonly otherMachine: boolean;
  };
  expect([compared.status, otherMachine]).toEqual([0, true]);
  expect(rows).toMatchObject([{ verdict: "better", delta: expect.closeTo(-0.25, 6) as number }]);
  const failed = (...sides: string[]): string => place.run(["compare", ...sides]).stderr;
  expect(failed("machine:5f", "machine:77")).toMatch(
    /no machine is named 'machine:77'.*machine:5f2c01, machine:91ab02/,
  );
  expect(place.run(["compare", "machine:5f", "HEAD"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("name machines on all sides") as string,
  });
  place.ok("report", "-o", "report.html");
  expect(readFileSync(`${place.folder}/report.html`, "utf8")).toContain('id="perfkeep-machines"');
});
