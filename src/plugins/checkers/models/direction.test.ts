import { expect, it } from "vitest";
import type { Change } from "../../../core/verdicts/index.ts";
import { jsonObject } from "../../../core/values/index.ts";
import { locationName, type Run } from "../../../core/profiles/index.ts";
import { profileOf } from "../../../formats/profile/build-profile.ts";
import { directedCheck } from "./direction.ts";

function runOf(subtype: string, unit?: string): Run {
  return profileOf({
    type: "mixed",
    cmd: "./io",
    workload: "",
    units: unit === undefined ? {} : { mixed: unit },
    collector: { name: "command", params: jsonObject({}) },
    subjects: [
      {
        properties: jsonObject({ uid: "f", type: "mixed", subtype }),
        columns: [{ name: "amount", type: "float", values: [1] }],
      },
    ],
  });
}

it.each([
  ["throughput", undefined, "Optimization"],
  ["cache_misses", undefined, "Degradation"],
  ["data", "MByte/s", "Optimization"],
  ["throughput_time", "s", "Degradation"],
])("more of %s in the unit %s is %s", (subtype, unit, result) => {
  const run = runOf(subtype, unit);
  const change: Change = {
    location: locationName({ uid: "f", subtype }),
    result: "Degradation",
    type: "mixed",
    method: "test",
    from: "",
    to: "",
    rate: 2,
    relativeRate: 0,
    confidence: { type: "no", rate: 0 },
  };
  expect(directedCheck(() => [change])(run, run, new Map())).toEqual([{ ...change, result }]);
  expect(directedCheck(() => [change])(run, run, new Map([["compat", "perun"]]))).toEqual([change]);
});
