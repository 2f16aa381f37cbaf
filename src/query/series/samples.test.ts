import { describe, expect, it } from "vitest";
import { jsonObject, type Json } from "../../core/values/json.ts";
import { kindNames, rowKinds, distinguishingLabels } from "../../core/profiles/row-kinds.ts";
import type { Run } from "../../core/profiles/run.ts";
import { profileOf, type Subject } from "../../formats/profile/build-profile.ts";
import { locationGrowths, locationSamples } from "./samples.ts";

/** A profile of `f` with these rows; `columns`: parameters of each workload in the generator's facts. */
function run(
  rows: readonly (readonly [properties: Readonly<Record<string, string>>, columns: Subject["columns"]])[],
  columns?: string[],
  collector = { name: "trace", params: jsonObject({}) },
): Run {
  const made = profileOf({
    type: "mixed",
    cmd: "./bench",
    workload: "sizes",
    units: { mixed: "s" },
    collector,
    subjects: rows.map(([properties, own]) => ({
      properties: jsonObject({ uid: "f", type: "mixed", ...properties }),
      columns: own,
    })),
  });
  return columns === undefined
    ? made
    : { ...made, extra: new Map<string, Json>([...made.extra, ["generator", jsonObject({ columns })]]) };
}

const column = (name: string, ...values: number[]): Subject["columns"][number] => ({ name, type: "integer", values });

describe("samples of a location", () => {
  it("belong to one generated workload each", () => {
    const samples = locationSamples(run([[{}, [column("amount", 1, 2, 10), column("workload", 1, 1, 2)]]]));
    expect(samples.map(({ workload, values }) => [[...workload], [...values]])).toEqual([
      [[["workload", "1"]], [1, 2]],
      [[["workload", "2"]], [10]],
    ]);
  });

  it("depend on the generator of the profile only", () => {
    const rows = [
      [{ kind: "a" }, [column("amount", 1, 2), column("other", 1, 2)]],
      [{ kind: "b" }, [column("amount", 3)]],
    ] as const;
    expect(locationSamples(run(rows, ["kind"])).map(({ values }) => [...values])).toEqual([[1, 2], [3]]);
    expect(locationSamples(run(rows)).map(({ values, workload }) => [[...values], workload.size])).toEqual([
      [[1, 2, 3], 0],
    ]);
  });

  it("belong to one set of parameters each in the results of a benchmark, whose samples are pooled", () => {
    const facts = { goos: "linux", tool: "v1.2" };
    const rows = ["fib", "sort"].map((name, at) => {
      const numbers = [column("amount", at, at + 2, 9), column("size", 10, 10, 20), column("sample", 1, 2, 1)];
      return [{ subtype: "time", name, ...facts }, numbers] as const;
    });
    const sizes = [{ name: "fib" }, { name: "sort" }].flatMap((own) =>
      [10, 20].map((size) => ({ ...own, size: `${size}` })),
    );
    for (const collector of [
      { name: "command", params: jsonObject({}) },
      { name: "go-bench", params: jsonObject({ from: "go-bench" }) },
    ]) {
      const samples = locationSamples(run(rows, undefined, collector));
      expect(samples.map(({ workload }) => Object.fromEntries(workload))).toEqual(sizes);
      expect(samples.map(({ values }) => [...values])).toEqual([[0, 2], [9], [1, 3], [9]]);
    }
  });

  it("have all quantities of a benchmark but those that only describe others", () => {
    const rows = ["time", "stddev", "iterations", "bytes", "user"].map(
      (subtype) => [{ subtype }, [column("amount", 1)]] as const,
    );
    const collector = { name: "command", params: jsonObject({ from: "auto" }) };
    expect(locationSamples(run(rows, undefined, collector)).map(({ metric }) => metric)).toEqual([
      "time",
      "bytes",
      "user",
    ]);
  });

  it("have the same workload names as checks, whatever the order of columns", () => {
    const rows = [
      [{}, [column("amount", 1, 2), column("z", 1, 2), column("b", 3, 4), column("workload", 5, 6)]],
      [{}, [column("amount", 1), column("workload", 7), column("b", 3), column("z", 1)]],
    ] as const;
    for (const profile of [run(rows, ["z", "b"]), run(rows.toReversed(), ["z", "b"])]) {
      const kindAt = rowKinds(profile);
      const kinds = [0, 1, 2].flatMap((row) => kindAt(row) ?? []);
      const names = locationSamples(profile).map(({ workload }) => workload);
      expect(distinguishingLabels(names).map((words) => `f${words}`)).toEqual([...kindNames(kinds).values()]);
    }
  });

  it("are wall-clock time only in each workload that has it", () => {
    const rows = [
      [{ subtype: "real" }, [column("amount", 3), column("workload", 1)]],
      [{ subtype: "user" }, [column("amount", 1, 2), column("workload", 1, 2)]],
    ] as const;
    expect(locationSamples(run(rows)).map(({ workload, metric }) => [workload.get("workload"), metric])).toEqual([
      ["1", "time"],
      ["2", "user"],
    ]);
  });
});

it("CPU time is user plus system time of each run, where both were measured", () => {
  const rows = [
    [{ subtype: "real" }, [column("amount", 3, 4)]],
    [{ subtype: "user" }, [column("amount", 1, 2)]],
    [{ subtype: "sys" }, [column("amount", 5, 7)]],
  ] as const;
  expect(locationSamples(run(rows)).map(({ metric, values }) => [metric, ...values])).toEqual([
    ["time", 3, 4],
    ["cpu-time", 6, 9],
  ]);
  expect(locationSamples(run(rows.slice(0, 2))).map(({ metric }) => metric)).toEqual(["time"]);
});

describe("the growth of a location", () => {
  const sizes = [10, 20, 40, 80, 160, 320];

  it("pools workloads that differ in size", () => {
    const cost = [
      column("amount", ...sizes.map((n) => 3 * n)),
      column("structure-unit-size", ...sizes),
      column("workload", ...sizes),
    ];
    expect(locationGrowths(run([[{}, cost]]))).toMatchObject([
      { location: "f", workload: new Map(), growth: { name: "n" } },
    ]);
  });

  it("is separate for workloads that differ otherwise", () => {
    const rows = sizes.flatMap((n) =>
      [["sorted", n] as const, ["random", n * n] as const].map(([shape, amount]) => {
        const numbers = [column("amount", amount), column("structure-unit-size", n), column("n", n)];
        return [{ shape, workload: `${shape}-${n}.txt` }, numbers] as const;
      }),
    );
    expect(locationGrowths(run(rows, ["workload", "shape", "n"]))).toMatchObject([
      { workload: new Map([["shape", "sorted"]]), growth: { name: "n" } },
      { workload: new Map([["shape", "random"]]), growth: { name: "n^2" } },
    ]);
  });
});
