import { expect, test } from "vitest";
import type { Change } from "../../core/verdicts/change.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { decodeChanges, encodeChanges, storedChange } from "./changes.ts";

const version = "ab".repeat(20) as VersionId;
const lines = [
  `insert(List*, int) PerformanceChange.Degradation mixed 1.0ms 2.0ms 2.0 no 0 0.0 ${version} ./target big.in`,
  `insert(List*, int) PerformanceChange.MaybeOptimization constant power linear -17.28 r_square 0.0006 ` +
    `inf ${version} ./target big.in`,
];
const bytes = (text: string) => new TextEncoder().encode(text);

test("a file round-trips", () => {
  const file = bytes(lines.join("\n"));
  const decoded = decodeChanges(file);
  expect(decoded.unparsed).toEqual([]);
  expect(decoded.changes[1]).toMatchObject({
    location: "insert(List*, int)",
    result: "MaybeOptimization",
    type: "constant",
    from: "power",
    to: "linear",
    rate: -17.28,
    relativeRate: Infinity,
    confidence: { type: "r_square", rate: 0.0006 },
    baseline: version,
    command: "./target big.in",
  });
  expect(encodeChanges(decoded)).toEqual(file);
});

test.each([
  ["no such line"],
  [lines[0]!.replace("Degradation", "Worse")],
  [lines[0]!.replace("mixed", "")],
  [lines[0]!.replace(version, "HEAD")],
  [lines[0]!.replace(" 2.0 no", " 0x10 no")],
  [`${"x ".repeat(60_000)}PerformanceChange.`],
  ["\u0000\ufffd"],
])("a line that does not parse is preserved in `unparsed`: %.60s", (line) => {
  const decoded = decodeChanges(bytes(`${lines[0]}\n${line}\n\n`));
  expect(decoded.changes).toHaveLength(1);
  expect(decoded.unparsed).toEqual([line]);
  expect(new TextDecoder().decode(encodeChanges(decoded)).split("\n")).toEqual([lines[0]!, line].toSorted());
});

test("a new change reads back with any texts", () => {
  const change: Change = {
    location: "a\nb c",
    result: "TotalDegradation",
    type: "",
    from: "1.0 ms",
    to: "nan",
    rate: NaN,
    relativeRate: -0.5,
    confidence: { type: "no", rate: 0 },
    method: "average_amount_threshold",
  };
  const file = encodeChanges({ changes: [storedChange(change, version, "")], unparsed: [] });
  const { changes, unparsed } = decodeChanges(file);
  expect(unparsed).toEqual([]);
  expect(changes[0]).toMatchObject({
    location: "a b c",
    type: "-",
    from: "1.0_ms",
    to: "nan",
    rate: NaN,
    relativeRate: -0.5,
    command: "-",
  });
});
