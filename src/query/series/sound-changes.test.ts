import { expect, it } from "vitest";
import { parseUnit } from "../../core/values/unit.ts";
import type { SeriesPoint } from "../../core/measurements/series.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { seriesVerdicts } from "./series-verdicts.ts";
import { seriesOptions } from "../../../test/series/series-options.ts";

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const version = (at: number): SeriesPoint["version"] => at.toString(16).padStart(40, "0") as SeriesPoint["version"];

/** Verdicts of a series of six runs of CV 1 % at each point. `levelAt`: the level; `machineAt`: the machine. */
function verdictsOf(
  seed: number,
  count: number,
  levelAt: (at: number, random: () => number) => number,
  machineAt: (at: number) => string | null = () => null,
): readonly Verdict[] {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  const points = Array.from({ length: count }, (_, at): SeriesPoint => {
    const level = levelAt(at, random);
    const sample = Float64Array.from({ length: 6 }, () => level * (1 + 0.01 * normal(random)));
    return { version: version(at), machine: machineAt(at), evidence: [], sample };
  });
  const subject = {
    source: "profile",
    key: "a",
    benchmark: "a",
    metric: "time",
    unit: parseUnit("s"),
    better: "lower",
  };
  const series = [{ subject: subject as Verdict["subject"], points }];
  return seriesVerdicts(series, { ...seriesOptions, suspects: () => [] }).verdicts;
}

const isWorse = ({ outcome }: Verdict): boolean => outcome === "worse";

const shareOf = (count: number, isHit: (seed: number) => boolean): number =>
  Array.from({ length: count }, (_, seed) => isHit(seed)).filter(Boolean).length / count;

it("few points that hosts in turn share are enough for a step of 3 %", () => {
  const hosts = (seed: number): readonly Verdict[] =>
    verdictsOf(
      seed,
      20,
      (at, random) => 100 * (1 + 0.3 * (at % 2)) * (at < 10 ? 1 : 1.03) * (1 + 0.003 * normal(random)),
      (at) => `cpu=model ${at % 2}; os=linux`,
    );
  expect(shareOf(400, (seed) => hosts(seed).some(isWorse))).toBeGreaterThan(0.9);
});

it("the intervals of steps of a level that walks cover the step, not what the whole levels differ by", () => {
  const found = Array.from({ length: 150 }, (_, seed) => {
    let walk = 1;
    return verdictsOf(seed, 36, (at, random) => (walk *= 1 + 0.01 * normal(random)) * (at < 18 ? 100 : 120));
  }).flatMap((verdicts) => verdicts.filter(isWorse));
  expect(found.length).toBeGreaterThan(120);
  const covered = found.filter(({ deltaLow, deltaHigh }) => deltaLow! <= 0.2 && 0.2 <= deltaHigh!);
  expect(covered.length / found.length).toBeGreaterThan(0.9);
});

it("hosts whose levels walk, each on its own, are hardly ever a change", () => {
  const isCalled = (seed: number): boolean => {
    const levels = [100, 130];
    return verdictsOf(
      seed,
      30,
      (at, random) => (levels[at % 2] = levels[at % 2]! * (1 + 0.01 * normal(random))),
      (at) => `cpu=model ${at % 2}; os=linux`,
    ).some(({ outcome }) => outcome === "worse" || outcome === "better");
  };
  expect(shareOf(300, isCalled)).toBeLessThanOrEqual(0.03);
});
