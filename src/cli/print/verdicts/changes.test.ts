import { describe, expect, it } from "vitest";
import type { Change } from "../../../core/verdicts/change.ts";
import { changeLines } from "./changes.ts";
import { paintFor } from "../paint.ts";

const change: Change = {
  location: "swap",
  result: "SevereDegradation",
  type: "time",
  from: "1.5ms",
  to: "7.5ms",
  rate: 6,
  relativeRate: 40,
  confidence: { type: "modified_z_score", rate: 40.47 },
  method: "exclusive_time_outliers",
};

function lines(differs: Partial<Change>, compat?: string): string[] {
  return changeLines([{ ...change, ...differs }], paintFor(false), compat);
}

describe("changeLines", () => {
  it("print a difference with its unit and share", () => {
    const head = "└ worse (severe): time 1.5 ms → 7.5 ms, 6.00ms (40.00%) (modified_z_score = 40.47)";
    expect(lines({})).toEqual(["at swap:", head]);
    expect(lines({ to: "1e+16instructions" })[1]).toContain("6.00instructions (40.00%)");
    expect(lines({ to: "7.5" })[1]).toContain("6.00ms");
  });

  it("print at most ten changed intervals, unless there is only one", () => {
    const part = { result: "Degradation", rate: 1.234, from: 0, to: 1234.567 } as const;
    const calm = { ...part, result: "NoChange" } as const;
    expect(lines({ intervals: [part, calm, part] }).slice(2)).toEqual([
      "  └ from 0 to 1235: 1.23x worse",
      "  └ from 0 to 1235: 1.23x worse",
    ]);
    expect(lines({ intervals: [part] })).toHaveLength(2);
    expect(lines({ intervals: [calm, calm] })).toHaveLength(2);
    expect(lines({ intervals: Array.from({ length: 13 }, () => part) }).at(-1)).toBe("  └ and 3 more intervals");
  });
});
