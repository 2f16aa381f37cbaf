import { expect, it } from "vitest";
import { detectorContract } from "../../../test/contracts/detector.ts";
import { asvStep, pelt, perfherder, threshold } from "./step-detectors.ts";
import { eDivisive } from "./e-divisive.ts";
import { eDivisiveOtava } from "./e-divisive.ts";
import { ensemble } from "./ensemble.ts";

for (const detector of [ensemble, eDivisive, eDivisiveOtava, perfherder, asvStep, pelt]) detectorContract(detector);

const tests = ["percentage", "z-score", "t-test", "log-normal", "iqr", "delta-iqr", "noise-fence"];
for (const test of tests) {
  const boundary = { iqr: 8, "delta-iqr": 8, "noise-fence": 8, percentage: 0.1 }[test] ?? 1 - 1e-9;
  detectorContract(
    threshold,
    new Map<string, string | number>([
      ["test", test],
      ["boundary", boundary],
    ]),
    test,
  );
}
detectorContract(
  threshold,
  new Map<string, string | number>([
    ["test", "static"],
    ["boundary", 10],
  ]),
  "static",
);

it("refuses invalid options", () => {
  const with_ =
    (...options: [string, number | string][]): (() => unknown) =>
    () =>
      ensemble.detect(new Float64Array(), new Map(options));
  expect(with_(["max-pvalue", 2])).toThrow(expect.objectContaining({ code: "bad-collector-option" }));
  expect(() => threshold.detect(new Float64Array(30), new Map([["max-sample", 3]]))).toThrow(
    expect.objectContaining({ code: "bad-collector-option" }),
  );
});
