import { spawnSync } from "node:child_process";
import { readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { have, scratchShell } from "../../../test/programs/scratch-shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { trace } from "./trace.ts";
import { hasUprobes } from "./trace-uprobes.ts";

const { folder, scratch, shell } = scratchShell();

type Params = Readonly<Record<string, Value>>;

interface Row {
  readonly uid: string;
  readonly amount: number;
  readonly exclusive: number;
  readonly order: number;
  readonly timestamp: number;
  readonly size: number | undefined;
  readonly thread: number;
  readonly process: number | undefined;
}

async function documentOf(cmd: string, params: Params = {}): Promise<Record<string, never>> {
  const all = new Map<string, Value>(Object.entries({ engine: "uprobes", ...params }));
  const run = await trace.collect({ cmd, workload: "", directory: folder, params: all, machine: new Map() }, shell);
  return JSON.parse(new TextDecoder().decode(encodeProfile(run))) as Record<string, never>;
}

async function rowsOf(cmd: string, params: Params = {}): Promise<Row[]> {
  const { resources, resource_type_map } = (await documentOf(cmd, params)) as unknown as {
    resources: Record<string, Record<string, number[]>>;
    resource_type_map: Record<string, { uid: string; thread: number; process?: number }>;
  };
  const rows = Object.entries(resources).flatMap(([id, columns]) =>
    columns["amount"]!.map((amount, at) => ({
      ...resource_type_map[id]!,
      process: resource_type_map[id]!.process,
      amount,
      exclusive: columns["exclusive"]![at]!,
      order: columns["call-order"]![at]!,
      timestamp: columns["timestamp"]![at]!,
      size: columns["structure-unit-size"]?.[at],
    })),
  );
  return rows.toSorted((a, b) => a.timestamp - b.timestamp);
}

const source = `#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline, noclone))
/* What the macros of sys/sdt.h make. */
#define PROBE(name) __asm__ volatile( \\
  "990: nop\\n.pushsection .note.stapsdt,\\"\\",\\"note\\"\\n" \\
  ".balign 4\\n.4byte 992f-991f,994f-993f,3\\n991: .asciz \\"stapsdt\\"\\n" \\
  "992: .balign 4\\n993: .8byte 990b\\n.8byte _.stapsdt.base\\n.8byte 0\\n" \\
  ".asciz \\"work\\"\\n.asciz \\"" #name "\\"\\n.asciz \\"\\"\\n" \\
  "994: .balign 4\\n.popsection\\n.ifndef _.stapsdt.base\\n" \\
  ".pushsection .stapsdt.base,\\"aG\\",\\"progbits\\",.stapsdt.base,comdat\\n" \\
  ".weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n_.stapsdt.base: .space 1\\n" \\
  ".size _.stapsdt.base,1\\n.popsection\\n.endif\\n")
static volatile long work;
APART static void leaf(long n) { work += n; }
APART static void branch(long n, long size) { for (int i = 0; i < n; i++) leaf(i); work += size; }
APART static int deep(int n) { leaf(n); return n < 2 ? 1 : deep(n - 1) + (int)(work * 0); }
static void *thread(void *nothing) { branch(5, 1); return nothing; }
int main(int count, char **words) {
  for (int i = 0; i < 1000; i++) leaf(i);
  for (long i = 0; i < 4; i++) branch(i, 10 * i);
  deep(6);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
  if (fork() == 0) { deep(2); _exit(0); }
  wait(0);
  for (int i = 0; i < 3; i++) { PROBE(round_begin); usleep(2000); PROBE(round_end); PROBE(tick); }
  return count > 1 ? words[1][0] - '0' : 0;
}
`;

// A kernel may meet the requirements and refuse nevertheless.
async function works(): Promise<boolean> {
  if (!(await hasUprobes(shell)) || !["cc", "nm", "readelf"].every(have)) return false;
  const script = `uprobe:${realpathSync(process.execPath)}:main { } BEGIN { exit(); }`;
  const { stderr } = spawnSync("bpftrace", ["-e", script], { encoding: "utf8", timeout: 20_000 });
  return !/Error attaching|could not|No such/i.test(
    stderr.replaceAll(/^.*(?:uprobe_events|detach probe|RLIMIT_MEMLOCK).*$/gm, ""),
  );
}

describe.runIf(await works())("bpftrace (needs root, uprobes, bpftrace, cc and binutils)", () => {
  let rows: Row[];
  beforeAll(async () => {
    writeFileSync(join(folder, "it's work.c"), source);
    const { status, stderr } = spawnSync(
      "cc",
      ["-O1", "-fno-optimize-sibling-calls", "-pthread", "-o", "it's work", "it's work.c"],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(stderr);
    rows = await rowsOf(`"./it's work"`);
  });

  const count = (all: readonly Row[], uid: string): number => all.filter((row) => row.uid === uid).length;

  test("leaves out functions that are called too often, unless they are selected", async () => {
    const hot = `static volatile long sum;
__attribute__((noinline)) void leaf(long n) { sum += n; }
__attribute__((noinline)) void round(long n) { for (long i = 0; i < n; i++) leaf(i); }
int main(void) { for (int i = 0; i < 20; i++) round(20000); return 0; }
`;
    writeFileSync(join(folder, "hot.c"), hot);
    expect(spawnSync("cc", ["-O1", "-o", "hot", "hot.c"], { cwd: folder }).status).toBe(0);
    const notices: string[] = [];
    const params = new Map<string, Value>([["engine", "uprobes"]]);
    const job = { cmd: "./hot", workload: "", directory: folder, params, machine: new Map() };
    const run = await trace.collect(job, shell, undefined, (text) => notices.push(text));
    expect(notices).toEqual([
      expect.stringMatching(/^not traced, since they are called too often: leaf \(\d+\+? calls\); select functions/),
    ]);
    const document = new TextDecoder().decode(encodeProfile(run));
    expect(document).toContain('"round"');
    expect(document).not.toContain('"leaf"');
  });

  test("records each call of each function, thread and process, for any program name", () => {
    const main = rows.filter((row) => row.process === 1);
    expect([count(main, "leaf"), count(main, "branch"), count(main, "deep"), count(main, "main")]).toEqual([
      1000 + 6 + 6 + 5,
      5,
      6,
      1,
    ]);
    expect(rows.filter((row) => row.process === 2).map((row) => row.uid)).toEqual(["deep", "leaf", "deep", "leaf"]);
    expect(rows.filter((row) => row.thread === 2).map((row) => row.uid)).toEqual([
      "thread",
      "branch",
      "leaf",
      "leaf",
      "leaf",
      "leaf",
      "leaf",
    ]);
    for (const row of rows) expect(row.amount).toBeGreaterThanOrEqual(row.exclusive);
    const deep = main.filter((row) => row.uid === "deep");
    expect(deep.every((row, at) => at === 0 || row.amount < deep[at - 1]!.amount)).toBe(true);
    expect(deep.map((row) => row.order)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("arguments, chosen functions and sampling", async () => {
    const some = await rowsOf(`"./it's work"`, { func: "branch:2\nleaf#100" });
    expect(some.filter((row) => row.uid === "branch" && row.thread === 1).map((row) => row.size)).toEqual([
      0, 10, 20, 30,
    ]);
    expect(count(some, "leaf")).toBe(Math.ceil((1000 + 6 + 6 + 5 + 2) / 100));
    expect(new Set(some.map((row) => row.uid))).toEqual(new Set(["branch", "leaf"]));
  });

  test("static probes: pairs last from begin to end, single ones until their next hit", async () => {
    const some = await rowsOf(`"./it's work"`, { usdt: "round_begin\nwork:tick" });
    expect(new Set(some.map((row) => row.uid))).toEqual(new Set(["work:round_begin", "work:tick"]));
    expect([count(some, "work:round_begin"), count(some, "work:tick")]).toEqual([3, 3]);
    for (const row of some.filter((each) => each.uid === "work:round_begin"))
      expect(row.amount).toBeGreaterThanOrEqual(2000);
    expect(count(await rowsOf(`"./it's work"`, { "with-usdt": true }), "work:tick")).toBe(3);
    await expect(rowsOf(`"./it's work"`, { usdt: "rund_begin" })).rejects.toThrow("did you mean round_begin?");
  });

  test("returns the program's exit status, and fails on too many calls", async () => {
    await expect(rowsOf(`"./it's work" 3`, { func: "branch" })).rejects.toThrow("exited with status 3");
    expect(await documentOf(`"./it's work" 3`, { func: "branch", "allow-failure": true })).toMatchObject({
      execution: { status: [3] },
    });
    await expect(rowsOf(`"./it's work"`, { limit: 100, strategy: "userspace" })).rejects.toThrow(
      "called more than 100 times",
    );
    await expect(rowsOf("./nothing")).rejects.toThrow("no such program");
    expect(readdirSync(scratch)).toEqual([]);
  });
});
