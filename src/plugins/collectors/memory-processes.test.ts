import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { canTrace, MeasuredPrograms } from "../../../test/programs/measured-programs.ts";

const programs = new MeasuredPrograms();

describe.runIf(canTrace)("start and end of programs (needs cc and addr2line)", () => {
  test.each([
    ["abort", "SIGABRT", "abort();"],
    ["kill", "SIGKILL", "raise(SIGKILL);"],
    ["exit", 3, "_exit(3);"],
  ] as const)("what happened before the end by %s is there", async (name, status, end) => {
    const cmd = programs.build(
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
    expect(await programs.document(cmd, { "allow-failure": true })).toMatchObject({ execution: { status: [status] } });
    expect((await programs.rows(cmd, { "allow-failure": true })).filter((row) => row.amount === 48)).toHaveLength(100);
    await expect(programs.rows(cmd)).rejects.toThrow(status === 3 ? "exited with status 3" : `was ended by ${status}`);
  });

  test("children have their own rows, after fork and exec", async () => {
    const inner = programs.build(
      "inner",
      `#include <stdlib.h>\nint main(void) {\n  free(malloc(7));\n  return 0;\n}\n`,
    );
    const cmd = programs.build(
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
    const rows = await programs.rows(cmd);
    expect(rows.map(({ call, amount, uid, process }) => [call, amount, uid.source, process])).toEqual([
      ["malloc", 1, "forks.c", 1],
      ["malloc", 2, "forks.c", 2],
      ["malloc", 7, "inner.c", 3],
      ["free", 0, "inner.c", 3],
      ["malloc", 3, "forks.c", 1],
    ]);
  });

  test("traces a child that was forked while a thread held the loader's lock", async () => {
    const cmd = programs.build(
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
    const rows = await programs.rows(cmd, { sampling: 3600, timeout: 30 });
    expect(rows.filter((row) => row.amount === 77).map((row) => row.trace)).toEqual(
      Array.from({ length: 10 }, () => "main:20"),
    );
  });

  test("reports why a program cannot be traced: too many allocations, or linked statically", async () => {
    const busy = programs.build(
      "busy",
      `#include <stdlib.h>\nint main(void) {\n  for (int i = 0; i < 600; i++) free(malloc(1));\n  return 0;\n}\n`,
    );
    await expect(programs.rows(busy, { limit: 999 })).rejects.toThrow("it allocates and frees more than 999 times");
    const cmd = programs.build("fixed", "int main(void) { return 0; }\n", "cc", ["-static"]);
    const failure: unknown = await programs.rows(cmd).catch((error: unknown) => error);
    expect(isFailure(failure, "untraceable")).toBe(true);
    await expect(programs.rows(cmd)).rejects.toThrow("it did not load the tracing library");
  });

  test("leaves no files", async () => {
    const cmd = programs.build("tidy", `int main(void) { return 0; }\n`);
    const folder = join(programs.folder, "scratch");
    mkdirSync(folder);
    vi.stubEnv("TMPDIR", folder);
    await programs.rows(cmd, { all: true });
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
  });
});
