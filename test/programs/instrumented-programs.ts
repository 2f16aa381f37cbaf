import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A clock in microseconds that only `spend` advances, so that durations are deterministic. */
export const clock = `#define _GNU_SOURCE
#include <time.h>
static long spent;
__attribute__((no_instrument_function)) int clock_gettime(clockid_t which, struct timespec *now) {
  (void)which;
  now->tv_sec = 1000 + spent / 1000000;
  now->tv_nsec = spent % 1000000 * 1000;
  return 0;
}
__attribute__((no_instrument_function)) static void spend(long microseconds) { spent += microseconds; }
`;

/** Compiles an instrumented program in `folder` and returns its command. */
export function buildInstrumented(
  folder: string,
  name: string,
  source: string,
  compiler: string,
  flags: readonly string[],
): string {
  const file = join(folder, `${name}.${compiler === "c++" ? "cpp" : "c"}`);
  writeFileSync(file, source);
  const all = ["-finstrument-functions", "-rdynamic", "-pthread", ...flags, "-o", name, file];
  const { status, stderr } = spawnSync(compiler, all, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return `./${name}`;
}
