import { expect, it } from "vitest";
import { timeCanary } from "./machine-state.ts";

it("times the loop five times by the given clock, without the first", () => {
  let now = 0;
  const seconds = timeCanary(() => (now += 2));
  expect(seconds).toEqual([0.002, 0.002, 0.002, 0.002, 0.002]);
});
