import { describe, expect, test } from "vitest";
import { instructions } from "../../../test/series/instructions.ts";
import type { Series, SeriesPoint } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { ensemble, ensembleDefaults } from "../../math/detectors/ensemble.ts";
import { seriesVerdicts } from "./series-verdicts.ts";

/** Verdicts on points with these runs, in the order of the points; `range`: the points that count. */
function judged(points: readonly (readonly number[])[], range?: readonly string[], subject = instructions): Verdict[] {
  const series: Series = {
    subject,
    points: points.map((runs, at): SeriesPoint => ({
      version: `v${at}` as VersionId,
      evidence: [`p${at}`],
      machine: "m",
      sample: Float64Array.from(runs),
    })),
  };
  const { verdicts } = seriesVerdicts([series], {
    method: "ensemble",
    detect: (values) => ensemble(values, ensembleDefaults),
    isIn: range === undefined ? null : (version) => range.includes(version ?? ""),
    minEffect: 0.01,
    falseDiscoveryRate: 0.05,
    allMachines: false,
    suspects: (_, after) => [after],
  });
  return [...verdicts].sort((a, b) => Number(a.since?.after.slice(1) ?? 0) - Number(b.since?.after.slice(1) ?? 0));
}

const briefly = (verdicts: Verdict[]): unknown[] =>
  verdicts.map(({ outcome, since, delta }) => [outcome, since?.after ?? null, Number((delta ?? NaN).toFixed(3))]);

/** Instructions of nine releases of a library, by callgrind: three times nothing changed. */
const releases = [88615892, 112957550, 116696817, 94424526, 94424526, 82786482, 82786482, 82786482, 85579055];

const changes = [
  ["worse", "v1", 0.275],
  ["worse", "v2", 0.033],
  ["better", "v3", -0.191],
  ["better", "v5", -0.123],
  ["worse", "v8", 0.034],
];

describe("counts that repeat need no levels of several points", () => {
  test.each([
    ["two runs a point", releases.map((count) => [count, count])],
    ["two runs that differ by a few events", releases.map((count, at) => [count + (at % 3), count])],
    ["one run a point, of which some agree", releases.map((count) => [count])],
  ])("%s", (_, points) => {
    const verdicts = judged(points);
    expect(briefly(verdicts)).toEqual(changes);
    for (const { deltaLow, deltaHigh, delta, test: name, q } of verdicts)
      expect([deltaLow, deltaHigh, name, q]).toEqual([delta, delta, "exact", 0]);
  });

  test("only changes of the range are reported, a later one after an unchanged level too", () => {
    const points = releases.map((count) => [count, count]);
    expect(briefly(judged(points, ["v6", "v7", "v8"]))).toEqual([["worse", "v8", 0.034]]);
    expect(briefly(judged(points.slice(0, 8), ["v6", "v7"]))).toEqual([["same", null, 0]]);
  });

  test("two points are enough, one is not", () => {
    const pair = [
      [88615892, 88615892],
      [97115892, 97115892],
    ];
    expect(briefly(judged(pair))).toEqual([["worse", "v1", 0.096]]);
    expect(judged(pair.slice(0, 1))).toMatchObject([{ outcome: "inconclusive" }]);
  });

  test("small steps add up to a change", () => {
    const creeping = [0, 0.006, 0.006, 0.012, 0.012].map((share) => Math.round(88615892 * (1 + share)));
    expect(briefly(judged(creeping.map((count) => [count, count])))).toEqual([["worse", "v3", 0.012]]);
  });
});

describe("other numbers are judged by their noise", () => {
  test.each([
    ["runs of a point differ", releases.map((count) => [count, count + 5000])],
    ["no two points agree, with one run each", releases.map((count, at) => [count + at * 2000])],
    [
      "most points differ a little",
      [3, 1, 4, 1.5, 9, 2.6].map((part) => Array(2).fill(88615892 + Math.round(part * 1e4))),
    ],
    ["small numbers", releases.map((_, at) => [at % 2 === 0 ? 12 : 14, at % 2 === 0 ? 12 : 14])],
  ])("%s", (_, points) => {
    for (const verdict of judged(points)) expect(verdict.test).not.toBe("exact");
  });

  test("pages of memory, which repeat by rounding", () => {
    const memory = { ...instructions, metric: "peak-memory", unit: parseUnit("Byte") };
    const pages = [470, 470, 481, 470, 474, 474, 470, 481].map((count) => [count * 4096, count * 4096]);
    for (const verdict of judged(pages, undefined, memory)) expect(verdict.test).not.toBe("exact");
  });
});
