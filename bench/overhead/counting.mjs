// The overhead of the two engines of the collector counters.
import { join } from "node:path";
import { cpuTimes, works } from "./cpu-time.mjs";
import { buildSpinning } from "./spinning.mjs";

const rounds = "30000000";

export function counting(folder) {
  const program = buildSpinning(folder);
  if (program === null) return [];
  const valgrind = ["valgrind", "-q", "--tool=callgrind", `--callgrind-out-file=${join(folder, "out")}`];
  const engines = Object.entries({
    "perf stat": [
      "perf",
      "stat",
      "-x",
      "\\t",
      "-o",
      join(folder, "stat"),
      "-e",
      "task-clock:u",
      "-e",
      "page-faults:u",
      "--",
    ],
    callgrind: valgrind,
    "callgrind with caches and branches": [...valgrind, "--cache-sim=yes", "--branch-sim=yes"],
  }).filter(([, argv]) => works([...argv, program, "1"], folder));
  const [plain, ...times] = cpuTimes(
    [[program, rounds], ...engines.map(([, argv]) => [...argv, program, rounds])],
    folder,
    3,
  );
  return times.map((milliseconds, at) => ({
    what: engines[at][0],
    of: "not counted",
    milliseconds,
    ratio: milliseconds / plain,
  }));
}
