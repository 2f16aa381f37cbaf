import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildInstrumented, clock } from "../../../test/programs/instrumented-programs.ts";
import { have, scratchShell } from "../../../test/programs/scratch-shell.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { trace } from "./trace.ts";

const { folder, scratch, shell } = scratchShell();

interface Row {
  readonly uid: string;
  readonly amount: number;
  readonly exclusive: number;
  readonly order: number;
  readonly timestamp: number;
  readonly size: number | undefined;
  readonly thread: number;
  readonly process: number | undefined;
  readonly ending: string | undefined;
  readonly location: string;
}

type Params = Readonly<Record<string, Value>>;

type Profile = Readonly<Record<"resources", Record<string, Record<string, number[]>>>> & {
  readonly resource_type_map: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

async function documentOf(cmd: string, params: Params = {}): Promise<Profile> {
  const job = { cmd, workload: "", directory: folder, params: new Map(Object.entries(params)), machine: new Map() };
  return JSON.parse(new TextDecoder().decode(encodeProfile(await trace.collect(job, shell)))) as Profile;
}

/** Rows in order of entry. */
async function rowsOf(cmd: string, params: Params = {}): Promise<Row[]> {
  const { resources, resource_type_map } = await documentOf(cmd, { engine: "instrument", ...params });
  const rows = Object.entries(resources).flatMap(([id, columns]) => {
    const { uid, thread, process, ending, location, type, subtype, workload } = resource_type_map[id]!;
    expect([type, subtype, workload]).toEqual(["mixed", "time delta", ""]);
    const cell = (name: string, at: number): number => columns[name]![at]!;
    return columns["amount"]!.map((amount, at) => ({
      uid: uid as string,
      amount,
      exclusive: cell("exclusive", at),
      order: cell("call-order", at),
      timestamp: cell("timestamp", at),
      size: columns["structure-unit-size"]?.[at],
      thread: thread as number,
      process: process as number | undefined,
      ending: ending as string | undefined,
      location: location as string,
    }));
  });
  return rows.toSorted(
    (a, b) =>
      (a.process ?? 0) - (b.process ?? 0) || a.thread - b.thread || a.timestamp - b.timestamp || b.amount - a.amount,
  );
}

function build(name: string, source: string, compiler = "cc", flags: readonly string[] = []): string {
  return buildInstrumented(folder, name, source, compiler, flags);
}

const tools = have("cc") && have("nm") && process.platform === "linux";

describe.runIf(tools)("an instrumented C program (needs cc and nm)", () => {
  let known: string;
  beforeAll(() => {
    known = build(
      "known",
      `${clock}
static void leaf(void) { spend(3); }
static void branch(int n) {
  spend(10);
  for (int i = 0; i < n; i++) leaf();
  spend(1);
}
int main(void) {
  for (int i = 0; i < 4; i++) branch(i);
  spend(100);
  return 0;
}
`,
    );
  });

  test("records inclusive and exclusive times of all calls", async () => {
    const rows = await rowsOf(known);
    const of = (uid: string): unknown[] =>
      rows
        .filter((row) => row.uid === uid)
        .map(({ amount, exclusive, order, timestamp }) => [amount, exclusive, order, timestamp]);
    expect(of("main")).toEqual([[162, 100, 0, 0]]);
    expect(of("branch")).toEqual([
      [11, 11, 0, 0],
      [14, 11, 1, 11],
      [17, 11, 2, 25],
      [20, 11, 3, 42],
    ]);
    expect(of("leaf").map((row) => (row as number[])[0])).toEqual([3, 3, 3, 3, 3, 3]);
    expect(new Set(rows.map((row) => row.location))).toEqual(new Set(["known"]));
  });

  test("a function called 1,000 times has 1,000 records; a sampled one every Nth", async () => {
    const cmd = build(
      "thousand",
      `${clock}
static void often(void) { spend(2); }
static void seldom(void) { spend(5); often(); }
int main(void) {
  for (int i = 0; i < 900; i++) often();
  for (int i = 0; i < 100; i++) seldom();
  return 0;
}
`,
    );
    const counts = async (params: Params): Promise<Record<string, number>> => {
      const names = (await rowsOf(cmd, params)).map((row) => row.uid);
      return Object.fromEntries(
        [...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]),
      );
    };
    expect(await counts({})).toEqual({ main: 1, often: 1000, seldom: 100 });
    expect(await counts({ func: "often#100\nthousand#seldom" })).toEqual({ often: 10, seldom: 100 });
    expect(await counts({ strategy: "u_sampled" })).toEqual({ main: 1, often: 50, seldom: 5 });
    expect(await counts({ strategy: "userspace", func: "often#500" })).toEqual({ main: 1, often: 2, seldom: 100 });
    const sampled = (await rowsOf(cmd, { "global-sampling": 100 }))
      .filter((row) => row.uid === "often")
      .map((row) => row.order);
    expect(sampled).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    await expect(rowsOf(cmd, { limit: 1001 })).rejects.toThrow("its functions are called more than 1001 times");
    expect(await rowsOf(cmd, { limit: 1101 })).toHaveLength(1101);
  });

  test("recursion: each call is nested in the previous one", async () => {
    const work = "static int factorial(int n) { spend(7); return n < 2 ? 1 : n * factorial(n - 1); }";
    const cmd = build("deep", `${clock}${work}\nint main(void) { return factorial(5) != 120; }\n`);
    const rows = (await rowsOf(cmd)).filter((row) => row.uid === "factorial");
    expect(rows.map(({ amount, exclusive }) => [amount, exclusive])).toEqual(
      [5, 4, 3, 2, 1].map((depth) => [depth * 7, 7]),
    );
  });

  test("measures optimised programs with inlining and tail calls", async () => {
    const source = `${clock}
static int count;
static void tail(void) { spend(1); count++; }
static inline int twice(int n) { spend(2); return 2 * n; }
__attribute__((noinline)) static int fibonacci(int n) {
  spend(1);
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__attribute__((noinline)) static void work(int n) {
  count += twice(n) + twice(n + 1);
  tail();
}
int main(void) {
  work(3);
  return fibonacci(12) != 144;
}
`;
    const plain = await rowsOf(build("plain", source, "cc", ["-O0"]));
    const fast = await rowsOf(build("fast", source, "cc", ["-O3"]));
    const times = (rows: Row[]): unknown =>
      rows.map(({ uid, amount, exclusive, ending }) => [uid, amount, exclusive, ending]).toSorted();
    expect(times(fast)).toEqual(times(plain));
    expect(fast.filter((row) => row.uid === "fibonacci")).toHaveLength(465);
  });

  test("marks calls left by longjmp, which do not include later time", async () => {
    const source = `#include <setjmp.h>
${clock}
static jmp_buf back;
__attribute__((noinline)) static void jump(int n) { spend(4); if (n % 2) longjmp(back, 1); spend(1); }
__attribute__((noinline)) static void through(int n) { spend(2); jump(n); spend(3); }
static void after(void) { spend(10); }
static void round_(int n) {
  if (setjmp(back) == 0) through(n);
  after();
}
int main(void) {
  for (int n = 0; n < 6; n++) round_(n);
  return 0;
}
`;
    for (const level of ["-O0", "-O2"]) {
      const rows = await rowsOf(build(`jumps${level}`, source, "cc", [level]));
      const of = (uid: string): unknown[] =>
        rows.filter((row) => row.uid === uid).map(({ amount, ending }) => [amount, ending]);
      const [whole, left] = [undefined, "left by a jump"];
      expect(of("jump").toSorted()).toEqual([
        ...Array.from({ length: 3 }, () => [4, left]),
        ...Array.from({ length: 3 }, () => [5, whole]),
      ]);
      expect(of("through").toSorted()).toEqual([
        ...Array.from({ length: 3 }, () => [10, whole]),
        ...Array.from({ length: 3 }, () => [6, left]),
      ]);
      expect(of("after")).toEqual(Array.from({ length: 6 }, () => [10, whole]));
      expect(of("round_").map((row) => (row as number[])[0])).toEqual([20, 16, 20, 16, 20, 16]);
      const sum = rows.reduce((all, row) => all + row.exclusive, 0);
      expect([sum, rows[0]]).toMatchObject([108, { uid: "main", amount: 108 }]);
    }
  });

  test("a function that longjmp returns to may return immediately, also when recursive", async () => {
    const source = `#include <setjmp.h>
${clock}
static jmp_buf back;
__attribute__((noinline)) static int nest(int depth) {
  spend(1);
  if (depth == 0) longjmp(back, 1);
  if (depth != 2 || setjmp(back) == 0) nest(depth - 1);
  return depth;
}
int main(void) { return nest(3) + nest(2) != 5; }
`;
    for (const level of ["-O0", "-O2"]) {
      const rows = await rowsOf(build(`nest${level}`, source, "cc", [level]));
      const left = "left by a jump";
      expect(rows.map(({ uid, amount, exclusive, ending }) => [uid, amount, exclusive, ending])).toEqual([
        ["main", 7, 0, undefined],
        ["nest", 4, 1, undefined],
        ["nest", 3, 1, undefined],
        ["nest", 2, 1, left],
        ["nest", 1, 1, left],
        ["nest", 3, 1, undefined],
        ["nest", 2, 1, left],
        ["nest", 1, 1, left],
      ]);
    }
  });

  test.each([
    ["exit", "exit(0);", "0"],
    ["leave", "_exit(0);", "0"],
    ["kill", "raise(SIGKILL);", "SIGKILL"],
    ["abort", "abort();", "SIGABRT"],
    ["crash", "*(volatile int *)0 = 1;", "SIGSEGV"],
  ])("calls that are open at the end by %s are there", async (name, end, status) => {
    const cmd = build(
      `end-${name}`,
      `#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
${clock}
static void done(void) { spend(1); }
static void last(void) { spend(2); done(); ${end} }
int main(void) { done(); last(); return 0; }
`,
    );
    const params = { "allow-failure": true };
    expect(await documentOf(cmd, { ...params, engine: "instrument" })).toMatchObject({
      execution: { status: [status === "0" ? 0 : status] },
    });
    const rows = (await rowsOf(cmd, params)).map(({ uid, amount, ending }) => [uid, amount, ending]).toSorted();
    const open = "open at the end";
    expect(rows).toEqual([
      ["done", 1, undefined],
      ["done", 1, undefined],
      ["last", 3, open],
      ["main", 4, open],
    ]);
  });

  test("threads have their own rows; none is lost among thousands of short ones", async () => {
    const cmd = build(
      "threads",
      `#include <pthread.h>
static void step(void) {}
static void *work(void *count) {
  for (long i = 0; i < (long)count; i++) step();
  return 0;
}
int main(void) {
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, (void *)5000);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < 2000; i++) {
    pthread_create(&threads[0], 0, work, (void *)3);
    pthread_join(threads[0], 0);
  }
  return 0;
}
`,
    );
    const rows = await rowsOf(cmd);
    const steps = new Map<number, number>();
    for (const row of rows) if (row.uid === "step") steps.set(row.thread, (steps.get(row.thread) ?? 0) + 1);
    expect([...steps.values()].filter((count) => count === 5000)).toHaveLength(8);
    expect([...steps.values()].filter((count) => count === 3)).toHaveLength(2000);
    expect([rows.filter((row) => row.uid === "work").length, rows.every((row) => row.ending === undefined)]).toEqual([
      2008,
      true,
    ]);
    for (const row of rows) expect(row.amount).toBeGreaterThanOrEqual(row.exclusive);
    // New threads write after those that exited.
    const environment = { PERFKEEP_CALLS: join(scratch, "logs") };
    mkdirSync(environment.PERFKEEP_CALLS);
    await shell.run([cmd], { directory: folder, environment, preload: await shell.library("calls.c") });
    const sizes = readdirSync(environment.PERFKEEP_CALLS).map(
      (name) => statSync(join(environment.PERFKEEP_CALLS, name)).size,
    );
    expect(Math.max(...sizes)).toBeLessThan(4 << 20);
    rmSync(environment.PERFKEEP_CALLS, { recursive: true });
  });

  test("children have their own rows, after fork and exec; calls open at a fork belong to the parent", async () => {
    const inner = build("inner", `static void within(void) {}\nint main(void) { within(); return 0; }\n`);
    const cmd = build(
      "forks",
      `#include <sys/wait.h>
#include <unistd.h>
static void parent(void) {}
static void child(void) {}
static int start(void) {
  if (fork() == 0) {
    if (fork() == 0) return execl("${inner}", "${inner}", (char *)0);
    wait(0);
    child();
    return 0;
  }
  wait(0);
  parent();
  return 0;
}
int main(void) { return start(); }
`,
    );
    const rows = (await rowsOf(cmd)).map(({ uid, process, location, ending }) => [process, location, uid, ending]);
    expect(rows.toSorted()).toEqual([
      [1, "forks", "main", undefined],
      [1, "forks", "parent", undefined],
      [1, "forks", "start", undefined],
      [2, "forks", "child", undefined],
      [3, "inner", "main", undefined],
      [3, "inner", "within", undefined],
    ]);
  });

  test("records functions of libraries, also of one that replaces another", async () => {
    for (const name of ["one", "two"]) build(`lib${name}.so`, `void ${name}(void) {}\n`, "cc", ["-shared", "-fPIC"]);
    const cmd = build(
      "late",
      `#include <dlfcn.h>
int main(void) {
  const char *names[] = {"one", "two"}, *paths[] = {"./libone.so", "./libtwo.so"};
  for (int i = 0; i < 4; i++) {
    void *library = dlopen(paths[i % 2], RTLD_NOW);
    if (!library) return 1;
    ((void (*)(void))dlsym(library, names[i % 2]))();
    dlclose(library);
  }
  return 0;
}
`,
      "cc",
      ["-ldl"],
    );
    const uids = async (params: Params): Promise<string[]> =>
      (await rowsOf(cmd, params)).map((row) => `${row.location} ${row.uid}`);
    const [one, two] = ["libone.so one", "libtwo.so two"];
    expect(await uids({})).toEqual(["late main", one, two, one, two]);
    expect(await uids({ libs: "libtwo.so" })).toEqual(["late main", two, two]);
    expect(await uids({ libs: "libtwo.so\nlibone.so", func: "libone.so#one" })).toEqual([one, one]);
    expect(await uids({ binary: "libone.so" })).toEqual([one, one]);
  });

  test("measures correctly with signal handlers, jumps out of them, and alternate stacks", async () => {
    const cmd = build(
      "signals",
      `#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
${clock}
static sigjmp_buf back;
static int is_out;
static void handled(int number) { (void)number; spend(5); if (is_out) siglongjmp(back, 1); }
static void raises(void) { spend(1); raise(SIGUSR1); spend(1); }
int main(void) {
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = handled, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  raises();
  is_out = 1;
  if (sigsetjmp(back, 1) == 0) raises();
  is_out = 0;
  raises();
  return 0;
}
`,
    );
    const rows = (await rowsOf(cmd)).map(({ uid, amount, ending }) => [uid, amount, ending]);
    const left = "left by a jump";
    expect(rows).toEqual([
      ["main", 20, undefined],
      ["raises", 7, undefined],
      ["handled", 5, undefined],
      ["raises", 6, left],
      ["handled", 5, left],
      ["raises", 7, undefined],
      ["handled", 5, undefined],
    ]);
  });

  test("records sizes that functions report with their calls", async () => {
    const cmd = build(
      "sizes",
      `#include "perfkeep.h"
${clock}
static void inner(long n) { spend(n); PERFKEEP_SIZE(n); }
static void outer(long n) { PERFKEEP_SIZE(1); inner(n * n); PERFKEEP_SIZE(n); }
int main(void) { for (long n = 1; n < 4; n++) outer(n); return 0; }
`,
      "cc",
      ["-DPERFKEEP", "-I", await shell.shipped("include")],
    );
    const rows = (await rowsOf(cmd)).map(({ uid, size }) => [uid, size]);
    expect(rows.filter(([uid]) => uid === "outer").map(([, size]) => size)).toEqual([1, 2, 3]);
    expect(rows.filter(([uid]) => uid === "inner").map(([, size]) => size)).toEqual([1, 4, 9]);
    expect(rows.filter(([uid]) => uid === "main")).toEqual([["main", undefined]]);
    expect((await rowsOf(cmd, { func: "outer" })).map(({ size }) => size)).toEqual([1, 2, 3]);
  });

  test("keeps calls before a timeout if failures are allowed", async () => {
    const cmd = build(
      "endless",
      `#include <unistd.h>\nstatic void once(void) {}\nint main(void) { once(); for (;;) pause(); }\n`,
    );
    await expect(rowsOf(cmd, { timeout: 0.5 })).rejects.toThrow("did not end within 0.5 s");
    const rows = await rowsOf(cmd, { timeout: 0.5, "allow-failure": true });
    expect(rows.map(({ uid, ending }) => [uid, ending])).toEqual([
      ["main", "open at the end"],
      ["once", undefined],
    ]);
  });

  test("reports why a program cannot be traced", async () => {
    const failing = async (cmd: string, params: Params = {}): Promise<unknown> =>
      rowsOf(cmd, params).catch((error: unknown) => error);
    expect(
      isFailure(await failing(build("fixed", "int main(void) { return 0; }\n", "cc", ["-static"])), "untraceable"),
    ).toBe(true);
    await expect(rowsOf("./fixed")).rejects.toThrow("it did not load the tracing library");
    const deaf = build("deaf", "int main(void) { return 0; }\n", "cc", ["-fno-instrument-functions"]);
    await expect(rowsOf(deaf)).rejects.toThrow("none of the traced functions was called");
    expect(isFailure(await failing("./known", { func: "braches" }), "unknown-function")).toBe(true);
  });
});

describe.runIf(tools && have("c++"))("an instrumented C++ program (needs c++ and nm)", () => {
  test("calls end at exceptions; functions are selected by any of their names", async () => {
    const cmd = build(
      "throws",
      `${clock}
namespace deep {
struct List {
  void insert(int n) { spend(4); if (n % 2) throw n; spend(1); }
  template <class T> T at(T index) { spend(1); return index; }
};
}
static void through(deep::List &list, int n) { spend(1); list.insert(n); spend(1); }
int main() {
  deep::List list;
  for (int n = 0; n < 4; n++)
    try { through(list, n); } catch (int) { spend(20); }
  auto last = [&](long index) { return list.at(index); };
  return last(0);
}
`,
      "c++",
    );
    const rows = (await rowsOf(cmd)).map(({ uid, amount, ending }) => [uid, amount, ending]);
    const of = (name: string): unknown[] =>
      rows.filter(([uid]) => uid === name).map(([, amount, ending]) => [amount, ending]);
    expect(of("deep::List::insert(int)")).toEqual([5, 4, 5, 4].map((amount) => [amount, undefined]));
    expect(of("through(deep::List&, int)")).toEqual([7, 5, 7, 5].map((amount) => [amount, undefined]));
    expect(of("main")).toEqual([[65, undefined]]);
    const uids = async (func: string, more: Params = {}): Promise<string[]> => [
      ...new Set((await rowsOf(cmd, { func, ...more })).map((row) => row.uid)),
    ];
    for (const name of ["insert", "deep::List::insert", "deep::List::insert(int)", "_ZN4deep4List6insertEi"])
      expect(await uids(name)).toEqual(["deep::List::insert(int)"]);
    expect(await uids("at<long>")).toEqual(["long deep::List::at<long>(long)"]);
    expect(await uids("insert", { mangled: true })).toEqual(["_ZN4deep4List6insertEi"]);
    expect(await uids("main::{lambda(long)#1}::operator()#1")).toEqual([
      "main::{lambda(long)#1}::operator()(long) const",
    ]);
  });
});

test("leaves no files", () => {
  expect(readdirSync(scratch)).toEqual([]);
});
