// A C program that spins, ten calls deep.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuHeaders, printCpuTime } from "./cpu-time.mjs";

const source = `${cpuHeaders}#include <stdlib.h>
__attribute__((noinline)) static long spin(int depth, long rounds) {
  if (depth > 1) { long sum = spin(depth - 1, rounds); __asm__ volatile(""); return sum + 1; }
  volatile long sum = 0;
  for (long i = 0; i < rounds; i++) sum += i;
  return sum;
}
int main(int count, char **words) {
  if (spin(10, atol(words[1])) == 7) return 1;
  ${printCpuTime}
}
`;

/** Path of the program; its argument is the number of rounds. null: there is no compiler. */
export function buildSpinning(folder) {
  writeFileSync(join(folder, "spinning.c"), source);
  const words = ["-g", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-o", "spinning", "spinning.c"];
  return spawnSync("cc", words, { cwd: folder }).status === 0 ? join(folder, "spinning") : null;
}
