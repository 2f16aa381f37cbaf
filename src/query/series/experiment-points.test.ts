import { describe, expect, it } from "vitest";
import type { VersionId } from "../../core/digest.ts";
import { tableOf } from "../../core/table-builder.ts";
import { parseUnit } from "../../core/unit.ts";
import type { Variable } from "../../core/variable.ts";
import { addExperiment } from "./experiment-points.ts";
import { SeriesBuilder } from "./series-builder.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(40) as VersionId) as [VersionId, VersionId, VersionId];
const fact = (name: string, type: Variable["type"]): Variable => ({ name, role: "parameter", occurrence: "once", type });
const size = fact("size", "integer");
const rate: Variable = { name: "rate", role: "result", occurrence: "multiple", type: "float", unit: parseUnit("MByte/s") };

function built(rows: (number | string | null)[][], order: readonly VersionId[]) {
  const builder = new SeriesBuilder();
  const table = tableOf([fact("run", "integer"), fact("commit", "string"), size, rate], rows);
  const leftOut = addExperiment(builder, { experiment: "io", by: [size], results: [rate] }, table, order);
  const series = builder.series().map(({ subject, points }) => ({
    subject,
    points: points.map((point) => [point.version, point.evidence.join(), [...point.sample]]),
  }));
  return { series, leftOut };
}

describe("points of experiments", () => {
  it("stand in the order of history, runs of a version pooled", () => {
    const { series, leftOut } = built(
      [
        [1, c, 4, 10],
        [2, a, 4, 20],
        [2, a, 4, 21],
        [2, a, 8, 30],
        [3, c, 4, 11],
        [4, b, 4, null],
      ],
      [a, b, c],
    );
    expect(leftOut).toEqual({ nameless: 0, elsewhere: 0 });
    expect(series.map(({ subject }) => subject.benchmark)).toEqual(["io size=4", "io size=8"]);
    expect(series[0]?.subject).toMatchObject({ source: "experiment", metric: "rate", better: "higher" });
    expect(series[0]?.points).toEqual([
      [a, "io#2", [20, 21]],
      [c, "io#1,io#3", [10, 11]],
    ]);
    expect(series[1]?.points).toEqual([[a, "io#2", [30]]]);
  });

  it("without a version, or of one elsewhere, are left out and counted", () => {
    const { series, leftOut } = built(
      [
        [1, null, 4, 10],
        [2, c, 4, 20],
        [3, a, 4, 30],
      ],
      [a, b],
    );
    expect(leftOut).toEqual({ nameless: 1, elsewhere: 1 });
    expect(series[0]?.points).toEqual([[a, "io#3", [30]]]);
  });

  it("have a name without what has no content, as it was before there was that parameter", () => {
    const { series } = built([[1, a, null, 10]], [a]);
    expect(series[0]?.subject).toMatchObject({ benchmark: "io", key: 'experiment ["io","","rate"]' });
  });

  it("are runs where there is no history", () => {
    const { series } = built(
      [
        [2, null, 4, 20],
        [1, null, 4, 10],
      ],
      [],
    );
    expect(series[0]?.points).toEqual([
      [null, "io#1", [10]],
      [null, "io#2", [20]],
    ]);
  });
});
