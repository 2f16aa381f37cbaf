import { expect, test } from "vitest";
import { directionOfName } from "./direction-of-name.ts";

test.each([
  ["ops", "higher"],
  ["ops/sec", "higher"],
  ["opsSec", "higher"],
  ["Requests/s", "higher"],
  ["MB/s", "higher"],
  ["throughput_mean", "higher"],
  ["conn/s", "higher"],
  ["eval_accuracy", "higher"],
  ["passes", "higher"],
  ["availability", "higher"],
  ["transaction_rate", "higher"],
  ["Failures/s", "lower"],
  ["error_rate", "lower"],
  ["miss ratio", "lower"],
  ["failed_transactions", "lower"],
  ["rate_stddev", undefined],
  ["ops margin", undefined],
  ["items", undefined],
  ["elapsed", undefined],
  ["percentSlower", undefined],
  ["loops", undefined],
  ["duration", undefined],
  ["generation", undefined],
  ["https", undefined],
  ["operating", undefined],
  ["kops", "higher"],
  ["GFLOPS", "higher"],
  ["rps", "higher"],
  ["bitrate", "higher"],
])("%s: %s", (name, direction) => {
  expect(directionOfName(name)).toBe(direction);
});
