import { expect, test } from "vitest";
import { formatUnit } from "../../core/values/index.ts";
import { proposeDescription } from "./propose.ts";

test.each([
  ["total: 5.2 \u00b1 0.3 ms", ["total ms 5.2", "total_deviation ms 0.3"]],
  ["total: 5.2 ms \u00b1 0.3 ms", ["total ms 5.2", "total_deviation ms 0.3"]],
  ["speed = 12.5 +/- 1.1 MB/s", ["speed MByte/s 12.5", "speed_deviation MByte/s 1.1"]],
  [
    "0.50 +- 0.06 seconds time elapsed ( +- 11.6% )",
    ["time_elapsed s 0.50", "time_elapsed_deviation s 0.06", "time_elapsed_deviation_2 % 11.6"],
  ],
])("a tolerance has the name and the unit of its number: %s", (line, expected) => {
  const { rules } = proposeDescription([{ name: "out.txt", lines: [line] }], { name: "sample", file: "sample.inp" });
  const found = rules.map(({ variable: { name, unit }, cells }) => `${name} ${formatUnit(unit)} ${cells[0]!.text}`);
  expect(found).toEqual(expected);
});
