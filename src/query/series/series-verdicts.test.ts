import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noises, plantedSeries } from "../../../test/series/planted.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { Direction, Series } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { ensemble, ensembleDefaults, ensembleLimit, ensembleShift } from "../../math/detectors/ensemble.ts";
import { seriesVerdicts, type SeriesOptions } from "./series-verdicts.ts";

const version = (at: number): VersionId => at.toString(16).padStart(40, "0") as VersionId;

function seriesOf(
  key: string,
  values: Iterable<number>,
  { better = "lower", machines = [] }: { better?: Direction; machines?: readonly (string | null)[] } = {},
): Series {
  const points = Array.from(values, (value, at) => ({
    version: version(at),
    machine: machines[at] ?? null,
    evidence: [`e${at}`],
    sample: Float64Array.of(value),
  }));
  return { subject: { source: "profile", key, benchmark: key, metric: "time", unit: parseUnit("s"), better }, points };
}

const options: SeriesOptions = {
  method: "ensemble",
  detect: (values) => ensemble(values, ensembleDefaults),
  detectable: ({ from: first, cut, to, values, noise }, quantiles) =>
    ensembleShift(
      cut - first,
      to - cut,
      noise,
      ensembleLimit(values.length, ensembleDefaults, (p, freedom) => quantiles.of(p, freedom)),
    ),
  isIn: null,
  minEffect: 0.01,
  falseDiscoveryRate: 0.05,
  allMachines: false,
  suspects: (before, after) => [...(before === null ? [] : [`after ${before}` as VersionId]), after],
};

const step = (seed: number, at: number, share: number, count = 60): Float64Array =>
  plantedSeries("gauss", seed, { count, spread: 0.01, changes: [{ from: at, to: at, share }] }).values;
const from = (first: number) => (id: VersionId | null) => id !== null && id >= version(first);

it("a change with which the exit status changes is inconclusive and unsettled", () => {
  const ofBenchmark = ({ points }: Series, metric: string): Series => {
    const facts = { source: "experiment", benchmark: "a", unit: undefined, better: "lower" } as const;
    return { points, subject: { ...facts, key: metric, metric } };
  };
  const times = ofBenchmark(seriesOf("a", step(5, 40, -0.5)), "time");
  const statuses = (after: number): Series => {
    return ofBenchmark(
      seriesOf(
        "a",
        Float64Array.from({ length: 60 }, (_, at) => (at < 40 ? 0 : after)),
      ),
      "exit_code",
    );
  };
  const failing = seriesVerdicts([times, statuses(1)], options);
  const verdict = failing.verdicts.find(({ subject }) => subject.metric === "time");
  expect(verdict).toMatchObject({ outcome: "inconclusive", doubt: "failed", since: { after: version(40) } });
  expect(verdict?.reason).toContain("exits with status 1, before with 0");
  expect(failing.unconfirmed).toBeGreaterThan(0);
  const fine = seriesVerdicts([times, statuses(0)], options);
  expect(fine.verdicts.find(({ subject }) => subject.metric === "time")?.outcome).toBe("better");
  expect(fine.unconfirmed).toBe(0);
});

describe("changes of a series", () => {
  it("become verdicts with both sides, the interval, and the versions between", () => {
    const { verdicts, counts, judged } = seriesVerdicts([seriesOf("a", step(5, 40, 0.1))], options);
    expect(verdicts).toHaveLength(1);
    const [verdict] = verdicts;
    expect(verdict).toMatchObject({
      outcome: "worse",
      test: "ensemble",
      reason: null,
      before: { n: 40 },
      after: { n: 20 },
    });
    expect(verdict?.delta).toBeCloseTo(0.1, 1);
    expect(verdict?.deltaLow).toBeLessThan(0.1);
    expect(verdict?.deltaHigh).toBeGreaterThan(0.1);
    expect(verdict?.detectable).toBeLessThan(0.03);
    expect(verdict?.since).toEqual({
      before: version(39),
      after: version(40),
      suspects: [`after ${version(39)}`, version(40)],
    });
    expect([judged, counts.worse]).toEqual([1, 1]);
  });

  it("do not fall by more than 100 %, unless values may be negative", () => {
    const noisy = Float64Array.of(1, 9, 0.2, 5, 0.5, 14, 0.3, 7, 2);
    const lowest = (values: Float64Array): number | null | undefined =>
      seriesVerdicts([seriesOf("a", values)], options).verdicts[0]?.deltaLow;
    expect(lowest(noisy)).toBe(-1);
    expect(lowest(noisy.map((value, at) => (at === 2 ? -value : value)))).toBeLessThan(-1);
  });

  it.each([
    ["lower", -0.1, "better"],
    ["lower", 0.1, "worse"],
    ["higher", 0.1, "better"],
    ["higher", -0.1, "worse"],
  ] as const)("where %s is better, %d is %s", (better, share, word) => {
    expect(seriesVerdicts([seriesOf("a", step(6, 30, share), { better })], options).verdicts[0]?.outcome).toBe(word);
  });

  it("are not excluded where noise hides them", () => {
    const noisy = Float64Array.from({ length: 12 }, (_, at) => 100 + ((at * 7) % 5) * 30);
    const [hidden] = seriesVerdicts([seriesOf("a", noisy)], options).verdicts;
    expect(hidden).toMatchObject({ outcome: "inconclusive", doubt: "noise", since: null });
    expect(hidden?.detectable).toBeGreaterThan(0.25);
    expect(hidden?.reason).toMatch(/^the noise hides changes of less than \d+ %: measure interleaved/);
    expect(seriesVerdicts([seriesOf("a", noisy)], { ...options, resolution: 5 }).verdicts[0]?.outcome).toBe("same");
  });

  it("count only inside the range; others are context", () => {
    const all = [seriesOf("a", step(7, 20, 0.2))];
    const outside = seriesVerdicts(all, { ...options, isIn: from(40) });
    expect(outside.verdicts).toMatchObject([{ outcome: "same", before: { n: 20 }, after: { n: 20 }, since: null }]);
    expect(seriesVerdicts(all, { ...options, isIn: from(20) }).counts.worse).toBe(1);
  });

  it("count from the least effect on", () => {
    const all = [seriesOf("a", step(8, 30, 0.05))];
    expect(seriesVerdicts(all, { ...options, minEffect: 0.03 }).counts.worse).toBe(1);
    expect(seriesVerdicts(all, { ...options, minEffect: 0.08 }).verdicts[0]).toMatchObject({
      outcome: "same",
      since: null,
    });
  });

  it("are subject to the false discovery rate over all series", () => {
    // Each has a change with a p that is expected by chance in this many series.
    const chance = (p: number): SeriesOptions => ({
      ...options,
      detect: () => [{ index: 30, before: 1, after: 2, p }],
    });
    const series = seriesOf("a", step(9, 30, 0.1));
    expect(seriesVerdicts([series], chance(0.04)).verdicts[0]).toMatchObject({ outcome: "worse", q: 0.04 });
    const quiet = Array.from({ length: 9 }, (_, at) => seriesOf(`q${at}`, step(at, 30, 0)));
    let calls = 0;
    const one: SeriesOptions = {
      ...options,
      detect: () => (calls++ === 0 ? [{ index: 30, before: 1, after: 2, p: 0.04 }] : []),
    };
    const found = seriesVerdicts([series, ...quiet], one).verdicts.find(({ subject }) => subject.key === "a");
    expect(found).toMatchObject({ outcome: "inconclusive", since: null });
    expect(found?.q).toBeCloseTo(0.4);
  });

  it("of methods without p are not", () => {
    const bare: SeriesOptions = { ...options, detect: () => [{ index: 30, before: 1, after: 2 }] };
    expect(seriesVerdicts([seriesOf("a", step(9, 30, 0.1))], bare).verdicts[0]).toMatchObject({
      outcome: "worse",
      p: null,
      q: null,
    });
  });
});

describe("reports what cannot be judged, never passes it", () => {
  it.each([
    [[1, 2, 3], null, "3 points, 6 are needed"],
    [[1], null, "1 point, 6 are needed"],
    [step(1, 30, 0), from(99), "nothing of the range was measured"],
    [
      step(1, 30, 0),
      from(0),
      "no baseline: nothing before the range was measured; " +
        "start the range after its first 3 points, or leave it out to judge all commits",
    ],
    [[1, 2, 3], from(0), "no baseline: nothing before the range was measured; measure commits before it"],
  ] as const)("%#", (values, isIn, reason) => {
    const { verdicts, judged, series } = seriesVerdicts([seriesOf("a", values)], { ...options, isIn });
    expect([judged, series]).toEqual([0, 1]);
    expect(verdicts).toMatchObject([
      { outcome: "inconclusive", reason, before: null, after: null, delta: null, since: null },
    ]);
  });
});

describe("the newest points", () => {
  const tail = (...values: number[]): Series => seriesOf("a", [...step(3, 99, 0, 40), ...values]);

  it.each([[[130]], [[130, 131]]])("%j stand out, but are too few", (values) => {
    const found = seriesVerdicts([tail(...values)], { ...options, isIn: from(40) });
    expect(found).toMatchObject({ unconfirmed: 1, judged: 1, counts: { inconclusive: 1, worse: 0 } });
    expect(found.verdicts[0]).toMatchObject({
      outcome: "inconclusive",
      before: { n: 40 },
      after: { n: values.length },
      since: { before: version(39) },
    });
    expect(found.verdicts[0]?.reason).toContain("measure again");
  });

  it("are a change once there are three", () => {
    expect(seriesVerdicts([tail(130, 131, 130)], { ...options, isIn: from(40) }).counts.worse).toBe(1);
  });

  it("are the same if unchanged, with the detectable change", () => {
    const found = seriesVerdicts([tail(100.5)], { ...options, isIn: from(40) });
    expect(found).toMatchObject({ unconfirmed: 0, counts: { same: 1 } });
    expect(found.verdicts[0]?.detectable).toBeGreaterThan(0.02);
    expect(found.verdicts[0]?.detectable).toBeLessThan(0.08);
  });

  it("do not count as unconfirmed if they look better", () => {
    expect(seriesVerdicts([tail(70)], { ...options, isIn: from(40) })).toMatchObject({
      unconfirmed: 0,
      counts: { inconclusive: 1 },
    });
  });
});

describe("machines", () => {
  const values = [...step(4, 99, 0, 30), ...step(15, 99, 0, 30).map((value) => value * 2)];
  const machines = values.map((_, at) => (at < 30 ? "old" : "new"));

  it("are not compared by default", () => {
    const all = [seriesOf("a", values, { machines })];
    const own = seriesVerdicts(all, options);
    expect(own.verdicts).toMatchObject([
      { outcome: "same", before: { n: 15 }, machine: "new" },
      { outcome: "same", before: { n: 15 }, machine: "old" },
    ]);
    expect(own.notes).toEqual([]);
    expect(seriesVerdicts(all, { ...options, allMachines: true })).toMatchObject({
      notes: ["compared across machines: 1 series"],
      counts: { worse: 1 },
    });
  });

  /** Points of an old machine, which is slower by a factor, and a new one in turns. */
  function inTurns(share: (machine: string) => number, { spread = 0.01, seed = 4, factor = 2 } = {}): Series {
    const changed = (machine: string): Float64Array =>
      plantedSeries("gauss", machine === "old" ? seed + 1000 : seed, {
        count: 12,
        spread,
        changes: [{ from: 6, to: 6, share: share(machine) }],
      }).values;
    const [recent, old] = [changed("new"), changed("old")];
    const points = [...recent].flatMap((value, at) => [factor * (old[at] as number), value]);
    return seriesOf("a", points, { machines: points.map((_, at) => (at % 2 === 0 ? "old" : "new")) });
  }

  it("that take turns are judged together, on the scale of the newest", () => {
    const { verdicts, judged } = seriesVerdicts([inTurns(() => 0.03)], options);
    expect(verdicts).toMatchObject([{ outcome: "worse", machine: "new", before: { n: 12 }, after: { n: 12 } }]);
    const [{ delta, scaled } = {}] = verdicts;
    expect(delta).toBeCloseTo(0.03, 2);
    expect(scaled).toEqual([{ machine: "old", factor: expect.closeTo(0.5, 2) as number }]);
    expect(judged).toBe(1);
  });

  it("that take turns show nothing if nothing changed", () => {
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    const called = seeds.filter((seed) => {
      const { verdicts } = seriesVerdicts([inTurns(() => 0, { seed })], options);
      return verdicts.some(({ outcome }) => outcome === "worse" || outcome === "better");
    });
    expect(called.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ["they disagree about a change", inTurns((machine) => (machine === "old" ? 0.2 : 0))],
    ["one is much noisier", { ...inTurns(() => 0), points: noisier(inTurns(() => 0)) }],
  ])("are judged one by one if %s", (_, series) => {
    const { verdicts } = seriesVerdicts([series], options);
    expect(verdicts.map(({ machine, scaled }) => [machine, scaled]).sort()).toEqual([
      ["new", undefined],
      ["old", undefined],
    ]);
  });

  it("are judged one by one if a change of machine coincides with a change", () => {
    const turns = (from: number) => Array.from({ length: 8 }, (_, at) => ((at + from) % 2 === 0 ? "old" : "new"));
    const order = [...turns(0), ...Array.from({ length: 20 }, () => "old"), ...Array.from({ length: 20 }, () => "new")];
    const levels = order.map((machine, at) => (machine === "old" ? 2 : 1) * (at < 28 ? 1 : 1.2));
    const noise = [...step(7, 99, 0, order.length)];
    const points = levels.map((level, at) => level * (noise[at] as number));
    const { verdicts } = seriesVerdicts([seriesOf("a", points, { machines: order })], options);
    expect(verdicts.map(({ machine }) => machine).sort()).toEqual(["new", "old"]);
  });

  function noisier({ points }: Series): Series["points"] {
    return points.map((point, at) =>
      point.machine === "old"
        ? { ...point, sample: point.sample.map((value) => value * (at % 4 === 0 ? 1.1 : 1)) }
        : point,
    );
  }

  describe("that follow each other are compared by a canary", () => {
    const machinesInOrder = Array.from({ length: 24 }, (_, at) => (at < 14 ? "old" : "new"));
    /** A benchmark that gains its own share by the new machine. */
    const onBoth = (key: string, seed: number, gain: number, share = 0): Series => {
      const noise = step(seed, 99, 0, machinesInOrder.length);
      const levels = machinesInOrder.map((machine) => (machine === "old" ? 100 : 50 * (1 + gain) * (1 + share)));
      return seriesOf(
        key,
        levels.map((level, at) => level * (noise[at] as number)),
        { machines: machinesInOrder },
      );
    };
    const others = (count: number): Series[] =>
      Array.from({ length: count }, (_, at) => onBoth(`other${at}`, 50 + at, 0.02 * (at % 3) - 0.02));
    const bridged = (all: readonly Series[]) => seriesVerdicts(all, { ...options, bridge: "canary" });
    const canary = onBoth("canary", 40, 0);

    it("with a verdict on what differs from all others", () => {
      const { verdicts, notes } = bridged([canary, ...others(7), onBoth("work", 60, 0, 0.3)]);
      const called = verdicts.filter(({ outcome }) => outcome === "worse" || outcome === "better");
      expect(called).toMatchObject([{ subject: { key: "work" }, outcome: "worse", machine: "new" }]);
      const [{ delta, scaled } = {}] = called;
      expect(delta).toBeCloseTo(0.3, 1);
      expect(scaled).toEqual([{ machine: "old", factor: expect.closeTo(0.5, 2) as number, bridge: "canary" }]);
      expect(notes).toContain("on the scale of the newest machine, by canary: 9 series");
    });

    it("without one if there are few others, or none can be compared", () => {
      const { verdicts } = bridged([canary, onBoth("work", 60, 0, 0.3)]);
      expect(verdicts.find(({ subject }) => subject.key === "work")).toMatchObject({
        outcome: "inconclusive",
        doubt: "bridged",
      });
      const without = bridged([onBoth("work", 60, 0, 0.3)]);
      expect(without.notes).toContain("no series of canary: machines are not bridged");
      expect(without.verdicts.map(({ outcome }) => outcome)).toEqual(["same", "same"]);
    });
  });

  it("with too few points are omitted", () => {
    const machinesOf = (at: number): string => (at < 20 && at % 4 === 0 ? "rare" : "new");
    const points = Array.from(step(4, 45, 0.1), (value, at) => (machinesOf(at) === "rare" ? 7 : value));
    const { verdicts, notes } = seriesVerdicts(
      [seriesOf("a", points, { machines: points.map((_, at) => machinesOf(at)) })],
      options,
    );
    expect(verdicts).toMatchObject([{ outcome: "worse" }]);
    expect(notes).toEqual([
      expect.stringContaining("omitted unless machines are compared: 5 points of other machines"),
    ]);
  });

  it("that are unknown are compared with the newest known one, and reported", () => {
    const all = [seriesOf("a", values, { machines: Array.from(values, (_, at) => (at < 30 ? null : "new")) })];
    expect(seriesVerdicts(all, options)).toMatchObject({
      counts: { worse: 1 },
      notes: ["compared despite an unknown machine: 30 points"],
    });
    const newest = [
      seriesOf("a", values, { machines: Array.from(values, (_, at) => (at < 30 ? "old" : at < 59 ? "new" : null)) }),
    ];
    expect(seriesVerdicts(newest, options)).toMatchObject({
      counts: { worse: 0, same: 2 },
      notes: ["compared despite an unknown machine: 1 point"],
    });
    const unknown = [seriesOf("a", values)];
    expect(seriesVerdicts(unknown, options)).toMatchObject({ counts: { worse: 1 }, notes: [] });
  });
});

it("has false positives in at most one of forty series without a change, whatever the noise", () => {
  for (const noise of Object.keys(noises) as (keyof typeof noises)[]) {
    const all = Array.from({ length: 280 }, (_, at) =>
      seriesOf(`${at}`, plantedSeries(noise, 70_000 + at, { count: 90 }).values),
    );
    const alarmed = seriesVerdicts(all, options).verdicts.filter(
      ({ outcome: word }) => word === "worse" || word === "better",
    );
    expect(new Set(alarmed.map(({ subject }) => subject.key)).size, noise).toBeLessThanOrEqual(7);
  }
}, 60_000);

it("has a verdict for each series, sorted by importance", () => {
  const all = [
    seriesOf("same", step(1, 30, 0)),
    seriesOf("small", step(2, 30, 0.1)),
    seriesOf("great", step(3, 30, 0.4)),
    seriesOf("good", step(4, 30, -0.3)),
  ];
  const found = seriesVerdicts(all, options);
  expect(found.verdicts.map(({ subject, outcome: word }) => `${subject.key} ${word}`)).toEqual([
    "great worse",
    "small worse",
    "good better",
    "same same",
  ]);
});

it("supports arbitrary numbers", () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
    fc.constantFrom(0, 1, 1, 5),
  );
  const property = fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), fc.nat(45), (values, first) => {
    const { verdicts, series, counts } = seriesVerdicts([seriesOf("a", values)], { ...options, isIn: from(first) });
    expect(series).toBe(1);
    expect(counts.worse + counts.better + counts.same + counts.inconclusive).toBe(verdicts.length);
    for (const { delta, p, q } of verdicts) {
      expect(delta === null || Number.isFinite(delta)).toBe(true);
      for (const share of [p, q]) expect(share === null || (share >= 0 && share <= 1)).toBe(true);
    }
  });
  fc.assert(property, { seed: 6, numRuns: 300 });
});

describe("growth", () => {
  const grown = (before: string, after: string, step: number): Series => {
    const values = Array.from({ length: 20 }, (_, at) => (at < 10 ? 1 : 1 + step) + ((at * 7) % 5) / 1000);
    const made = seriesOf("f", values);
    const growth = (exponent: number, name: string) => [
      { name, exponent, low: exponent - 0.01, high: exponent + 0.01, rSquared: 0.99 },
    ];
    const points = made.points.map((point, at) => ({
      ...point,
      growth: growth(values[at] as number, at < 10 ? before : after),
    }));
    return { subject: { ...made.subject, metric: "growth" }, points };
  };

  it("is worse in a faster class, with both models", () => {
    const [verdict] = seriesVerdicts([grown("n", "n log n", 0.15)], options).verdicts;
    expect(verdict).toMatchObject({
      outcome: "worse",
      growth: { before: { name: "n", rSquared: 0.99 }, after: { name: "n log n" } },
    });
    expect(verdict?.growth?.after.exponent).toBeCloseTo(1.15, 2);
    expect(verdict?.since?.after).toBe(version(10));
  });

  it("is better in a slower class", () => {
    expect(seriesVerdicts([grown("n^2", "n log n", -0.3)], options).verdicts[0]?.outcome).toBe("better");
  });

  it("is the same if only the exponent changed", () => {
    expect(seriesVerdicts([grown("n", "n", 0.05)], options).verdicts[0]).toMatchObject({
      outcome: "same",
      reason: "the class of growth is the same",
    });
  });
});
