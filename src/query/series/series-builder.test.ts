import { describe, expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { VersionGraph } from "../history/version-graph.ts";
import { defaultDirection } from "../../core/measurements/default-direction.ts";
import { type MeasuredSubject, SeriesBuilder } from "./series-builder.ts";
import { Suspects } from "../history/suspect-commits.ts";

const id = (name: string): VersionId => name.repeat(40) as VersionId;
const subject = (unit: string): MeasuredSubject => {
  return { source: "profile", key: "k", benchmark: "b", metric: "m", unit: parseUnit(unit), better: undefined };
};

describe("series", () => {
  it("are in the unit of their first value; values of other dimensions are skipped and reported", () => {
    const builder = new SeriesBuilder();
    builder.add(subject("ms"), { version: id("a"), machine: null }, "1", Float64Array.of(1500));
    builder.add(subject("s"), { version: id("b"), machine: null }, "2", Float64Array.of(2));
    builder.add(subject("Byte"), { version: id("c"), machine: null }, "3", Float64Array.of(2, 3));
    expect(builder.series()[0]?.points.map(({ sample }) => [...sample])).toEqual([[1500], [2000]]);
    expect(builder.notes()).toEqual(["omitted: 2 values in Byte of b m, which is in ms"]);
  });

  it("pool values of a version by machine", () => {
    const builder = new SeriesBuilder();
    for (const [machine, evidence] of [
      ["x", "1"],
      ["y", "2"],
      ["x", "3"],
    ] as const)
      builder.add(subject("s"), { version: id("a"), machine }, evidence, Float64Array.of(Number(evidence)));
    expect(builder.series()[0]?.points).toMatchObject([
      { machine: "x", evidence: ["1", "3"], sample: Float64Array.of(1, 3) },
      { machine: "y", evidence: ["2"], sample: Float64Array.of(2) },
    ]);
  });
});

it.each([
  ["s", "lower"],
  ["Byte", "lower"],
  ["MByte/s", "higher"],
  ["1/s", "higher"],
  ["Hz", "higher"],
  ["s/OP", "lower"],
  ["", "lower"],
])("of %s have the direction %s", (unit, better) => {
  expect(defaultDirection(parseUnit(unit))).toBe(better);
});

it("suspects are all versions in between, including merged ones", () => {
  const graph = new VersionGraph();
  const add = (name: string, ...parents: string[]): void =>
    graph.add([
      {
        id: id(name),
        parents: parents.map(id),
        author: "",
        email: "",
        date: 0,
        description: "",
      } satisfies MinorVersion,
    ]);
  add("1");
  add("2", "1");
  add("8", "1");
  add("9", "8");
  add("3", "2", "9");
  const suspects = new Suspects(graph);
  expect(suspects.between(id("1"), id("2"))).toEqual([id("2")]);
  expect(suspects.between(id("2"), id("3"))).toEqual([id("8"), id("9"), id("3")]);
  expect(suspects.between(null, id("3"))).toEqual([id("3")]);
  expect(suspects.between(id("7"), id("3"))).toEqual([id("3")]);
});
