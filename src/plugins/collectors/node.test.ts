import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { searchPath } from "../../workspace/processes/search-path.ts";
import { openShell } from "../../workspace/processes/shell.ts";
import type { Collector, Shell } from "./collector.ts";
import { nodeHeap } from "./node-heap.ts";
import { node } from "./node.ts";

const call = (functionName: string, url = "file:///project/a%20b.mjs", lineNumber = 6): object => ({
  functionName,
  scriptId: "1",
  url,
  lineNumber,
  columnNumber: 0,
});

/** main calls spin; the thread waits for 40 us. */
const cpu = (startTime = 0): object => ({
  nodes: [
    { id: 1, callFrame: call("(root)", "", -1), children: [2, 4] },
    { id: 2, callFrame: call("main"), children: [3] },
    { id: 3, callFrame: call("") },
    { id: 4, callFrame: call("(idle)", "", -1) },
  ],
  startTime,
  endTime: startTime + 100,
  samples: [2, 3, 4, 3],
  timeDeltas: [10, 20, 20, 40],
});

const heap = {
  head: {
    callFrame: call("(root)", "", -1),
    selfSize: 0,
    children: [
      { callFrame: call("main"), selfSize: 0, children: [{ callFrame: call("keep", ""), selfSize: 64, children: [] }] },
    ],
  },
};

interface Written {
  readonly process: number;
  readonly thread: number;
  readonly profile: object;
}

/** A fake shell in which `work` starts Node.js, whose threads write profiles to the given folder. */
function fake(threads: readonly Written[] = [{ process: 7, thread: 0, profile: {} }], own?: object): FakeShell {
  return fakeShell({
    work: (_, { environment, nodeModule }) => {
      if (environment === undefined) return {};
      expect(nodeModule).toBe("node-profiler.cjs");
      const isCpu = environment["PERFKEEP_V8_KIND"] === "cpu";
      for (const { process, thread, profile } of threads) {
        const name = `${isCpu ? "CPU" : "Heap"}.0.0.${process}.${thread}.001.${isCpu ? "cpuprofile" : "heapprofile"}`;
        const json = own ?? (Object.keys(profile).length > 0 ? profile : isCpu ? cpu() : heap);
        writeFileSync(join(environment["PERFKEEP_V8_FOLDER"]!, name), JSON.stringify(json));
      }
      return {};
    },
    node: () => ({}),
  });
}

collectorContract(node, { cmd: "work", failing: "exit 3", shell: () => fake() });
collectorContract(nodeHeap, { cmd: "work", failing: "exit 3", shell: () => fake() });

interface Document {
  readonly resources: Record<string, Record<string, number[]>>;
  readonly resource_type_map: Record<
    string,
    { trace: { function: string; source?: string; line?: number }[]; uid: unknown; process?: number; thread?: number }
  >;
  readonly header: unknown;
  readonly collector_info: unknown;
  readonly execution: unknown;
}

type Params = Readonly<Record<string, Value>>;

async function collected(
  collector: Collector,
  shell: Shell,
  cmd: string,
  params: Params = {},
  directory = "/project",
): Promise<Document> {
  const run = await collector.collect(
    { cmd, workload: "", directory, params: new Map(Object.entries(params)), machine: new Map() },
    shell,
  );
  return JSON.parse(new TextDecoder().decode(encodeProfile(run))) as Document;
}

test("a row is a stack with its self time, without idle time", async () => {
  expect(await collected(node, fake(), "work", { warmup: 1, repeat: 2 })).toMatchObject({
    header: { type: "time", units: { time: "us" } },
    resources: {
      "a b.mjs:main#0": { amount: [20, 20], samples: [1, 1], order: [1, 2] },
      "a b.mjs:(anonymous):7#0": { amount: [30, 30], samples: [2, 2], order: [1, 2] },
    },
    resource_type_map: {
      "a b.mjs:(anonymous):7#0": {
        trace: [
          { function: "(anonymous)", source: "a b.mjs", line: 7 },
          { function: "main", source: "a b.mjs", line: 7 },
        ],
        subtype: "cpu",
        uid: { function: "(anonymous)", source: "a b.mjs", line: 7 },
      },
    },
    collector_info: { name: "node", params: { interval: 1000, warmup: 1, repeat: 2, inclusive: false, idle: false } },
    execution: { status: [0, 0] },
  });
});

test("optionally includes idle time and inclusive times", async () => {
  const { resources, header } = await collected(node, fake(), "work", { idle: true, inclusive: true });
  expect(resources).toEqual({
    "a b.mjs:main#0": { amount: [20], samples: [1], inclusive: [50], order: [1] },
    "a b.mjs:(anonymous):7#0": { amount: [30], samples: [2], inclusive: [30], order: [1] },
    "(idle)#0": { amount: [40], samples: [1], inclusive: [40], order: [1] },
  });
  expect(header).toMatchObject({ units: { time: "us", "time(inclusive)": "us" } });
});

test("bytes by the stack that allocated them", async () => {
  const inclusive = await collected(nodeHeap, fake(), "work", { inclusive: true });
  expect(inclusive).toMatchObject({ header: { type: "memory", units: { memory: "B", "memory(inclusive)": "B" } } });
  expect(inclusive.resources).toEqual({
    "keep#0": { amount: [64], inclusive: [64], order: [1] },
    "a b.mjs:main#0": { amount: [0], inclusive: [64], order: [1] },
  });
  expect((await collected(nodeHeap, fake(), "work")).resources).toEqual({ "keep#0": { amount: [64], order: [1] } });
});

test("numbers processes by start and threads by id, unless there is only one", async () => {
  const threads = [
    { process: 7, thread: 0, profile: cpu(500) },
    { process: 8, thread: 0, profile: cpu(100) },
    { process: 7, thread: 2, profile: cpu(700) },
  ];
  const { resource_type_map } = await collected(node, fake(threads), "work");
  expect(Object.values(resource_type_map).map(({ process, thread }) => `${process}.${thread}`)).toEqual([
    "1.0",
    "1.0",
    "2.0",
    "2.0",
    "2.2",
    "2.2",
  ]);
  const one = Object.values((await collected(node, fake(), "work")).resource_type_map)[0]!;
  expect([one.process, one.thread]).toEqual([undefined, undefined]);
});

test("reports why there is no profile", async () => {
  await expect(collected(node, fake([]), "work")).rejects.toThrow("'work' cannot be traced: no profile was written");
  await expect(collected(node, fake(undefined, { nodes: 7 }), "work")).rejects.toThrow(
    "CPU.0.0.7.0.001.cpuprofile: not a V8 profile",
  );
  await expect(node.prepare(fakeShell())).rejects.toThrow("node was not found");
});

test.each<[string, Collector, string, Value]>([
  ["node", node, "interval", 49],
  ["node-heap", nodeHeap, "interval", 0],
  ["node", node, "repeat", 0],
  ["node-heap", nodeHeap, "warmup", -1],
  ["node", node, "timeout", 0],
])("%s has limits", async (_, collector, name, value) => {
  await expect(collected(collector, fake(), "work", { [name]: value })).rejects.toThrow(
    `option ${name} of ${collector.name}`,
  );
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-node-test-")));
const cacheFolder = mkdtempSync(join(tmpdir(), "perfkeep-node-cache-"));
const shell = openShell({ environment: process.env, cacheFolder });
const isThere = searchPath("node", process.env["PATH"]) !== null;

afterAll(() => {
  for (const each of [folder, cacheFolder]) rmSync(each, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** The sum of a column over stacks that contain a function. */
function through({ resources, resource_type_map }: Document, name: string, column = "amount"): number {
  return Object.entries(resources)
    .filter(([id]) => resource_type_map[id]!.trace.some((frame) => frame.function === name))
    .reduce((sum, [, columns]) => sum + columns[column]!.reduce((total, each) => total + each), 0);
}

const spin =
  "function spin(rounds) { let sum = 0; " +
  "for (let i = 0; i < rounds; i++) sum = (sum * 31 + i) % 1000003; return sum; }\n";

describe.runIf(isThere)(`with Node.js${isThere ? "" : " (skipped: there is no node on PATH)"}`, () => {
  test("detects the function that takes three times as long", async () => {
    write(
      "busy.mjs",
      `${spin}function heavy() { return spin(6e7) + 1; }\n` +
        "function light() { return spin(2e7) + 1; }\nconsole.log(heavy() + light());\n",
    );
    const before = readdirSync(folder);
    const found = await collected(node, shell, "node busy.mjs", { interval: 200 }, folder);
    expect(through(found, "heavy")).toBeGreaterThan(through(found, "light"));
    expect(through(found, "light")).toBeGreaterThan(0);
    const heavy = Object.values(found.resource_type_map).find(
      ({ trace }) => trace[0]?.function === "spin" && trace[1]?.function === "heavy",
    );
    expect(heavy).toMatchObject({
      uid: { function: "spin", source: "busy.mjs" },
      trace: expect.arrayContaining([
        { function: "spin", source: "busy.mjs", line: 1 },
        { function: "heavy", source: "busy.mjs", line: 2 },
      ]),
    });
    expect(found.execution).toMatchObject({ status: [0], stdout: expect.stringMatching(/^\d+\n$/) });
    expect(readdirSync(folder)).toEqual(before);
  });

  test("profiles terminated threads, forks and other processes", async () => {
    const worker =
      'const { parentPort } = require("node:worker_threads"); function inWorker() { return spin(2e7); }\n' +
      `${spin}inWorker(); parentPort?.postMessage(1); setInterval(() => {}, 1000);`;
    write("worker.cjs", worker);
    write("child.cjs", `${spin}function inChild() { return spin(2e7); } inChild();`);
    write("fork.cjs", `${spin}function inFork() { return spin(2e7); } inFork();`);
    write(
      "parent.mjs",
      `import { fork, spawnSync } from "node:child_process"; import { Worker } from "node:worker_threads";
spawnSync(process.execPath, ["child.cjs"], { stdio: "inherit" });
const worker = new Worker("./worker.cjs");
worker.once("message", () => worker.terminate().then(() => fork("./fork.cjs")));`,
    );
    const found = await collected(node, shell, "node parent.mjs", {}, folder);
    const threadRows = ["inChild", "inWorker", "inFork"].map((name) =>
      Object.values(found.resource_type_map).find(({ trace }) => trace.some((frame) => frame.function === name)),
    );
    expect(threadRows.map((row) => [row?.process, row?.thread])).toEqual([
      [2, 0],
      [1, 1],
      [3, 0],
    ]);
  });

  test("profiles programs that start Node.js with preloaded modules", async () => {
    write(
      "own.cjs",
      "globalThis.own = () => { let sum = 0; for (let i = 0; i < 4e7; i++) sum += i % 7; return sum; };",
    );
    const mine = openShell({
      environment: { ...process.env, NODE_OPTIONS: `--require ${join(folder, "own.cjs")}` },
      cacheFolder,
    });
    const found = await collected(node, mine, `sh -c 'node -p "own()"'`, {}, folder);
    expect(through(found, "globalThis.own")).toBeGreaterThan(0);
  });

  test("detects the function that retains more memory", async () => {
    const keep =
      "exports.keep = function keep(count) { " +
      "return Array.from({ length: count }, (_, i) => ({ name: `item ${i}`, at: [i] })); };\n";
    const lines =
      "exports.many = function many() { return exports.keep(30000); };\n" +
      "exports.few = function few() { return exports.keep(6000); };\n";
    write("heap.cjs", `${keep}${lines}globalThis.kept = [exports.many(), exports.few()];\n`);
    const found = await collected(nodeHeap, shell, "node heap.cjs", { interval: 4096 }, folder);
    expect(through(found, "many")).toBeGreaterThan(through(found, "few"));
    expect(through(found, "few")).toBeGreaterThan(0);
    const many = Object.values(found.resource_type_map).find(({ trace }) =>
      trace.some((frame) => frame.function === "many"),
    )!;
    expect(many.trace).toContainEqual({ function: "many", source: "heap.cjs", line: 2 });
  });

  test("reports how a program failed, and measures it if failures are allowed", async () => {
    write("fail.mjs", "process.exitCode = 3; console.error('no luck');");
    await expect(collected(node, shell, "node fail.mjs", {}, folder)).rejects.toThrow("exited with status 3: no luck");
    expect((await collected(node, shell, "node fail.mjs", { "allow-failure": true }, folder)).execution).toMatchObject({
      status: [3],
    });
    await expect(collected(node, shell, "true", {}, folder)).rejects.toThrow(
      "it does not start Node.js, or was killed",
    );
  });
});
