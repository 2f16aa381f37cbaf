import { describe, expect, test } from "vitest";
import { canTrace, MeasuredPrograms } from "../../../test/programs/measured-programs.ts";

const programs = new MeasuredPrograms();

describe.runIf(canTrace)("allocations of a C program (needs cc and addr2line)", () => {
  test("each call is a row with its bytes and call stack", async () => {
    const cmd = programs.build(
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
    const rows = await programs.rows(cmd);
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

  test("realloc records the old address; realloc to 0 frees; failed calls are not recorded", async () => {
    const cmd = programs.build(
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
    const rows = await programs.rows(cmd);
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
    const cmd = programs.build(
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
    const rows = (await programs.rows(cmd, { sampling: 3600 })).filter((row) => row.uid.function === "work");
    for (let size = 10; size < 18; size++) expect(rows.filter((row) => row.amount === size)).toHaveLength(5000);
    expect(rows.filter((row) => row.call === "free")).toHaveLength(40_000);
    const held = new Set<number>();
    const wrong: number[] = [];
    for (const { call, address } of rows) {
      if (held.has(address) !== (call === "free")) wrong.push(address);
      if (call === "free") held.delete(address);
      else held.add(address);
    }
    expect(wrong).toEqual([]);
  });
  test("snapshots have the configured length and record their end", async () => {
    const cmd = programs.build(
      "slow",
      "#include <stdlib.h>\n#include <unistd.h>\n" +
        "int main(void) {\n  void *a = malloc(1);\n  usleep(60000);\n  return !a || !malloc(2);\n}\n",
    );
    const rows = await programs.rows(cmd, { sampling: 0.05 });
    expect(rows[0]).toMatchObject({ snapshot: 0, time: "0.05" });
    expect(rows[1]!.snapshot).toBeGreaterThan(0);
    expect(rows[1]!.time).toBe(String(Number(((rows[1]!.snapshot + 1) * 0.05).toPrecision(12))));
  });

  test("records the measurement like Perun", async () => {
    expect(await programs.document("./calls", { "no-func": "x" })).toMatchObject({
      header: { type: "memory", cmd: "./calls", workload: "", units: { memory: "B" } },
      collector_info: { name: "memory", params: { sampling: 0.001, "no-func": ["x"], "no-source": [], all: false } },
      execution: { status: [0] },
    });
  });
});
