import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFailure } from "../../core/errors.ts";
import type { Value } from "../../core/value.ts";
import { encodeProfile } from "../../formats/profile.ts";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { allocationLog } from "../../../test/fakes/allocation-log.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import { openShell } from "../../workspace/shell.ts";
import { searchPath } from "../../workspace/search-path.ts";
import { memory } from "./memory.ts";

/** A pretended program that allocates twice, and an addr2line that knows where. */
function tracingShell(): FakeShell {
  const log = allocationLog([
    { call: "malloc", amount: 8, address: 64 },
    { call: "free", amount: 0, address: 64 },
  ]);
  return fakeShell({
    work: (_, { environment, preload }) => {
      expect(preload).toBe("/cache/allocations.c.so");
      writeFileSync(join(environment!["PERFKEEP_ALLOCATIONS"]!, "7-0"), log);
      return {};
    },
    addr2line: (_, { input }) => {
      const places = new TextDecoder().decode(input).trimEnd().split("\n");
      return { stdout: new TextEncoder().encode(places.map((place) => `${place}\nmain\n/project/work.c:3 (discriminator 2)\n`).join("")) };
    },
  });
}

collectorContract(memory, { cmd: "work", failing: "exit 3", shell: tracingShell });

test.each([
  ["sampling", 0],
  ["limit", 0],
  ["limit", 1.5],
  ["timeout", -1],
])("refuses %s %d", async (name, value) => {
  const job = { cmd: "work", workload: "", directory: "/project", params: new Map([[name, value]]), machine: new Map() };
  await expect(memory.collect(job, tracingShell())).rejects.toThrow(`option ${name} of memory`);
});

test("names the tools that are missing", async () => {
  await expect(memory.prepare(fakeShell())).rejects.toThrow("addr2line was not found");
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-memory-test-")));
const shell = openShell({ environment: process.env, cacheFolder: join(folder, "cache") });
const have = (tool: string): boolean => searchPath(tool, process.env["PATH"]) !== null;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A row as a person reads it: the trace as `function:line`, inner first. */
interface Row {
  readonly call: string;
  readonly amount: number;
  readonly address: number;
  readonly old: number | undefined;
  readonly order: number;
  readonly trace: string;
  readonly uid: { readonly function: string; readonly source: string; readonly line: number };
  readonly snapshot: number;
  readonly time: string;
  readonly process: number | undefined;
}

type Params = Readonly<Record<string, Value>>;

async function documentOf(cmd: string, params: Params = {}): Promise<Record<string, unknown>> {
  const job = { cmd, workload: "", directory: folder, params: new Map(Object.entries(params)), machine: new Map() };
  return JSON.parse(new TextDecoder().decode(encodeProfile(await memory.collect(job, shell)))) as Record<string, unknown>;
}

async function rowsOf(cmd: string, params: Params = {}): Promise<Row[]> {
  const { resources, resource_type_map } = (await documentOf(cmd, params)) as {
    resources: Record<string, Record<string, number[]>>;
    resource_type_map: Record<string, Record<string, unknown>>;
  };
  const rows = Object.entries(resources).flatMap(([id, columns]) => {
    const { subtype, trace, uid, snapshot, time, process, type } = resource_type_map[id]!;
    expect(type).toBe("memory");
    return columns["amount"]!.map((amount, at) => ({
      call: subtype as string,
      amount,
      address: columns["address"]![at]!,
      old: columns["old-address"]?.[at],
      order: columns["allocation_order"]![at]!,
      trace: (trace as Row["uid"][]).map((frame) => `${frame.function}:${frame.line}`).join(" "),
      uid: uid as Row["uid"],
      snapshot: snapshot as number,
      time: time as string,
      process: process as number | undefined,
    }));
  });
  return rows.toSorted((a, b) => a.order - b.order);
}

function build(name: string, source: string, compiler = "cc", words: readonly string[] = ["-g", "-O0"]): string {
  const file = join(folder, `${name}.${compiler === "c++" ? "cpp" : "c"}`);
  writeFileSync(file, source);
  const { status, stderr } = spawnSync(compiler, [...words, "-pthread", "-o", name, file], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return `./${name}`;
}

const tools = have("cc") && have("addr2line") && process.platform === "linux";

describe.runIf(tools)("a C program (needs cc and addr2line)", () => {
  test("each call is a row with its bytes, and the calls that led there", async () => {
    const cmd = build(
      "calls",
      `#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
static void *leaf(size_t size) {
  return malloc(size);
}
static void *branch(size_t size) {
  void *made = leaf(size);
  return made;
}
int main(void) {
  void *a = branch(100);
  void *b = calloc(3, 7);
  void *c = memalign(64, 128);
  void *d = NULL;
  if (posix_memalign(&d, 64, 256)) return 1;
  void *e = aligned_alloc(64, 512);
  void *f = reallocarray(NULL, 4, 8);
  void *g = valloc(33);
  free(a); free(b); free(c); free(d); free(e); free(f); free(g); free(NULL);
  return 0;
}
`,
    );
    const rows = await rowsOf(cmd);
    expect(rows.slice(0, 7).map(({ call, amount, trace }) => [call, amount, trace])).toEqual([
      ["malloc", 100, "leaf:5 branch:8 main:12"],
      ["calloc", 21, "main:13"],
      ["memalign", 128, "main:14"],
      ["posix_memalign", 256, "main:16"],
      ["aligned_alloc", 512, "main:17"],
      ["reallocarray", 32, "main:18"],
      ["valloc", 33, "main:19"],
    ]);
    expect(rows.slice(7).map(({ call, amount, address }) => [call, amount, address])).toEqual(
      rows.slice(0, 7).map(({ address }) => ["free", 0, address]),
    );
    expect(rows[0]!.uid).toEqual({ function: "leaf", source: "calls.c", line: 5 });
  });

  test("chains of realloc name the old address; realloc to nothing gives back; what fails is no allocation", async () => {
    const cmd = build(
      "chain",
      `#include <stdlib.h>
#include <stdint.h>
int main(void) {
  char *p = NULL;
  for (int i = 0; i < 6; i++) p = realloc(p, (size_t)1000 << (2 * i));
  p = realloc(p, 0);
  volatile size_t huge = SIZE_MAX / 2;
  return malloc(huge) || calloc(huge, 4) || p;
}
`,
    );
    const rows = await rowsOf(cmd);
    expect(rows.map(({ call, amount }) => [call, amount])).toEqual([
      ["realloc", 1000],
      ["realloc", 4000],
      ["realloc", 16000],
      ["realloc", 64000],
      ["realloc", 256000],
      ["realloc", 1024000],
      ["realloc", 0],
    ]);
    expect(rows.map(({ old }) => old)).toEqual([0, ...rows.slice(0, 6).map(({ address }) => address)]);
    expect(rows[6]!.address).toBe(0);
  });

  test("no allocation of any thread is lost or counted twice", async () => {
    const cmd = build(
      "threads",
      `#include <pthread.h>
#include <stdlib.h>
static void *work(void *size) {
  for (int i = 0; i < 5000; i++) free(malloc((size_t)size));
  return NULL;
}
int main(void) {
  pthread_t threads[8];
  for (size_t i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 10));
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  return 0;
}
`,
    );
    const rows = (await rowsOf(cmd, { sampling: 3600 })).filter((row) => row.uid.function === "work");
    for (let size = 10; size < 18; size++) expect(rows.filter((row) => row.amount === size)).toHaveLength(5000);
    expect(rows.filter((row) => row.call === "free")).toHaveLength(40_000);
    const held = new Set<number>();
    for (const { call, address } of rows) {
      expect(held.has(address)).toBe(call === "free");
      if (call === "free") held.delete(address);
      else held.add(address);
    }
  });

  test.each([
    ["abort", "SIGABRT", "abort();"],
    ["kill", "SIGKILL", "raise(SIGKILL);"],
    ["exit", 3, "_exit(3);"],
  ] as const)("what happened before the end by %s is there", async (name, status, end) => {
    const cmd = build(
      `end-${name}`,
      `#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 100; i++) if (!malloc(48)) return 1;
  ${end}
}
`,
    );
    expect(await documentOf(cmd, { "allow-failure": true })).toMatchObject({ execution: { status: [status] } });
    expect((await rowsOf(cmd, { "allow-failure": true })).filter((row) => row.amount === 48)).toHaveLength(100);
    await expect(rowsOf(cmd)).rejects.toThrow(status === 3 ? "exited with status 3" : `was ended by ${status}`);
  });

  test("children have rows of their own, forked or started anew", async () => {
    const inner = build("inner", `#include <stdlib.h>\nint main(void) {\n  free(malloc(7));\n  return 0;\n}\n`);
    const cmd = build(
      "forks",
      `#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  if (!malloc(1)) return 1;
  if (fork() == 0) {
    if (!malloc(2)) return 1;
    if (fork() == 0) return execl("${inner}", "${inner}", (char *)0);
    wait(NULL);
    return 0;
  }
  wait(NULL);
  return malloc(3) == NULL;
}
`,
    );
    const rows = await rowsOf(cmd);
    expect(rows.map(({ call, amount, uid, process }) => [call, amount, uid.source, process])).toEqual([
      ["malloc", 1, "forks.c", 1],
      ["malloc", 2, "forks.c", 2],
      ["malloc", 7, "inner.c", 3],
      ["free", 0, "inner.c", 3],
      ["malloc", 3, "forks.c", 1],
    ]);
  });

  test("a child is traced that was forked while a thread held the loader's lock", async () => {
    const cmd = build(
      "held",
      `#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int over;
static int each(struct dl_phdr_info *info, size_t size, void *data) {
  free(malloc(11));
  return !info || !size || data;
}
static void *look(void *data) {
  while (!over) dl_iterate_phdr(each, NULL);
  return data;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  for (int i = 0; i < 10; i++) {
    if (fork() == 0) _exit(!malloc(77));
    int status;
    wait(&status);
  }
  over = 1;
  return pthread_join(thread, NULL);
}
`,
    );
    const rows = await rowsOf(cmd, { sampling: 3600, timeout: 30 });
    expect(rows.filter((row) => row.amount === 77).map((row) => row.trace)).toEqual(Array.from({ length: 10 }, () => "main:20"));
  });

  test("functions and sources are left out when asked, and what has no source is there when asked", async () => {
    const cmd = build(
      "filters",
      `#include <stdio.h>
#include <stdlib.h>
static void *kept(void) { return malloc(1); }
static void *dropped(void) { return malloc(2); }
int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  return !kept() || !dropped();
}
`,
    );
    const amounts = async (params: Params): Promise<number[]> => (await rowsOf(cmd, params)).map((row) => row.amount);
    expect(await amounts({})).toEqual([1, 2]);
    expect(await amounts({ "no-func": "dropped\nnothing" })).toEqual([1]);
    expect(await amounts({ "no-source": "filters.c" })).toEqual([]);
    const traces = (await rowsOf(cmd, { all: true })).map((row) => row.trace);
    expect(traces[0]).toMatch(/^kept:3 main:7 (\S+:0 )*_start:0$/);
  });

  test("a program without debug information has no rows, unless all are asked for", async () => {
    const cmd = build("bare", `#include <stdlib.h>\nint main(void) { return !malloc(5); }\n`, "cc", ["-O0"]);
    expect(await rowsOf(cmd)).toEqual([]);
    expect((await rowsOf(cmd, { all: true })).map(({ amount, uid }) => [amount, uid])).toEqual([
      [5, { function: "main", source: "unreachable", line: 0 }],
    ]);
  });

  test("a library that is loaded late, and one that takes its place, are told apart", async () => {
    for (const name of ["one", "two"])
      build(`lib${name}.so`, `#include <stdlib.h>\nvoid *${name}(void) {\n  return malloc(9);\n}\n`, "cc", ["-g", "-shared", "-fPIC"]);
    const cmd = build(
      "late",
      `#include <dlfcn.h>
int main(void) {
  const char *names[] = {"one", "two"}, *paths[] = {"./libone.so", "./libtwo.so"};
  for (int i = 0; i < 2; i++) {
    void *library = dlopen(paths[i], RTLD_NOW);
    if (!library || !((void *(*)(void))dlsym(library, names[i]))()) return 1;
    dlclose(library);
  }
  return 0;
}
`,
      "cc",
      ["-g", "-ldl"],
    );
    const traces = (await rowsOf(cmd)).filter((row) => row.amount === 9).map((row) => row.trace);
    expect(traces).toEqual(["one:3 main:6", "two:3 main:6"]);
  });

  test("snapshots are as long as asked, and tell when they end", async () => {
    const cmd = build(
      "slow",
      `#include <stdlib.h>\n#include <unistd.h>\nint main(void) {\n  void *a = malloc(1);\n  usleep(60000);\n  return !a || !malloc(2);\n}\n`,
    );
    const rows = await rowsOf(cmd, { sampling: 0.05 });
    expect(rows[0]).toMatchObject({ snapshot: 0, time: "0.05" });
    expect(rows[1]!.snapshot).toBeGreaterThan(0);
    expect(rows[1]!.time).toBe(String(Number(((rows[1]!.snapshot + 1) * 0.05).toPrecision(12))));
  });

  test("says what was measured, as Perun does", async () => {
    expect(await documentOf("./calls", { "no-func": "x" })).toMatchObject({
      header: { type: "memory", cmd: "./calls", workload: "", units: { memory: "B" } },
      collector_info: { name: "memory", params: { sampling: 0.001, "no-func": ["x"], "no-source": [], all: false } },
      execution: { status: [0] },
    });
  });

  test("says why a program cannot be traced: too many allocations, or linked statically", async () => {
    await expect(rowsOf("./threads", { limit: 999 })).rejects.toThrow("it allocates and frees more than 999 times");
    const cmd = build("fixed", "int main(void) { return 0; }\n", "cc", ["-static"]);
    const failure: unknown = await rowsOf(cmd).catch((error: unknown) => error);
    expect(isFailure(failure, "untraceable")).toBe(true);
    await expect(rowsOf(cmd)).rejects.toThrow("it did not load the tracing library");
  });

  test("leaves nothing behind", () => {
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("perfkeep-memory-") && !name.includes("-test-"))).toEqual([]);
    expect(existsSync(join(folder, "cache"))).toBe(true);
  });
});

describe.runIf(tools && have("c++"))("a C++ program (needs c++ and addr2line)", () => {
  let cmd: string;
  beforeAll(() => {
    cmd = build(
      "objects",
      `#include <cstddef>
struct Node { Node *next; char load[24]; };
template <class T> struct List {
  T *first = nullptr;
  void push() {
    T *made = new T{first, {}};
    first = made;
  }
  ~List() { while (first) { T *next = first->next; delete first; first = next; } }
};
int main() {
  List<Node> list;
  for (int i = 0; i < 1000; i++) list.push();
  int *numbers = new int[10];
  delete[] numbers;
}
`,
      "c++",
    );
  });

  test("new and delete are rows at the place of the program, under the names that people write", async () => {
    const rows = await rowsOf(cmd);
    const made = rows.filter((row) => row.call === "malloc" && row.amount === 32);
    expect(made).toHaveLength(1000);
    expect(new Set(made.map((row) => row.trace))).toEqual(new Set(["List<Node>::push():6 main:13"]));
    expect(rows.filter((row) => row.call === "free" && row.uid.function === "List<Node>::~List()")).toHaveLength(1000);
    expect(rows.filter((row) => row.amount === 40).map((row) => row.uid.line)).toEqual([14]);
  });

  test("a name alone stands for all of its prototypes", async () => {
    expect((await rowsOf(cmd, { "no-func": "List<Node>::push" })).filter((row) => row.amount === 32)).toEqual([]);
  });
});
