// The overhead of the engines of the collector memory on a program that only allocates, ten calls deep, per call of
// malloc or free.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { buildTracer, hasProgram } from "../allocating.mjs";
import { cpuHeaders, cpuTimes, printCpuTime, works } from "./cpu-time.mjs";

const source = `${cpuHeaders}#include <stdlib.h>
__attribute__((noinline)) static void *deep(int depth) {
  void *made = depth > 1 ? deep(depth - 1) : malloc(32);
  __asm__ volatile("");
  return made;
}
int main(int count, char **words) {
  long pairs = count > 1 ? atol(words[1]) : 0;
  for (long i = 0; i < pairs; i++) free(deep(10));
  ${printCpuTime}
  return 0;
}
`;

const pairs = 200_000;

export function heapProfiling(folder) {
  if (!hasProgram("cc")) return [];
  const program = compile(folder);
  const preload = `PERFKEEP_ALLOCATIONS=logs LD_PRELOAD=${buildTracer(folder)}`;
  const traced = `rm -rf logs; mkdir logs; ${preload} exec ${program} $0`;
  const valgrind = (tool, ...options) => [
    "valgrind",
    "-q",
    `--tool=${tool}`,
    `--${tool}-out-file=${join(folder, tool)}`,
    ...options,
    program,
  ];
  const ways = [
    { what: "preload (perfkeep)", argv: ["sh", "-c", traced] },
    { what: "valgrind --tool=dhat", argv: valgrind("dhat", "--num-callers=128") },
    { what: "valgrind --tool=massif", argv: valgrind("massif", "--detailed-freq=1", "--threshold=0") },
    // heaptrack prints its own lines before and after those of the program.
    { what: "heaptrack", argv: ["sh", "-c", `heaptrack -o heaptrack ${program} $0 | grep -E '^[0-9.]+$'`] },
  ].filter(({ argv }) => works([...argv, "1"], folder));
  const commands = [
    [program, String(pairs)],
    ...ways.flatMap(({ argv }) => [String(pairs), "0"].map((count) => [...argv, count])),
  ];
  const [plain, ...times] = cpuTimes(commands, folder, 3);
  return ways.map(({ what }, at) => {
    const milliseconds = times[2 * at] - times[2 * at + 1];
    const each = (milliseconds * 1e6) / (2 * pairs);
    return {
      what: `${what}: ${each.toFixed(0)} ns a call of malloc or free`,
      of: "not traced",
      milliseconds,
      ratio: milliseconds / plain,
    };
  });
}

function compile(folder) {
  writeFileSync(join(folder, "pairs.c"), source);
  const words = ["-g", "-O1", "-fno-optimize-sibling-calls", "-o", "pairs", "pairs.c"];
  const { status, stderr } = spawnSync("cc", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`cc: ${stderr}`);
  return join(folder, "pairs");
}
