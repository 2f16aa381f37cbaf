import { describe, expect, it } from "vitest";
import { bestBaseline, isComparable, latestOfEach } from "./comparable-profiles.ts";
import type { ListedProfile } from "./listed-profile.ts";

const profile = (facts: Partial<ListedProfile>): ListedProfile => ({
  name: "a",
  type: "time",
  collector: "time",
  cmd: "ls",
  workload: "",
  postprocessors: [],
  time: 1,
  object: "",
  ...facts,
});

describe("isComparable", () => {
  it.each([
    [{}, {}, true],
    [{ cmd: "cat" }, {}, false],
    [{ workload: "x" }, {}, false],
    [{ type: "memory" }, {}, false],
    [{ collector: "memory" }, {}, false],
    [{}, { postprocessors: ["regression_analysis"] }, true],
    [{}, { postprocessors: ["normalizer"] }, false],
    [{ postprocessors: ["filter"] }, { postprocessors: ["regressogram", "filter"] }, true],
    [{ postprocessors: ["filter", "normalizer"] }, { postprocessors: ["normalizer", "filter"] }, false],
    [{ postprocessors: ["x"] }, {}, false],
  ])("%j with %j: %s", (baseline, target, expected) => {
    expect(isComparable(profile(baseline), profile(target))).toBe(expected);
  });

  it("applies only Perun's rule for isPerun", () => {
    expect(isComparable(profile({}), profile({ postprocessors: ["normalizer"] }), true)).toBe(true);
    expect(isComparable(profile({ postprocessors: ["normalizer"] }), profile({}), true)).toBe(false);
  });
});

describe("latestOfEach", () => {
  it("keeps the newest of each configuration, the last of equally old ones", () => {
    const profiles = [
      profile({ name: "a", time: 2 }),
      profile({ name: "b", time: 1 }),
      profile({ name: "c", cmd: "cat" }),
      profile({ name: "d", cmd: "cat" }),
    ];
    expect(latestOfEach(profiles).map((one) => one.name)).toEqual(["a", "d"]);
  });
});

it("the best baseline is comparable, has the most similar postprocessing, then is the newest", () => {
  const listed = [
    profile({ name: "plain", time: 9 }),
    profile({ name: "old", time: 1, postprocessors: ["regression_analysis"] }),
    profile({ name: "new", time: 2, postprocessors: ["regression_analysis"] }),
    profile({ name: "other", time: 10, cmd: "./other" }),
  ];
  expect(bestBaseline(listed, profile({ postprocessors: ["regression_analysis"] }))?.name).toBe("new");
  expect(bestBaseline(listed, profile({}))?.name).toBe("plain");
  expect(bestBaseline(listed, profile({ cmd: "./none" }))).toBeUndefined();
});
