import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { fakeShell, type FakeProgram, type FakeShell } from "../../../test/fakes/shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { searchPath } from "../../workspace/processes/search-path.ts";
import { openShell } from "../../workspace/processes/shell.ts";
import type { Shell } from "./collector.ts";
import { counters } from "./counters.ts";

const encoder = new TextEncoder();

/** The command after `--`. */
function ended(words: readonly string[]): ReturnType<FakeProgram> {
  const [program, status] = words.slice(words.indexOf("--") + 1);
  return program === "exit" ? { status: Number(status), stderr: encoder.encode("out of luck\n") } : {};
}

/** Two processes. */
const valgrind: FakeProgram = (words) => {
  const out = words.find((word) => word.startsWith("--callgrind-out-file="))!.slice("--callgrind-out-file=".length);
  writeFileSync(out.replace("%p", "7"), "events: Ir Bc\ntotals: 1000 7\n");
  writeFileSync(out.replace("%p", "8"), "events: Ir Bc\ntotals: 24 1\n");
  return ended(words);
};

/** A fake machine with the given counts by event. */
const perfOf =
  (counts: Readonly<Record<string, string>>, outcome: ReturnType<FakeProgram> = {}): FakeProgram =>
  (words) => {
    const events = words.filter((_, at) => words[at - 1] === "-e");
    const known: Readonly<Record<string, string>> = { user_time: "5\tns", ...counts };
    writeFileSync(
      words[words.indexOf("-o") + 1]!,
      events.map((event) => `${known[event] ?? "<not supported>\t"}\t${event}\t5\t100.00\t\t\n`).join(""),
    );
    return { ...ended(words), ...outcome };
  };

const counting = perfOf({ "instructions:u": "5000\t", "cycles:u": "9000\t", "task-clock": "1.5\tmsec" });
const fake = (programs: Readonly<Record<string, FakeProgram>> = { valgrind, perf: perfOf({}) }): FakeShell =>
  fakeShell({ ...programs, work: () => ({}) });

collectorContract(counters, { cmd: "work", failing: "exit 3", shell: () => fake() });
collectorContract(counters, { cmd: "work", failing: "exit 3", shell: () => fake({ perf: counting }) });

interface Document {
  readonly resources: Record<string, Record<string, number[]>>;
  readonly resource_type_map: Record<string, Readonly<Record<string, unknown>>>;
  readonly collector_info: { readonly params: Readonly<Record<string, unknown>> };
  readonly header: { readonly units: Readonly<Record<string, string>> };
  readonly execution: unknown;
}

async function collected(
  shell: Shell,
  cmd: string,
  params: Readonly<Record<string, Value>> = {},
  directory = "/project",
): Promise<Document> {
  const run = await counters.collect(
    { cmd, workload: "", directory, params: new Map(Object.entries({ repeat: 1, ...params })), machine: new Map() },
    shell,
  );
  return JSON.parse(new TextDecoder().decode(encodeProfile(run))) as Document;
}

test("uses callgrind when the machine has no counters, and adds up its processes", async () => {
  expect(await collected(fake(), "work", { repeat: 2, warmup: 1, branches: true })).toMatchObject({
    header: {
      type: "mixed",
      units: { mixed: "event", "mixed(instructions)": "event", "mixed(conditional-branches)": "event" },
    },
    resources: { "work#0": { amount: [1024, 1024], order: [1, 2] }, "work#1": { amount: [8, 8], order: [1, 2] } },
    resource_type_map: {
      "work#0": { engine: "callgrind", event: "Ir", subtype: "instructions", type: "mixed", uid: "work" },
      "work#1": { engine: "callgrind", event: "Bc", subtype: "conditional-branches" },
    },
    collector_info: {
      name: "counters",
      params: { engine: "callgrind", cache: false, branches: true, warmup: 1, repeat: 2 },
    },
    execution: { status: [0, 0] },
  });
});

test("counts twice by default, which shows whether the counts repeat", async () => {
  expect((await collected(fake(), "work", { repeat: null })).resources).toMatchObject({
    "work#0": { amount: [1024, 1024], order: [1, 2] },
  });
});

test("reports the use of callgrind", async () => {
  const heard: string[] = [];
  const job = { cmd: "work", workload: "", directory: "/project", params: new Map(), machine: new Map() };
  await counters.collect(job, fake(), undefined, (text) => heard.push(text));
  await counters.collect(job, fake({ perf: counting }), undefined, (text) => heard.push(text));
  expect(heard).toEqual(["counting with callgrind, since perf cannot access this machine's counters"]);
});

test("uses perf when the machine has counters; omits unavailable events", async () => {
  const found = await collected(fake({ perf: counting, valgrind }), "work", { cache: true });
  expect(found).toMatchObject({
    resources: { "work#0": { amount: [5000] }, "work#1": { amount: [9000] } },
    collector_info: { params: { engine: "perf" } },
  });
  expect(Object.values(found.resource_type_map).map(({ subtype }) => subtype)).toEqual(["instructions", "cycles"]);
  expect(
    (await collected(fake({ perf: counting, valgrind }), "work", { engine: "callgrind" })).collector_info.params[
      "engine"
    ],
  ).toBe("callgrind");
});

test("counts the requested events in their units, or fails", async () => {
  const found = await collected(fake({ perf: counting }), "work", { event: "task-clock\ninstructions:u" });
  expect(found.header.units).toEqual({ "mixed(task-clock)": "ms", "mixed(instructions)": "event" });
  expect(found.resources).toMatchObject({ "work#0": { amount: [1.5] }, "work#1": { amount: [5000] } });
  await expect(collected(fake({ perf: counting }), "work", { event: "cycles:u\nbranches:u" })).rejects.toThrow(
    "perf cannot count branches here",
  );
  await expect(collected(fake(), "work", { engine: "perf" })).rejects.toThrow("perf cannot count instructions here");
});

test("records how long events with a shared counter ran", async () => {
  const perf: FakeProgram = (words) => {
    writeFileSync(
      words[words.indexOf("-o") + 1]!,
      "50\t\tcycles:u\t5\t41.50\t\t\n5\tns\tuser_time\n5\tns\tsystem_time\n",
    );
    return {};
  };
  expect((await collected(fake({ perf }), "work", { event: "cycles:u" })).resources["work#0"]).toEqual({
    amount: [50],
    order: [1],
    running: [41.5],
  });
});

test("a program that crashes under perf stat is a failure", async () => {
  const crashed = { stderr: encoder.encode("before\nwork: Segmentation fault\n") };
  const perf = perfOf({ "task-clock": "1.5\tmsec" }, crashed);
  await expect(collected(fake({ perf }), "work", { event: "task-clock" })).rejects.toThrow(
    "'work' was ended by SIGSEGV",
  );
  expect(
    (await collected(fake({ perf }), "work", { event: "task-clock", "allow-failure": true })).execution,
  ).toMatchObject({
    status: ["SIGSEGV"],
  });
});

test("repeats when perf missed the exit status of a short program", async () => {
  let calls = 0;
  const missed: FakeProgram = (...args) =>
    calls++ < 3
      ? perfOf({ "page-faults": "7\t", user_time: "<not counted>\tns" })(...args)
      : perfOf({ "page-faults": "8\t" })(...args);
  expect(
    (await collected(fake({ perf: missed }), "work", { event: "page-faults" })).resources["work#0"]!["amount"],
  ).toEqual([8]);
  const always = perfOf({ "page-faults": "7\t", user_time: "<not counted>\tns" });
  await expect(collected(fake({ perf: always }), "work", { event: "page-faults" })).rejects.toThrow(
    "perf missed its exit status",
  );
});

test("reports what is missing", async () => {
  await expect(counters.prepare(fakeShell())).rejects.toThrow("perf was not found");
  await expect(collected(fake({ perf: perfOf({}) }), "work")).rejects.toThrow("valgrind was not found");
  await expect(collected(fake({ valgrind }), "work", { event: "cycles" })).rejects.toThrow("perf was not found");
  const empty: FakeProgram = () => ({ stderr: encoder.encode("no can do\n") });
  await expect(collected(fake({ valgrind: empty }), "work")).rejects.toThrow("callgrind counted nothing: no can do");
  const refused: FakeProgram = () => ({ status: 255, stderr: encoder.encode("Access is limited.\n") });
  await expect(collected(fake({ perf: refused }), "work", { engine: "perf" })).rejects.toThrow(
    "cannot be traced: Access is limited.",
  );
});

test.each<[string, Value, string]>([
  ["event", "-x", "option event of counters"],
  ["repeat", 0, "option repeat of counters"],
])("refuses %s %s", async (name, value, message) => {
  await expect(collected(fake(), "work", { [name]: value })).rejects.toThrow(message);
  await expect(collected(fake(), "work", { engine: "callgrind", event: "cycles" })).rejects.toThrow(
    "option event of counters",
  );
});

const have = (tool: string): boolean => searchPath(tool, process.env["PATH"]) !== null;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-counters-test-")));
const shell = openShell({ environment: process.env, cacheFolder: join(folder, "cache") });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Arguments: rounds, how to exit, and whether a child does the same work. */
const source = `#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void work(long rounds) {
  volatile long sum = 0;
  for (long i = 0; i < rounds; i++) sum += i & 3 ? i : -i;
}
int main(int count, char **words) {
  work(atol(words[1]));
  if (count > 3 && fork()) { int status; wait(&status); return 0; }
  if (count > 3) work(atol(words[1]));
  if (count > 2 && !strcmp(words[2], "abort")) abort();
  return count > 2 ? atoi(words[2]) : 0;
}
`;

const canSimulate = have("valgrind") && have("cc");

describe.runIf(canSimulate)(`with valgrind and a program of C${canSimulate ? "" : " (skipped: needs both)"}`, () => {
  beforeAll(() => {
    writeFileSync(join(folder, "planted.c"), source);
    expect(spawnSync("cc", ["-g", "-O1", "-o", "planted", "planted.c"], { cwd: folder }).status).toBe(0);
  });

  const instructions = async (cmd: string, params = {}): Promise<number[]> =>
    (await collected(shell, cmd, { engine: "callgrind", ...params }, folder)).resources[
      "./planted " + cmd.slice(10) + "#0"
    ]!["amount"]!;

  test("instructions repeat within 0.1 %, and grow tenfold with ten times the rounds", async () => {
    const many = await instructions("./planted 1000000", { repeat: 3 });
    expect(Math.max(...many) / Math.min(...many)).toBeLessThan(1.001);
    const [more, none] = [await instructions("./planted 10000000"), await instructions("./planted 0")];
    expect((more[0]! - none[0]!) / (many[0]! - none[0]!)).toBeCloseTo(10, 3);
  });

  test("counts children once", async () => {
    const [alone, child, none] = [
      await instructions("./planted 1000000"),
      await instructions("./planted 1000000 0 fork"),
      await instructions("./planted 0"),
    ];
    expect((child[0]! - none[0]!) / (alone[0]! - none[0]!)).toBeCloseTo(2, 1);
  });

  test("caches and branches are simulated on request", async () => {
    const found = await collected(
      shell,
      "./planted 1000",
      { engine: "callgrind", cache: true, branches: true },
      folder,
    );
    const amounts = Object.fromEntries(
      Object.entries(found.resource_type_map).map(([id, { subtype }]) => [
        subtype as string,
        found.resources[id]!["amount"]![0]!,
      ]),
    );
    expect(Object.keys(amounts)).toHaveLength(13);
    expect(amounts["data-reads"]).toBeGreaterThan(1000);
    expect(amounts["conditional-branches"]).toBeGreaterThan(1000);
    expect(amounts["last-level-instruction-misses"]).toBeLessThanOrEqual(amounts["l1-instruction-misses"]!);
  });

  test("reports how a program failed, and counts it if failures are allowed", async () => {
    await expect(instructions("./planted 1000 3")).rejects.toThrow("exited with status 3");
    const crashed = await collected(
      shell,
      "./planted 1000 abort",
      { engine: "callgrind", "allow-failure": true },
      folder,
    );
    expect(crashed.execution).toMatchObject({ status: ["SIGABRT"] });
    expect(Object.values(crashed.resources)[0]!["amount"]![0]).toBeGreaterThan(1000);
  });
});

const canCount =
  have("perf") && have("cc") && spawnSync("perf", ["stat", "-e", "page-faults:u", "--", "true"]).status === 0;

test.runIf(canCount)(
  `perf counts, and reports crashes${canCount ? "" : " (skipped: needs cc, and perf that may count)"}`,
  async () => {
    writeFileSync(join(folder, "crash.c"), source);
    expect(spawnSync("cc", ["-O1", "-o", "crash", "crash.c"], { cwd: folder }).status).toBe(0);
    const found = await collected(shell, "./crash 1000", { event: "page-faults:u", repeat: 2 }, folder);
    expect(found.collector_info.params["engine"]).toBe("perf");
    expect(Object.values(found.resources)[0]!["amount"]![0]).toBeGreaterThan(0);
    await expect(collected(shell, "./crash 1000 abort", { event: "page-faults:u" }, folder)).rejects.toThrow(
      "was ended by SIGABRT",
    );
    await expect(collected(shell, "./crash 1000 3", { event: "page-faults:u" }, folder)).rejects.toThrow(
      "exited with status 3",
    );
  },
);
