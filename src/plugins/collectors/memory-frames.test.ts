import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { canTrace, MeasuredPrograms } from "../../../test/programs/measured-programs.ts";
import { have } from "../../../test/programs/scratch-shell.ts";
import { decodeAllocationLog, type LoggedStack } from "../../formats/traces/index.ts";

const programs = new MeasuredPrograms();
const source = resolve(import.meta.dirname, "../../../assets/allocations.c");

/** Frames of all usual forms and of the irregular ones: realigned stacks, memory of alloca, signals, callbacks. */
const frames = `#include <alloca.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline, noclone))
static volatile int sink;
static APART void once(int bytes) { free(malloc(bytes)); sink++; }
static APART void deep(int depth) { if (depth) deep(depth - 1); else once(1); sink++; }
static APART void wide(int bytes) {
  char *memory = alloca(bytes);
  memset(memory, 1, bytes);
  once(2);
  sink += memory[bytes / 2];
}
static APART void other(int bytes) { wide(bytes); sink++; }
static APART void aligned(int bytes) {
  _Alignas(64) char block[128];
  memset(block, bytes, sizeof block);
  once(3);
  sink += block[bytes];
}
static APART int compared(const void *a, const void *b) { once(4); return *(const int *)a - *(const int *)b; }
static void signalled(int number) { once(number); }
static APART void faulty(void) { raise(SIGUSR1); sink++; }
int main(void) {
  int numbers[] = {3, 1, 2};
  void (*const calls[])(int) = {once, deep, wide, other, aligned, once, wide, deep, other, aligned};
  signal(SIGUSR1, signalled);
  for (int round = 0; round < 50; round++) {
    calls[round % 10](20 + round * 8 % 100);
    if (round % 7 == 0) faulty();
    qsort(numbers, 3, sizeof *numbers, compared);
  }
  deep(200);
  return 0;
}
`;

const exceptions = `#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
struct Kept {
  std::string text;
  explicit Kept(int n) : text(std::size_t(20 + n), 'x') {}
  ~Kept() { text += "yz"; }
};
static int thrown(int depth) {
  Kept kept(depth);
  if (depth == 0) throw std::runtime_error(std::string(40, 'e'));
  return thrown(depth - 1) + 1;
}
int main() {
  int caught = 0;
  const auto grow = [&](int n) {
    std::vector<int> values;
    for (int i = 0; i < n; i++) values.push_back(i);
    return n;
  };
  std::vector<std::function<int(int)>> calls{thrown, grow};
  for (int i = 0; i < 20; i++)
    for (auto &call : calls) {
      try { call(i % 9); } catch (const std::exception &) { caught++; }
    }
  std::vector<std::string> names;
  for (int i = 0; i < 50; i++) names.push_back(std::string(30, char('a' + i % 26)));
  std::stable_sort(names.begin(), names.end());
  return caught == 20 ? 0 : 1;
}
`;

const traced = { rules: [], unwinder: ["-DPERFKEEP_NO_FRAME_RULES"] };

/** Calls of a program with the frames that its stack has: module and offset, innermost first. */
function callsOf(program: string, tracer: string): string[] {
  const folder = join(programs.folder, `logs-${basename(program)}-${tracer}`);
  mkdirSync(folder);
  const environment = { LD_PRELOAD: join(programs.folder, `${tracer}.so`), PERFKEEP_ALLOCATIONS: folder };
  const { status } = spawnSync(program, [], { cwd: programs.folder, env: { ...process.env, ...environment } });
  expect(status).toBe(0);
  const [name = ""] = readdirSync(folder);
  const { allocations, stacks } = decodeAllocationLog(readFileSync(join(folder, name)));
  const texts = stacks.map(framesOf);
  return Array.from(
    { length: allocations.length },
    (_, at) => `${allocations.calls[at]} ${allocations.amounts[at]} ${texts[allocations.stacks[at]!]}`,
  );
}

function framesOf({ addresses, modules }: LoggedStack): string {
  return addresses
    .map((address) => {
      const module = modules.find(({ lowest, highest }) => address >= lowest && address < highest);
      return module === undefined ? "?" : `${basename(module.path)}+${address - module.bias}`;
    })
    .join(" ");
}

describe.runIf(canTrace)("stacks by remembered rules are those of the unwinder (needs cc)", () => {
  beforeAll(() => {
    for (const [name, words] of Object.entries(traced)) {
      const library = join(programs.folder, `${name}.so`);
      const flags = ["-std=gnu11", "-O2", "-shared", "-fPIC", ...words, "-o", library, source, "-pthread", "-ldl"];
      const { status, stderr } = spawnSync("cc", flags, { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    }
  });

  test.each([
    ["C, not optimised", frames, "cc", ["-O0"]],
    ["C, optimised", frames, "cc", ["-O2"]],
    ["C with frame pointers", frames, "cc", ["-O2", "-fno-omit-frame-pointer"]],
    ["C without unwind tables", frames, "cc", ["-O2", "-fno-asynchronous-unwind-tables"]],
    ["C++, not optimised", exceptions, "c++", ["-O0"]],
    ["C++, optimised", exceptions, "c++", ["-O2"]],
  ])("%s", (_, text, compiler, words) => {
    if (!have(compiler)) return;
    const program = programs.build(`frames-${compiler}-${words.join("")}`, text, compiler, words);
    const calls = callsOf(program, "rules");
    expect(calls.length).toBeGreaterThan(200);
    expect(new Set(calls).size).toBeGreaterThan(5);
    expect(calls).toEqual(callsOf(program, "unwinder"));
  });
});
