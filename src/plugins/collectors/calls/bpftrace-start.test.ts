import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { tracerEnd } from "./bpftrace-start.ts";

/** Ends a process that ends by itself at a number of SIGTERMs; what the shell prints. */
function afterEnd(signals: number, seconds: number): string {
  const trap = `trap 'n=$((n + 1)); [ $n -lt ${signals} ] || exit 0' TERM`;
  const tracer = `n=0; ${trap}; echo ready; while :; do sleep 0.01; done`;
  const script = `ready=$(mktemp)
sh -c "$0" >"$ready" &
tracer=$!
until [ -s "$ready" ]; do sleep 0.01; done
${tracerEnd(seconds)}
rm "$ready"
kill -0 $tracer 2>/dev/null && echo runs
echo $tracer_killed`;
  return spawnSync("sh", ["-c", script, tracer], { encoding: "utf8" }).stdout;
}

test("a tracer that misses the first signal gets it again", () => {
  expect(afterEnd(1, 10)).toBe("0\n");
  expect(afterEnd(2, 10)).toBe("0\n");
});

test("a tracer that does not end is killed", () => {
  expect(afterEnd(Number.MAX_SAFE_INTEGER, 1)).toBe("1\n");
});
