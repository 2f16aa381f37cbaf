// The overhead of the collectors trace and complexity on a program that only calls a function, per probe. Each call has
// two probes.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/prepare.mjs";
import { hasProgram } from "../allocating.mjs";
import { cpuHeaders, cpuTimes, printCpuTime, works } from "./cpu-time.mjs";

const source = `${cpuHeaders}#include <stdlib.h>
static volatile long done;
__attribute__((noinline)) static void called(long number) { done += number; }
__attribute__((no_instrument_function)) int main(int count, char **words) {
  long calls = count > 1 ? atol(words[1]) : 0;
  for (long i = 0; i < calls; i++) called(i);
  ${printCpuTime}
  return 0;
}
`;

const many = 2_000_000;
const few = 100_000;

export function calling(folder) {
  if (!hasProgram("cc")) return [];
  const plain = compile(folder, "plain", "-O2", "calling.c");
  const instrumented = compile(folder, "instrumented", "-O2", "-finstrument-functions", "calling.c");
  const library = compile(
    folder,
    "calls.so",
    "-std=gnu11",
    "-O2",
    "-shared",
    "-fPIC",
    join(root, "assets/calls.c"),
    "-pthread",
    "-ldl",
  );
  writeFileSync(join(folder, "none"), "other 0\n");
  const traced = (plan) => [
    "sh",
    "-c",
    `rm -rf logs; mkdir logs; ${plan} PERFKEEP_CALLS=logs LD_PRELOAD=${library} exec ${instrumented} $0`,
  ];
  const valgrind = ["valgrind", "-q", "--tool=callgrind", `--callgrind-out-file=${join(folder, "out")}`, plain];
  const ways = [
    { what: "instrumented, no tracer", argv: [instrumented], calls: many },
    { what: "instrumented, function not selected", argv: traced("PERFKEEP_CALLS_PLAN=none"), calls: many },
    { what: "instrumented and logged", argv: traced(""), calls: many },
    { what: "callgrind", argv: valgrind, calls: many },
    { what: "uprobes by bpftrace", argv: ["sh", probing(folder, plain)], calls: few },
  ].filter(({ argv }) => works([...argv, "1"], folder));
  const commands = ways.flatMap(({ argv, calls }) => [
    [plain, String(calls)],
    [...argv, "0"],
    [...argv, String(calls)],
  ]);
  const times = cpuTimes(commands, folder, 3);
  return ways.map(({ what, calls }, at) => {
    const [base, start, milliseconds] = times.slice(3 * at, 3 * at + 3);
    const each = ((milliseconds - start - base) * 1e6) / (2 * calls);
    return {
      what: `${what}: ${each.toFixed(0)} ns a probe`,
      of: "not traced",
      milliseconds,
      ratio: milliseconds / base,
    };
  });
}

function compile(folder, name, ...words) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "calling.c"), source);
  const { status, stderr } = spawnSync("cc", ["-o", name, ...words], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`cc: ${stderr}`);
  return join(folder, name);
}

/** A script that runs the program under bpftrace, as the collector does. */
function probing(folder, program) {
  const probes = ["uprobe", "uretprobe"].map(
    (kind) => `${kind}:${program}:called { printf("%d %d %llu\\n", pid, tid, nsecs); }`,
  );
  writeFileSync(
    join(folder, "probes.bt"),
    [...probes, `interval:ms:10 { if (@ready == 0) { @ready = 1; printf("ready\\n"); } }`, ""].join("\n"),
  );
  writeFileSync(
    join(folder, "probing"),
    `export BPFTRACE_PERF_RB_PAGES=2048
bpftrace -q -B line probes.bt >output 2>errors </dev/null &
tracer=$!
until [ -s output ]; do kill -0 $tracer 2>/dev/null || exit 1; sleep 0.02; done
${program} "$1"
status=$?
kill -TERM $tracer
wait $tracer
exit $status
`,
  );
  return join(folder, "probing");
}
