// CPU time that programs print at exit. It excludes waiting on a busy machine and includes the overhead of a tool.
import { spawnSync } from "node:child_process";

/** C code that prints the CPU time, and its headers. */
export const cpuHeaders = "#include <stdio.h>\n#include <time.h>\n";
export const printCpuTime = `struct timespec taken;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &taken);
  printf("%f\\n", taken.tv_sec * 1e3 + taken.tv_nsec / 1e6);`;

/** Medians in milliseconds of `rounds` rounds in which every command runs once. */
export function cpuTimes(commands, folder, rounds) {
  const samples = commands.map(() => []);
  for (let round = 0; round < rounds; round++) commands.forEach((argv, at) => samples[at].push(once(argv, folder)));
  return samples.map((values) => values.toSorted((a, b) => a - b)[rounds >> 1]);
}

function once([program, ...words], folder) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: exit ${status}: ${stderr}`);
  return Number(stdout.trim().split("\n").at(-1));
}

/** Whether a tool can be used. */
export function works([program, ...words], folder) {
  return spawnSync(program, words, { cwd: folder, stdio: "ignore" }).status === 0;
}
