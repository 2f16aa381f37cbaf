import { describe, expect, it } from "vitest";
import { amountsRun, checkerContract } from "../../../test/contracts/checker.ts";
import type { Change } from "../../core/verdicts/change.ts";
import type { Run } from "../../core/profiles/run.ts";
import { JsonNumber, jsonObject } from "../../core/values/json.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { statistics } from "./statistics.ts";

checkerContract(statistics);

/** The change of one location; `earlier`: values of older profiles, newest first. */
function compare(
  before: number[],
  after: number[],
  { unit = "ms", subtype, earlier = [] }: { unit?: string; subtype?: string; earlier?: number[][] } = {},
): Change | undefined {
  const runs = [before, after, ...earlier].map((f) => amountsRun({ f }, unit, subtype));
  const [base, target, ...history] = runs as [Run, Run];
  return statistics.check(base, target, new Map(), undefined, [base, ...history])[0];
}

describe("counts", () => {
  const count = { unit: "event" };

  it.each([
    ["two values of each side", [1000, 1000], [1096, 1096], "Degradation"],
    ["one side repeats", [1000, 1000], [904], "Optimization"],
    ["a change below the limit", [1000, 1000], [1005, 1005], "MaybeDegradation"],
    ["equal single values", [1234], [1234], "NoChange"],
    ["from zero", [0, 0], [5, 5], "Degradation"],
    ["to zero", [5, 5], [0, 0], "Optimization"],
  ])("that repeat are compared exactly: %s", (_, before, after, result) => {
    const change = compare(before, after, count);
    expect(change).toMatchObject({ result, method: "statistics", confidence: { type: "exact", rate: 1 } });
    expect(change?.evidence?.confidence).toBe(1);
  });

  it("name the limit that a change does not reach", () => {
    expect(compare([1000, 1000], [1005, 1005], count)?.note).toBe("+0.5 %, below the limit of 1 %");
  });

  it("that repeat from profile to profile need no repetitions within one", () => {
    expect(compare([1000], [1020], { ...count, earlier: [[1000], [990]] })).toMatchObject({
      result: "Degradation",
      from: "1000event",
      to: "1020event",
    });
  });

  it("that differ within a profile, or a little from profile to profile, are noisy", () => {
    expect(compare([1000, 1100], [1050, 1200], count)?.result).toBe("Unknown");
    const jitter = [
      [1004, 1004],
      [999, 999],
      [1003, 1003],
      [997, 997],
    ];
    const change = compare([1001, 1001], [1006, 1006], { ...count, earlier: jitter });
    expect(change?.result).toBe("NoChange");
    expect(change?.evidence?.confidence).toBeLessThan(1);
  });

  it("that hardly differ within a profile find small changes", () => {
    expect(compare([1e6, 1e6 + 31], [1.096e6, 1.096e6 + 12], count)?.result).toBe("Degradation");
    expect(compare([3], [4], count)?.result).toBe("Unknown");
  });
});

describe("counts of a steady event", () => {
  const instructions = { unit: "event", subtype: "instructions" };
  /** Every commit changed the program. */
  const releases = [988_000_000, 944_245_260, 1_166_968_170, 1_129_575_500, 886_158_920];

  it("that repeat but for a few events are exact, however much earlier commits changed", () => {
    const earlier = releases.map((count) => [count, count + 33]);
    const change = (to: number) => compare([988_000_000, 988_000_033], [to, to + 12], { ...instructions, earlier });
    expect(change(743_599_458)).toMatchObject({ result: "Optimization", confidence: { type: "exact" } });
    expect(change(988_000_071)).toMatchObject({ result: "NoChange", confidence: { type: "exact" } });
    expect(change(988_000_071)?.note).toBeUndefined();
    expect(change(991_000_000)).toMatchObject({ result: "MaybeDegradation", metric: "instructions" });
  });

  it("that vary within profiles have that noise, however much earlier commits changed", () => {
    const noisy = (count: number): number[] => [count, count * 1.001, count * 0.9995].map(Math.round);
    const options = { ...instructions, earlier: releases.map(noisy) };
    const change = (factor: number) => compare(noisy(1e9), noisy(1e9 * factor), options);
    expect(change(1.096)).toMatchObject({ result: "Degradation", evidence: { history: 0 } });
    expect(change(0.76)?.result).toBe("Optimization");
    expect(change(1.0002)?.result).toBe("NoChange");
  });

  it.each([0, 1, 9])("alarm twice in a hundred at most, and find +5 percent, with %d earlier profiles", (count) => {
    const random = seededRandom(22);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const pair = (level: number): number[] => [0, 0].map(() => Math.round(level * Math.exp(0.005 * normal())));
    const results = (factor: number): (string | undefined)[] =>
      Array.from({ length: 300 }, () => {
        const earlier = releases.concat(releases).slice(0, count).map(pair);
        return compare(pair(1e9), pair(1e9 * factor), { ...instructions, earlier })?.result;
      });
    expect(results(1).filter((result) => result === "Degradation" || result === "Optimization").length).toBeLessThan(6);
    expect(results(1.05).filter((result) => result === "Degradation").length).toBeGreaterThan(count < 9 ? 100 : 240);
  });

  it("that vary by several percent need the noise of the history", () => {
    const threads = [
      [1.0e9, 1.08e9],
      [0.97e9, 1.05e9],
      [1.09e9, 0.99e9],
    ];
    expect(compare([1.0e9, 1.07e9], [1.1e9, 1.16e9], { ...instructions, earlier: threads })?.result).toBe("Unknown");
  });
});

describe("times", () => {
  it.each([
    ["much slower, one value each", [1.01], [4.02], "Degradation"],
    ["hardly slower, one value each", [1.01], [1.12], "Unknown"],
    ["ticks of a coarse clock", [0.01, 0.01, 0.01], [0.02, 0.02, 0.02], "Unknown"],
    ["from zero", [0], [3], "Unknown"],
    ["nothing at all", [0, 0], [0, 0], "NoChange"],
  ])("%s", (_, before, after, result) => {
    expect(compare(before, after)?.result).toBe(result);
  });

  it("that repeat, below a second, are as fine as their digits", () => {
    const [before, after] = [0.181, 0.235].map((level) => [level, level, level + 0.001, level - 0.001]);
    expect(compare(before!, after!, { unit: "s" })?.result).toBe("Degradation");
  });

  it("say what may hide and what to do", () => {
    expect(compare([1.01], [1.12])?.note).toMatch(
      /^inconclusive: it may be worse by \d+ % \(95 % one-sided\); measure more repetitions, more commits/,
    );
  });

  it("of a noisy history need a greater change than those of a calm one", () => {
    const [before, after] = [
      [10.1, 10.2, 10.05],
      [11.6, 11.5, 11.7],
    ];
    const calm = [[10.15], [10.1], [10.2], [10.05]].map(([level]) => [level!, level! + 0.1, level! - 0.1]);
    const noisy = calm.map((values, at) => values.map((value) => value * (at % 2 === 0 ? 1.2 : 0.95)));
    expect(compare(before, after, { earlier: calm })?.result).toBe("Degradation");
    expect(compare(before, after, { earlier: noisy })?.result).toBe("Unknown");
  });

  it("of throughput are better when higher", () => {
    const calm = [100.5, 100.1, 100.3, 99.9, 100.2];
    expect(
      compare(
        calm,
        calm.map((value) => value * 1.5),
        { unit: "MB/s" },
      )?.result,
    ).toBe("Optimization");
    expect(
      compare(
        calm,
        calm.map((value) => value / 1.5),
        { unit: "MB/s" },
      )?.result,
    ).toBe("Degradation");
  });
});

describe("trials", () => {
  const random = seededRandom(21);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** Five repetitions with CV 2 %, one in twenty up to 10 % slower; levels of profiles scatter by `between`. */
  const profile = (factor: number, between: number): number[] => {
    const level = 50 * factor * Math.exp(between * normal());
    return Array.from({ length: 5 }, () => level * Math.exp(0.02 * normal() + (random() < 0.05 ? 0.1 * random() : 0)));
  };
  const results = (factor: number, between: number, earlier: number): (string | undefined)[] =>
    Array.from({ length: 300 }, () => {
      const history = Array.from({ length: earlier }, () => profile(1, between));
      return compare(profile(1, between), profile(factor, between), { earlier: history })?.result;
    });
  const share = (all: (string | undefined)[], wanted: string): number =>
    all.filter((result) => result === wanted).length / all.length;

  it.each([0, 1, 4, 9])("unchanged programs alarm twice in a hundred at most with %d earlier profiles", (earlier) => {
    for (const between of [0.005, 0.02, 0.04]) {
      const all = results(1, between, earlier);
      expect(share(all, "Degradation"), String(between)).toBeLessThanOrEqual(0.02);
      expect(share(all, "Optimization"), String(between)).toBeLessThanOrEqual(0.02);
    }
  });

  it.each([0, 1, 4, 9])("+20 percent on a quiet machine is found with %d earlier profiles", (earlier) => {
    expect(share(results(1.2, 0.005, earlier), "Degradation")).toBeGreaterThanOrEqual(0.95);
  });

  it("the error is controlled over all locations of a profile", () => {
    const locations = Array.from({ length: 100 }, (_, at) => `f${at}`);
    const run = (slow: string | null): Run =>
      amountsRun(Object.fromEntries(locations.map((name) => [name, profile(name === slow ? 1.5 : 1, 0.01)])));
    const alarms = (slow: string | null): string[] =>
      statistics
        .check(run(null), run(slow), new Map())
        .filter(({ result }) => result === "Degradation")
        .map(({ location }) => location);
    expect(Array.from({ length: 10 }, () => alarms(null)).flat()).toEqual([]);
    expect(alarms("f7")).toEqual(["f7"]);
  });
});

describe("sampled profiles", () => {
  const random = seededRandom(7);
  /** The number of events of a mean rate in one repetition (Knuth). */
  const events = (mean: number): number => {
    let [count, product] = [0, random()];
    for (const limit = Math.exp(-mean); product > limit; count++) product *= random();
    return count;
  };

  /** A profile of three repetitions: stacks of each function, sampled once per millisecond. */
  function sampled(costs: Readonly<Record<string, number>>): Run {
    const rows: { uid: string; amount: number; samples: number; order: number }[] = [];
    for (const [uid, cost] of Object.entries(costs))
      for (const order of [1, 2, 3])
        for (const share of [0.7, 0.3]) {
          const samples = events(cost * share);
          if (samples > 0) rows.push({ uid, amount: samples * 1000, samples, order });
        }
    return runOfRows(rows);
  }

  function runOfRows(rows: readonly { uid: string; amount: number; samples: number; order: number }[]): Run {
    const text = JSON.stringify({
      header: { type: "time", cmd: "c", workload: "", units: { time: "us" } },
      collector_info: { name: "node", params: {} },
      postprocessors: [],
      resources: rows.map((row) => ({ ...row, type: "time" })),
    });
    return decodeProfile(new TextEncoder().encode(text));
  }

  const even = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, 1 + at * 3]));
  const judged = (before: Run, after: Run): readonly Change[] =>
    statistics.check(before, after, new Map(), undefined, [before]);

  it("of one program differ by chance only", () => {
    let alarms = 0;
    for (let trial = 0; trial < 50; trial++)
      alarms += judged(sampled(even), sampled(even)).filter(({ result }) =>
        /gradation$|^Optimization$/.test(result),
      ).length;
    expect(alarms).toBeLessThanOrEqual(2);
  });

  it("show a function that became twice as expensive, also if its stacks split", () => {
    const found = judged(sampled(even), sampled({ ...even, f30: 182 }));
    expect(found.filter(({ result }) => result === "Degradation").map(({ location }) => location)).toEqual(["f30"]);
    const change = found.find(({ location }) => location === "f30")!;
    expect(change.evidence!.delta).toBeGreaterThan(0.7);
    expect(change.evidence!.delta).toBeLessThan(1.4);
  });

  it("say where samples are too few, and count the samples", () => {
    const few = { uid: "f", amount: 1000, samples: 1, order: 1 };
    const [change] = judged(runOfRows([few, { ...few, order: 2 }]), runOfRows([{ ...few, samples: 3, amount: 3000 }]));
    expect(change).toMatchObject({
      result: "Unknown",
      from: "1000.0us",
      to: "3000.0us",
      note: "inconclusive: 2 and 3 samples are too few",
      evidence: { values: [2, 3] },
    });
  });
});

describe("CPU time", () => {
  const wall = [0.21, 0.43, 0.25, 0.61, 0.33, 0.24, 0.52, 0.28, 0.4, 0.36];

  /** Wall clock with parts: user time has `user`, system time 20 ms. */
  function timed(real: readonly number[], user: readonly number[]): Run {
    const parts = { real, user, sys: user.map(() => 0.02) };
    return profileOf({
      type: "time",
      cmd: "./sort",
      workload: "",
      units: { time: "s" },
      collector: { name: "time", params: jsonObject({}) },
      subjects: Object.entries(parts).map(([subtype, values]) => ({
        properties: jsonObject({ uid: "./sort", type: "time", subtype }),
        columns: [{ name: "amount", type: "float", values: [...values] }],
      })),
    });
  }
  const cpu = wall.map((_, at) => 0.18 + 0.001 * (at % 3));
  const slower = cpu.map((value) => value * 1.3);

  it("is judged where wall time is undecided", () => {
    const changes = statistics.check(timed(wall, cpu), timed(wall.toReversed(), slower), new Map());
    expect(changes.map(({ result, metric }) => [result, metric])).toEqual([
      ["Unknown", "time"],
      ["Degradation", "cpu-time"],
    ]);
    // User and system time, in the order of the repetitions.
    expect(changes[1]).toMatchObject({ from: "0.201s", note: "judged, since wall time is undecided" });
  });

  it("is evidence of no change as well", () => {
    const before = timed(wall, cpu);
    const history = [before, ...[1, 2, 3, 4].map(() => timed(wall.toReversed(), cpu))];
    const changes = statistics.check(before, timed(wall.toReversed(), cpu), new Map(), undefined, history);
    expect(changes[1]).toMatchObject({ result: "NoChange", metric: "cpu-time" });
  });

  it("is not judged where wall time is decided", () => {
    const steady = wall.map((_, at) => 0.3 + 0.001 * (at % 4));
    const history = [1, 2, 3, 4].map(() => timed(steady, cpu));
    const changes = statistics.check(history[0]!, timed(steady, slower), new Map(), undefined, history);
    expect(changes.map(({ result }) => result)).toEqual(["NoChange"]);
  });
});

describe("rounds of one run", () => {
  const random = seededRandom(23);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

  /** Two commits measured in turns on a machine whose level wanders by 40 % and more, with runs of a CV of 2 %. */
  function measured(factor: number, starts: readonly [number, number], rounds = 10): [Run, Run] {
    const levels = Array.from({ length: rounds }, () => 50 * Math.exp(0.4 * normal()));
    const run = (own: number, start: number): Run => {
      const profile = amountsRun({ f: levels.map((level) => level * own * Math.exp(0.02 * normal())) });
      const session = jsonObject({ started: JsonNumber.integer(start) });
      return { ...profile, extra: new Map([...profile.extra, ["session", session]]) };
    };
    return [run(1, starts[0]), run(factor, starts[1])];
  }
  const results = (factor: number, ...more: [readonly [number, number], number?]): (string | undefined)[] =>
    Array.from({ length: 300 }, () => statistics.check(...measured(factor, ...more), new Map())[0]?.result);
  const count = (all: (string | undefined)[], ...wanted: string[]): number =>
    all.filter((result) => wanted.includes(result ?? "")).length;

  it("are judged in pairs, free of what the machine does to both", () => {
    expect(count(results(1.06, [7, 7]), "Degradation")).toBeGreaterThanOrEqual(260);
    expect(count(results(1, [7, 7]), "Degradation", "Optimization")).toBeLessThanOrEqual(6);
    expect(statistics.check(...measured(1.06, [7, 7]), new Map())[0]?.evidence).toMatchObject({ isPaired: true });
  });

  it("five are enough", () => {
    expect(count(results(1.1, [7, 7], 5), "Degradation")).toBeGreaterThanOrEqual(200);
    expect(count(results(1, [7, 7], 5), "Degradation", "Optimization")).toBeLessThanOrEqual(6);
    expect(count(results(1.1, [7, 7], 4), "Unknown")).toBeGreaterThanOrEqual(280);
  });

  it("of other runs are no pairs", () => {
    expect(count(results(1.06, [7, 8]), "Unknown")).toBeGreaterThanOrEqual(280);
  });
});
