// Runs commands in alternating rounds, so that load on the machine affects all of them and their ratio stays stable.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const peakHook = fileURLToPath(new URL("peak.cjs", import.meta.url));

/** Runs a command once and returns milliseconds. `before` is its setup, which is not measured. */
function once({ name, argv, directory, before, environment }, extra = {}) {
  before?.();
  const started = performance.now();
  const { status, stderr } = spawnSync(argv[0], argv.slice(1), {
    cwd: directory,
    env: { ...environment, ...extra },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const milliseconds = performance.now() - started;
  if (status !== 0) throw new Error(`${name}: exit ${status}: ${stderr}`);
  return milliseconds;
}

/**
 * Medians of `rounds` rounds in which every command runs once. A first round warms the caches and is discarded.
 */
export function interleaved(commands, rounds) {
  const samples = commands.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    commands.forEach((command, at) => {
      const milliseconds = once(command);
      if (round > 0) samples[at].push(milliseconds);
    });
  }
  return samples.map(median);
}

/** Peak resident memory of one run of a Node program, in MiB, which the program reports at exit. */
export function peakMemory(command, scratch) {
  const file = join(scratch, "peak");
  once(command, { NODE_OPTIONS: `--require ${peakHook}`, PEAK_FILE: file });
  const kibibytes = Number(readFileSync(file, "utf8"));
  rmSync(file);
  return kibibytes / 1024;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The growth exponent: the slope of log(cost) over log(size); 1 for linear growth. */
export function exponent(sizes, costs) {
  const [x, y] = [sizes.map(Math.log), costs.map((cost) => Math.log(Math.max(cost, 1)))];
  const [mx, my] = [x, y].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const covariance = x.reduce((sum, value, at) => sum + (value - mx) * (y[at] - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
