// CPU time that programs take, as they tell themselves at their end: what waits for a busy machine is not in it, and
// what a tool does to the program is.
import { spawnSync } from "node:child_process";

/** What a program of C puts at its end, and the headers for it. */
export const cpuHeaders = "#include <stdio.h>\n#include <time.h>\n";
export const tellCpuTime = `struct timespec taken;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &taken);
  printf("%f\\n", taken.tv_sec * 1e3 + taken.tv_nsec / 1e6);`;

/** Medians in milliseconds of `rounds` rounds, in each of which every command runs once. */
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
