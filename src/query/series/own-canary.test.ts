import { describe, expect, it } from "vitest";
import type { Series, SeriesPoint } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { seededRandom } from "../../math/sampling/seeded-random.ts";
import { seriesVerdicts } from "./series-verdicts.ts";
import { seriesOptions } from "../../../test/series/series-options.ts";

/** A program of the given cost on a machine of the given slowness, with the canary if `isTimed`. */
function seriesOf(
  costAt: (at: number) => number,
  slownessAt: (at: number) => number,
  isTimed = true,
  machineAt: (at: number) => string | null = () => null,
): Series {
  const random = seededRandom(5);
  const noise = (): number => 1 + 0.01 * (random() + random() - 1);
  const points = Array.from({ length: 30 }, (_, at): SeriesPoint => {
    const canary = 0.004 * slownessAt(at) * noise();
    return {
      version: at.toString(16).padStart(40, "0") as VersionId,
      machine: machineAt(at),
      evidence: ["measured"],
      sample: Float64Array.of(costAt(at) * slownessAt(at) * noise()),
      ...(isTimed ? { canary } : {}),
    };
  });
  const subject = { source: "profile", key: "p", benchmark: "p", metric: "time", better: "lower" } as const;
  return { subject: { ...subject, unit: parseUnit("s") }, points };
}

const flat = (): number => 1;
const slower = (at: number): number => (at < 15 ? 1 : 1.3);
const restless = (at: number): number => 1 + 0.3 * Math.sin(at * at);

describe("the canary that was measured next to a profile", () => {
  it("takes a change of the machine away", () => {
    expect(seriesVerdicts([seriesOf(flat, slower, false)], seriesOptions).verdicts[0]?.outcome).toBe("worse");
    const { verdicts, notes } = seriesVerdicts([seriesOf(flat, slower)], seriesOptions);
    expect(verdicts[0]?.outcome).toBe("same");
    expect(notes).toContain("removed from 1 of 1 series of time: the canary's level");
  });

  it("leaves a change of the code, and shows it where the machine is restless", () => {
    expect(seriesVerdicts([seriesOf(slower, restless, false)], seriesOptions).verdicts[0]?.outcome).not.toBe("worse");
    const { verdicts } = seriesVerdicts([seriesOf(slower, restless)], seriesOptions);
    expect(verdicts[0]).toMatchObject({ outcome: "worse" });
    expect(verdicts[0]?.delta).toBeCloseTo(0.3, 1);
  });

  it("does nothing if the machine is steady, or a point has none", () => {
    expect(seriesVerdicts([seriesOf(slower, flat)], seriesOptions).notes).toEqual([]);
    const { subject, points } = seriesOf(flat, slower);
    const some = points.map(({ canary, ...point }, at) =>
      at === 3 || canary === undefined ? point : { ...point, canary },
    );
    expect(seriesVerdicts([{ subject, points: some }], seriesOptions).notes).toEqual([]);
  });

  it("bridges machines without a named benchmark", () => {
    const series = seriesOf(flat, slower, true, (at) => (at < 15 ? "a" : "b"));
    const { verdicts, notes } = seriesVerdicts([series], { ...seriesOptions, bridge: null });
    expect(notes).toContain("on the scale of the newest machine, by the canary: 1 series");
    expect(verdicts[0]).toMatchObject({ outcome: "same", scaled: [{ machine: "a", bridge: "the canary" }] });
    const without = seriesOf(flat, slower, false, (at) => (at < 15 ? "a" : "b"));
    expect(seriesVerdicts([without], { ...seriesOptions, bridge: null }).notes).toContain(
      "no series of the canary: machines are not bridged",
    );
  });
});
