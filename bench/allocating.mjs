// A program that only allocates memory, and the library that traces it.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/prepare.mjs";

const source = `#include <stdlib.h>
__attribute__((noinline)) static void *deep(int depth) {
  void *made = depth > 1 ? deep(depth - 1) : malloc(32);
  __asm__ volatile("");
  return made;
}
int main(int count, char **words) {
  long pairs = atol(words[1]);
  int depth = count > 2 ? atoi(words[2]) : 1;
  for (long i = 0; i < pairs; i++) free(deep(depth));
  return 0;
}
`;

function compile(folder, words) {
  const { status, stderr } = spawnSync("cc", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`cc: ${stderr}`);
}

export function buildAllocating(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "allocating.c"), source);
  compile(folder, ["-g", "-O1", "-fno-optimize-sibling-calls", "-o", "allocating", "allocating.c"]);
  return join(folder, "allocating");
}

export function buildTracer(folder) {
  compile(folder, [
    "-std=gnu11",
    "-O2",
    "-shared",
    "-fPIC",
    "-o",
    "tracer.so",
    join(root, "assets/allocations.c"),
    "-pthread",
    "-ldl",
  ]);
  return join(folder, "tracer.so");
}

export function tracing(folder, library) {
  return { ...process.env, LD_PRELOAD: library, PERFKEEP_ALLOCATIONS: join(folder, "logs") };
}

/** Removes the logs of previous runs. */
export function clearLogs(folder) {
  rmSync(join(folder, "logs"), { recursive: true, force: true });
  mkdirSync(join(folder, "logs"));
}

export function hasProgram(name) {
  return spawnSync("which", [name], { stdio: "ignore" }).status === 0;
}
