import { describe, expect, it } from "vitest";
import { decodeProfile } from "../../formats/profile/profile.ts";
import type { Run } from "../../core/profiles/run.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { parseProfileColumns } from "./statistic-column.ts";
import { ProfileStatistic } from "./statistic-by-version.ts";

function profile(workload: string, real: readonly number[], units: object = { time: "s" }): Run {
  const profile = {
    resources: { "real#0": { amount: real }, "user#0": { amount: [100] } },
    resource_type_map: {
      "real#0": { subtype: "real", type: "time", uid: { function: "work", line: 7 } },
      "user#0": { subtype: "user", type: "time", uid: { function: "idle", line: 9 } },
    },
    models: [],
    header: { type: "time", cmd: "bench", workload, units },
    collector_info: { name: "time", params: {} },
    postprocessors: [],
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(profile)));
}

function values(text: string, ...profiles: (readonly [version: string, run: Run])[]): Record<string, number> {
  const [column] = parseProfileColumns(text);
  const own = new ProfileStatistic(column as NonNullable<typeof column>);
  for (const [version, run] of profiles) own.add(version, run);
  own.variable();
  return Object.fromEntries(own.values());
}

describe("columns of profiles", () => {
  it("name collector, column, statistics and conditions", () => {
    expect(parseProfileColumns("time:amount:mean")).toEqual([
      { name: "time:amount.mean", collector: "time", column: "amount", statistic: { kind: "mean" }, where: [] },
    ]);
    expect(parseProfileColumns("*:amount:q95,max:uid:function=work and workload=large")).toEqual([
      {
        name: "*:amount.q95[uid:function=work and workload=large]",
        column: "amount",
        statistic: { kind: "quantile", at: 0.95 },
        where: ["uid:function=work and workload=large"],
      },
      {
        name: "*:amount.max[uid:function=work and workload=large]",
        column: "amount",
        statistic: { kind: "max" },
        where: ["uid:function=work and workload=large"],
      },
    ]);
    for (const text of ["", "time", "time:amount", "time::mean"])
      expect(() => parseProfileColumns(text)).toThrow("--with-profile");
    expect(() => parseProfileColumns("time:amount:middle")).toThrow("unknown statistic");
  });

  it("use the resources of all matching profiles of a version", () => {
    const runs = [
      ["v1", profile("small", [1, 2])],
      ["v1", profile("large", [9])],
      ["v2", profile("large", [4])],
    ] as const;
    expect(values("time:amount:mean:subtype=real", ...runs)).toEqual({ v1: 4, v2: 4 });
    expect(values("time:amount:mean:subtype=real and workload=large", ...runs)).toEqual({ v1: 9, v2: 4 });
    expect(values("time:amount:max:uid:function~wor", ...runs)).toEqual({ v1: 9, v2: 4 });
    expect(values("time:amount:count:amount>=4", ...runs)).toEqual({ v1: 3, v2: 2 });
    expect(values("time:amount:sum:workload in small,none and subtype!=user", ...runs)).toEqual({ v1: 3 });
    expect(values("time:amount:stddev:subtype=real", ...runs)).toEqual({ v1: Math.sqrt(19) });
    expect(values("time:amount:median:nothing is null", ...runs)).toEqual({ v1: 9, v2: 52 });
  });

  it("have the unit of the header, and never mix units", () => {
    const [column] = parseProfileColumns("time:amount:mean");
    const own = new ProfileStatistic(column as NonNullable<typeof column>);
    own.add("v1", profile("small", [1]));
    expect(formatUnit(own.variable().unit)).toBe("s");
    expect(() => own.add("v2", profile("small", [1], { time: "B" }))).toThrow("time:amount.mean");
    const mixed = { "time(real)": "s", "time(user)": "B" };
    expect(() => values("time:amount:mean", ["v1", profile("small", [1], mixed)])).toThrow("time:amount.mean");
    expect(values("time:amount:mean:subtype=real", ["v1", profile("small", [1], mixed)])).toEqual({ v1: 1 });
  });

  it("list pooled properties, and reject unknown columns", () => {
    const [column] = parseProfileColumns("time:amount:mean");
    const own = new ProfileStatistic(column as NonNullable<typeof column>);
    own.add("v1", profile("small", [1]));
    own.add("v2", profile("large", [1]));
    expect([...own.mixed].map(([what, all]) => [what, [...all]])).toEqual([
      ["cmd", ["bench"]],
      ["workload", ["small", "large"]],
      ["subtype", ["real", "user"]],
    ]);
    expect(() => values("time:amunt:mean", ["v1", profile("small", [1])])).toThrow("no column 'amunt'");
  });
});
