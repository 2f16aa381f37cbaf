// The overhead of perf record with the options of the collector perf, by unwinding method, per sample.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { cpuTimes, works } from "./cpu-time.mjs";
import { buildSpinning } from "./spinning.mjs";

const rounds = "300000000";

const ways = { none: [], fp: ["--call-graph", "fp"], dwarf: ["--call-graph", "dwarf"] };

export function perfSampling(folder) {
  const program = buildSpinning(folder);
  const fixed = ["perf", "record", "-q", "--no-buildid-cache", "--no-bpf-event", "-F", "3999", "-e", "cycles"];
  const record = (name, ...command) => [...fixed, ...ways[name], "-o", join(folder, name), "--", ...command];
  if (program === null || !works(record("dwarf", "true"), folder)) return [];
  const names = Object.keys(ways);
  const [plain, ...times] = cpuTimes(
    [[program, rounds], ...names.map((name) => record(name, program, rounds))],
    folder,
    5,
  );
  return times.map((milliseconds, at) => {
    const samples = samplesIn(join(folder, names[at]), folder);
    const each = (((milliseconds - plain) * 1000) / samples).toFixed(1);
    const what = `perf, stacks by ${names[at]}: ${samples} samples (${each} us each)`;
    return { what, of: "not sampled", milliseconds, ratio: milliseconds / plain };
  });
}

function samplesIn(data, folder) {
  const { stdout } = spawnSync("perf", ["script", "-i", data, "-F", "time"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return stdout.split("\n").filter((line) => /^\s*\d+\.\d+:/.test(line)).length;
}
