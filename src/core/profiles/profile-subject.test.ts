import { describe, expect, it } from "vitest";
import { profileKey, WorkloadNames } from "./profile-subject.ts";

const configuration = ["time", "time", "./bench", "sizes"];

/** A number of a location, measured with a workload with these facts. */
function number(location: string, facts: Readonly<Record<string, string>> = {}, words = "time ./bench sizes") {
  const subject = {
    key: profileKey(configuration, location, "time"),
    benchmark: `${words}: ${location}`,
    metric: "time",
  };
  const map = new Map(Object.entries(facts));
  return map.size === 0 ? subject : { ...subject, workload: { facts: map, configuration, location, words } };
}

function named(...all: readonly ReturnType<typeof number>[]): { readonly key: string; readonly benchmark: string }[] {
  const names = new WorkloadNames(all);
  return all.map((one) => names.of(one, "workload" in one ? one.workload : undefined));
}

describe("names of numbers by workload", () => {
  it("are unchanged with one workload or none", () => {
    for (const facts of [{}, { workload: "100" }]) {
      const one = { ...number("./bench", facts), benchmark: "time ./bench sizes" };
      expect(named(one, one, number("g", { workload: "200" }))[0]).toEqual({
        key: one.key,
        benchmark: "time ./bench sizes",
      });
    }
  });

  it("distinguish workloads by their differences", () => {
    const all = named(
      number("f", { workload: "1", kind: "a" }),
      number("f", { workload: "2", kind: "a" }),
      number("g", { workload: "1" }),
    );
    expect(all.map(({ benchmark }) => benchmark)).toEqual([
      "time ./bench sizes: f [workload=1]",
      "time ./bench sizes: f [workload=2]",
      "time ./bench sizes: g",
    ]);
    expect(all[0]?.key).toBe('profile ["time","time","./bench","sizes","f [workload=1]","time"]');
  });

  it("keep subjects without workload next to others with one", () => {
    const all = named(number("f"), number("f", { workload: "1" }));
    expect(all.map(({ benchmark }) => benchmark)).toEqual([
      "time ./bench sizes: f",
      "time ./bench sizes: f [workload=1]",
    ]);
    expect(named(number("f", { workload: "1" }, ""), number("f"))[0]?.benchmark).toBe("f [workload=1]");
  });
});
