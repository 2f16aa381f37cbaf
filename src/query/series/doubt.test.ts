import { describe, expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { seriesVerdicts } from "./series-verdicts.ts";
import { seriesOptions } from "../../../test/series/series-options.ts";

const runs = 6;
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The level of a run, by point and number of the run. */
type Level = (at: number, run: number, random: () => number) => number;

function seriesOf(key: string, levelOf: Level, seed = 1, count = 36) {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1));
  const points = Array.from({ length: count }, (_, at) => ({
    version: at.toString(16).padStart(40, "0") as VersionId,
    machine: null,
    evidence: ["measured"],
    sample: Float64Array.from({ length: runs }, (__, run) => levelOf(at, run, random) * (1 + 0.005 * normal(random))),
  }));
  const subject = { source: "profile", key, benchmark: key, metric: "time", unit: parseUnit("s") } as const;
  return { subject: { ...subject, better: "lower" as const }, points };
}

const judged = (levelOf: Level): readonly Verdict[] => seriesVerdicts([seriesOf("a", levelOf)], seriesOptions).verdicts;

describe("a change is not attributed to the code", () => {
  it.each<[Verdict["doubt"], Level]>([
    ["modes", (at, _, random) => (random() < (at < 18 ? 0.1 : 0.85) ? 130 : 100)],
    ["straddled", (at, run) => (at > 18 || (at === 18 && run >= 3) ? 120 : 100)],
    ["scatter", (at, _, random) => (at < 18 ? 100 : 140 * (1 + 0.12 * normal(random)))],
    ["fastest", (at, run) => (run < 2 ? 95 : 100 + 2 * run + (at < 18 ? 0 : 12))],
    ["returned", (at) => (at >= 12 && at < 20 ? 120 : 100)],
  ])("%s", (doubt, levelOf) => {
    const found = judged(levelOf);
    expect(found.map((verdict) => verdict.outcome)).not.toContain("worse");
    expect(found.map((verdict) => verdict.doubt)).toContain(doubt);
    const verdict = found.find((each) => each.doubt === doubt);
    expect(verdict?.deltaLow).toBeLessThanOrEqual(0);
    expect(verdict?.deltaHigh).toBeGreaterThanOrEqual(0);
    expect(verdict?.reason).toContain("run ab");
  });

  it("if the level moves as much within the levels", () => {
    const waves = judged((at) => (at < 26 ? 100 + 25 * Math.sin(at / 2.5) : 140));
    expect(waves.every(({ outcome }) => outcome === "inconclusive" || outcome === "same")).toBe(true);
  });

  it("if it is a drift, which has its rate and no commit", () => {
    const [verdict, ...others] = judged((at) => 100 * (1 + 0.004 * at));
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ outcome: "inconclusive", doubt: "drift", since: null });
    expect(verdict?.drift?.low).toBeLessThan(0.004);
    expect(verdict?.drift?.high).toBeGreaterThan(0.0038);
  });
});

describe("a change is attributed to the code", () => {
  it("if the level is steady on both sides, at the point where all runs change", () => {
    // Two disturbed points before the change.
    const [verdict] = judged((at, run) => (at >= 18 ? 120 : (at === 16 || at === 17) && run > 1 ? 112 : 100));
    expect(verdict).toMatchObject({ outcome: "worse", since: { after: "12".padStart(40, "0") } });
    expect(verdict?.doubt).toBeUndefined();
  });

  it("even back and forth, for numbers that repeat exactly", () => {
    const points = seriesOf("a", () => 1).points.map((point, at) => ({
      ...point,
      sample: new Float64Array(3).fill(at >= 12 && at < 24 ? 1020 : 1000),
    }));
    const { subject } = seriesOf("a", () => 1);
    const { verdicts } = seriesVerdicts([{ subject: { ...subject, unit: undefined }, points }], seriesOptions);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["worse", "better"]);
  });
});

it("reports times below the resolution of the clock", () => {
  const [verdict] = judged((at, run) => ((at * runs + run) % 7 === 0 ? 0.01 : 0));
  expect(verdict).toMatchObject({
    outcome: "inconclusive",
    delta: null,
    reason: expect.stringContaining("resolution"),
  });
});

describe("a suite", () => {
  const suite = (levelOf: (series: number) => Level, count = 10) =>
    seriesVerdicts(
      Array.from({ length: count }, (_, at) => seriesOf(`${at}`, levelOf(at), at + 1)),
      seriesOptions,
    );

  it("gets what most of its series share removed, and the change of one remains", () => {
    const session = (at: number): number => (Math.floor(at / 5) % 2 === 0 ? 1 : 1.4);
    const found = suite((series) => (at) => 100 * session(at) * (series === 3 && at >= 17 ? 1.1 : 1));
    const called = found.verdicts.filter(({ outcome }) => outcome === "worse" || outcome === "better");
    expect(called).toMatchObject([{ subject: { key: "3" }, outcome: "worse" }]);
    expect(called[0]?.delta).toBeCloseTo(0.1, 2);
    expect(found.notes).toEqual(["removed from 10 of 10 series of time: what they share"]);
  });

  it("gets the level of a canary removed, with which two series suffice", () => {
    const session = (at: number): number => (at < 12 ? 1 : 1.3);
    const series = [
      seriesOf("canary", (at) => 50 * session(at), 1),
      seriesOf("work", (at) => 100 * session(at) * (at < 25 ? 1 : 1.1), 2),
    ];
    const plain = seriesVerdicts(series, seriesOptions).verdicts.filter(({ subject }) => subject.key === "work");
    expect(plain).toHaveLength(2);
    const { verdicts, notes } = seriesVerdicts(series, { ...seriesOptions, canary: "canary" });
    const own = verdicts.filter(({ subject }) => subject.key === "work");
    expect(own).toMatchObject([{ outcome: "worse", since: { after: "19".padStart(40, "0") } }]);
    expect(own[0]?.delta).toBeCloseTo(0.1, 2);
    expect(notes).toEqual(["removed from 1 of 2 series of time: the canary's level"]);
    expect(seriesVerdicts(series, { ...seriesOptions, canary: "none" }).notes).toEqual([
      "no usable series of the canary none: its level is not removed",
    ]);
  });

  it("reports a change of all series as shared, without blame", () => {
    const { verdicts, unconfirmed } = suite((series) => (at) => (series + 1) * (at < 18 ? 100 : 110));
    expect(unconfirmed).toBe(10);
    for (const verdict of verdicts)
      expect(verdict).toMatchObject({ outcome: "inconclusive", doubt: "shared", shared: { series: 10, of: 10 } });
  });

  it("doubts a single change where others change as much by themselves", () => {
    const episodes = (series: number): Level => {
      const from = 5 + series;
      return (at) => (at >= from && at < from + 8 ? 120 : 100);
    };
    const { verdicts } = suite((series) => (series === 0 ? (at) => (at < 18 ? 100 : 115) : episodes(series)));
    expect(verdicts.find(({ subject }) => subject.key === "0")).toMatchObject({
      outcome: "inconclusive",
      doubt: "suite",
    });
  });
});
