import { describe, expect, it } from "vitest";
import { cpuTimeMetric, type Disturbance, type Series } from "../../core/measurements/series.ts";
import type { Run } from "../../core/profiles/run.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { JsonNumber, jsonObject, type Json } from "../../core/values/json.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { clockRateOf, disturbanceOf } from "./disturbance.ts";
import { seriesVerdicts } from "./series-verdicts.ts";
import { seriesOptions } from "../../../test/series/series-options.ts";

const busy: Disturbance = { kind: "load", text: "load 5.2 on 2 processors" };

/** A metric of a benchmark, by the level at each point; `disturbances` by point. */
function seriesOf(
  metric: string,
  levelAt: (at: number) => number,
  disturbanceAt: (at: number) => Disturbance | undefined = () => undefined,
  clockAt: (at: number) => number | undefined = () => undefined,
): Series {
  const random = seededRandom(17);
  const points = Array.from({ length: 30 }, (_, at) => {
    const [disturbance, clock] = [disturbanceAt(at), clockAt(at)];
    return {
      version: at.toString(16).padStart(40, "0") as VersionId,
      machine: null,
      evidence: ["measured"],
      sample: Float64Array.of(levelAt(at) * (1 + 0.01 * (random() - 0.5))),
      ...(disturbance === undefined ? {} : { disturbance }),
      ...(clock === undefined ? {} : { clock }),
    };
  });
  const [key, benchmark] = [`p ${metric}`, "p"];
  return { subject: { source: "profile", key, benchmark, metric, unit: parseUnit("s"), better: "lower" }, points };
}

const step = (at: number): number => (at < 15 ? 1 : 1.2);
const flat = (): number => 1;
const late = (at: number): Disturbance | undefined => (at < 15 ? undefined : busy);
const timeOf = (...all: Series[]) => {
  const { verdicts, notes } = seriesVerdicts(all, seriesOptions);
  return { verdict: verdicts.find(({ subject }) => subject.metric === "time"), notes };
};

describe("a slower level that was measured under load", () => {
  it("is the machine's, with the evidence", () => {
    const { verdict } = timeOf(seriesOf("time", step, late));
    expect(verdict).toMatchObject({ outcome: "inconclusive", doubt: "load", disturbed: { before: 0, after: 15 } });
    expect(verdict?.reason).toContain("0 of 15 points before and 15 of 15 after disturbed (load 5.2 on 2 processors)");
    expect(verdict?.deltaLow).toBeLessThanOrEqual(0);
  });

  it("is the machine's if the CPU time is unchanged, and the program's if it changed alike", () => {
    const unchanged = timeOf(seriesOf("time", step, late), seriesOf(cpuTimeMetric, flat, late)).verdict;
    expect(unchanged).toMatchObject({ outcome: "inconclusive", doubt: "load" });
    expect(unchanged?.reason).toMatch(/time follows the load of the machine: .*; cpu-time changed by [+-]?[\d.]+ %/);
    const changed = timeOf(seriesOf("time", step, late), seriesOf(cpuTimeMetric, step, late)).verdict;
    expect(changed?.outcome).toBe("worse");
  });

  it("is the program's if the undisturbed points show it", () => {
    const some = (at: number): Disturbance | undefined => (at >= 15 && at % 2 === 0 ? busy : undefined);
    expect(timeOf(seriesOf("time", step, some)).verdict?.outcome).toBe("worse");
  });

  it("is the program's if the machine was idle after and busy before, or busy all the time", () => {
    const early = (at: number): Disturbance | undefined => (at < 15 ? busy : undefined);
    expect(timeOf(seriesOf("time", step, early)).verdict?.outcome).toBe("worse");
    expect(timeOf(seriesOf("time", step, () => busy)).verdict?.outcome).toBe("worse");
  });

  it("does not concern metrics that no load affects", () => {
    expect(timeOf(seriesOf("time", flat), seriesOf(cpuTimeMetric, step, late)).verdict?.outcome).toBe("same");
    const { verdicts } = seriesVerdicts([seriesOf(cpuTimeMetric, step, late)], seriesOptions);
    expect(verdicts[0]?.outcome).toBe("worse");
    const hot = (at: number): Disturbance | undefined => (at < 15 ? undefined : { kind: "heat", text: "throttled" });
    expect(seriesVerdicts([seriesOf(cpuTimeMetric, step, hot)], seriesOptions).verdicts[0]?.doubt).toBe("load");
  });
});

describe("a slower level that was measured at a low clock rate", () => {
  const slowed = (at: number): number => (at < 15 ? 3400 : 2900);
  const at = (levelAt: typeof step, clockAt: (at: number) => number | undefined, metric = "time") =>
    seriesVerdicts([seriesOf(metric, levelAt, undefined, clockAt)], seriesOptions);

  it("is the machine's, in CPU time as well", () => {
    for (const metric of ["time", cpuTimeMetric]) {
      const { verdicts } = at(step, slowed, metric);
      expect(verdicts[0]).toMatchObject({
        outcome: "inconclusive",
        doubt: "load",
        disturbed: { before: 0, after: 15 },
      });
      expect(verdicts[0]?.reason).toContain("(clock rate 2.9 GHz, usually 3.4 GHz)");
    }
  });

  it("is the program's if the clock rate explains less than half, is steady, or is unknown", () => {
    expect(at((i) => (i < 15 ? 1 : 1.6), slowed).verdicts[0]?.outcome).toBe("worse");
    expect(at(step, (i) => (i % 2 === 0 ? 3400 : 3300)).verdicts[0]?.outcome).toBe("worse");
    expect(at(step, () => undefined).verdicts[0]?.outcome).toBe("worse");
    expect(at(step, (i) => (i < 15 ? 2900 : 3400)).verdicts[0]?.outcome).toBe("worse");
  });

  it("is left out if few points have it, by their machine's own rate", () => {
    const { notes } = at(
      (i) => (i % 6 === 3 ? 1.3 : 1),
      (i) => (i % 6 === 3 ? 2600 : 3400),
    );
    expect(notes).toContain("omitted: 5 points measured under load, with stolen time, throttling or a low clock rate");
  });
});

it("leaves out few disturbed points, with a note", () => {
  const rare = (at: number): Disturbance | undefined => (at % 6 === 3 ? busy : undefined);
  const slow = (at: number): number => (at % 6 === 3 ? 1.6 : 1);
  const { verdict, notes } = timeOf(seriesOf("time", slow, rare));
  expect(verdict).toMatchObject({ outcome: "same", before: { n: 13 }, after: { n: 12 } });
  expect(notes).toContain("omitted: 5 points measured under load, with stolen time, throttling or a low clock rate");
  const all = timeOf(seriesOf("time", slow)).verdict;
  expect((all?.deltaHigh ?? 0) - (all?.deltaLow ?? 0)).toBeGreaterThan(
    (verdict?.deltaHigh ?? 0) - (verdict?.deltaLow ?? 0),
  );
});

it("keeps disturbed points if the range has no others", () => {
  const last = "1d".padStart(40, "0") as VersionId;
  const newest = seriesOf(
    "time",
    (at) => (at === 29 ? 1.5 : 1),
    (at) => (at === 29 ? busy : undefined),
  );
  const { verdicts } = seriesVerdicts([newest], { ...seriesOptions, isIn: (version) => version === last });
  expect(verdicts[0]).toMatchObject({ outcome: "inconclusive" });
  expect(verdicts[0]?.reason).toContain("the machine was disturbed: load 5.2 on 2 processors");
});

describe("the disturbance of a profile", () => {
  const runOf = (noise: Record<string, Json>, processors = 2): Run => ({
    fixed: new Map(),
    data: { variables: [], columns: [], length: 0 },
    models: [],
    steps: [],
    machine: jsonObject({ cpu: jsonObject({ total: JsonNumber.integer(processors) }) }),
    extra: jsonObject({ noise: jsonObject(noise) }),
  });
  const [quiet, loud] = [JsonNumber.float(0.001), JsonNumber.float(0.05)];

  it.each<[Record<string, Json>, string | undefined]>([
    [{ load: JsonNumber.float(2), stolen: quiet, throttled: JsonNumber.integer(0) }, undefined],
    [{ load: null, stolen: null, throttled: null }, undefined],
    [{}, undefined],
    [{ load: JsonNumber.float(5.2) }, "load 5.2 on 2 processors"],
    [{ load: JsonNumber.float(5.2), stolen: loud }, "5 % of processor time stolen"],
    [{ stolen: loud, throttled: JsonNumber.integer(1) }, "throttled by heat 1 time"],
  ])("%#", (noise, text) => {
    expect(disturbanceOf(runOf(noise))?.text).toBe(text);
  });

  it("is unknown without the number of processors", () => {
    const { machine: _, ...run } = runOf({ load: JsonNumber.float(9) });
    expect(disturbanceOf(run)).toBeNull();
  });

  it("has the clock rate, if it is known", () => {
    expect(clockRateOf(runOf({ fastest: JsonNumber.float(3400.5) }))).toBe(3400.5);
    expect(clockRateOf(runOf({ fastest: JsonNumber.float(0) }))).toBeNull();
    expect(clockRateOf(runOf({ fastest: null }))).toBeNull();
  });
});
