import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { fakeShell, type FakeProgram, type FakeShell } from "../../../test/fakes/shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { searchPath } from "../../workspace/processes/search-path.ts";
import { openShell } from "../../workspace/processes/shell.ts";
import type { Shell } from "./collector.ts";
import { perf } from "./perf.ts";

const encoder = new TextEncoder();

const script = `work 7/7 1.000001:     250062 cpu-clock:uH: 
\t    1 spin (/project/work)
\t    2 main (/project/work)

work 7/8 1.000002:     250062 cpu-clock:uH: 
\t    9 spin (/project/other/work)
\t    2 main (/project/work)

work 7/7 1.000003:     250062 cpu-clock:uH: 
\tffffffff81000130 read ([kernel.kallsyms])
\t    2 main (/project/work)

work 7/7 1.000004: PERF_RECORD_LOST lost 5
`;

/** A fake perf that returns the samples above for every program, unless overridden. */
function pretended(own: FakeProgram = () => ({}), samples = script): FakeProgram {
  return (words, options, call) => {
    if (words[0] === "script") return { stdout: encoder.encode(samples) };
    const done = own(words, options, call);
    if ((done.status ?? 0) < 128) writeFileSync(words[words.indexOf("-o") + 1]!, "");
    const [program, status] = words.slice(words.indexOf("--") + 1);
    return program === "exit" ? { status: Number(status), stderr: encoder.encode("out of luck\n") } : done;
  };
}

const fake = (own?: FakeProgram, samples?: string): FakeShell =>
  fakeShell({ perf: pretended(own, samples), work: () => ({}) });

collectorContract(perf, { cmd: "work", failing: "exit 3", shell: () => fake() });

type Params = Readonly<Record<string, Value>>;

interface Document {
  readonly resources: Record<string, Record<string, number[]>>;
  readonly resource_type_map: Record<
    string,
    { trace: { function: string; module: string }[]; uid: string; command: string; ring: string; subtype: string }
  >;
  readonly collector_info: { readonly params: Readonly<Record<string, unknown>> };
  readonly header: unknown;
  readonly execution: unknown;
}

async function collected(shell: Shell, cmd: string, params: Params = {}, directory = "/project"): Promise<Document> {
  const few = new Map<string, Value>(Object.entries({ warmup: 0, repeat: 1, ...params }));
  const run = await perf.collect({ cmd, workload: "", directory, params: few, machine: new Map() }, shell);
  return JSON.parse(new TextDecoder().decode(encodeProfile(run))) as Document;
}

test("a row is a stack in one repetition, independent of module folders", async () => {
  expect(await collected(fake(), "work", { warmup: 1, repeat: 2 })).toMatchObject({
    header: { type: "time", cmd: "work", units: { time: "sample", "time(cpu-time)": "s" } },
    resources: {
      "spin#0": { amount: [2, 2], order: [1, 2], "cpu-time": [0.000500124, 0.000500124] },
      "read#0": { amount: [1, 1], order: [1, 2], "cpu-time": [0.000250062, 0.000250062] },
    },
    resource_type_map: {
      "spin#0": {
        command: "work",
        ring: "user",
        subtype: "cpu-clock",
        trace: [
          { function: "spin", module: "work" },
          { function: "main", module: "work" },
        ],
        type: "time",
        uid: "spin",
      },
      "read#0": { ring: "kernel", uid: "read" },
    },
    collector_info: {
      name: "perf",
      params: { event: ["cpu-clock"], clock: "software", warmup: 1, repeat: 2, "lost-samples": 10 },
    },
    execution: { status: [0, 0] },
  });
});

test("reports sampling of cpu-clock", async () => {
  const heard: string[] = [];
  const hardware = script.replaceAll("cpu-clock", "cycles");
  for (const samples of [script, hardware]) {
    const job = {
      cmd: "work",
      workload: "",
      directory: "/project",
      params: new Map([["warmup", 0]]),
      machine: new Map(),
    };
    const run = await perf.collect(job, fake(undefined, samples), undefined, (text) => heard.push(text));
    expect(new TextDecoder().decode(encodeProfile(run))).toContain(
      samples === script ? '"clock": "software"' : '"clock": "hardware"',
    );
  }
  expect(heard).toEqual(["sampling cpu-clock, since perf cannot count cycles on this machine"]);
});

test("counts events other than clocks, without time", async () => {
  const samples =
    "work 7/7 1.5: 20 page-faults:u: \n\t 1 main (/a)\n\nwork 7/7 1.5: 22 page-faults:u: \n\t 1 main (/a)\n\n";
  const { header, resources, collector_info } = await collected(fake(undefined, samples), "work", {
    event: "page-faults",
  });
  expect(header).toMatchObject({ units: { time: "sample" } });
  expect(resources).toEqual({ "main#0": { amount: [2], order: [1], "event-count": [42] } });
  expect(collector_info.params).not.toHaveProperty("clock");
});

test("passes the options to perf", async () => {
  const shell = fake();
  const params = {
    event: "cycles\ncpu/event=0x3c/",
    only: "kernel",
    frequency: 99,
    "call-graph": "dwarf",
    inlined: true,
    timeout: 5,
  };
  await collected(shell, "work 'a b'", params);
  const [, record, read] = shell.calls;
  const words = record!.argv.join(" ");
  expect(words).toMatch(/^perf record .* -F 99 --call-graph dwarf -e cycles:k -e cpu\/event=0x3c\/k -q -- work a b$/);
  expect([record!.argv.at(-1), record!.options.timeoutSeconds]).toEqual(["a b", 5]);
  expect(read!.argv).toContain("--inline");
});

test("uses sudo on request, with the program of the user's PATH", async () => {
  const sudo: FakeProgram = ([, ...words], options, call) => pretended()(words.slice(1), options, call);
  const shell = fakeShell({ perf: pretended(), work: () => ({}), sudo });
  await collected(shell, "work", { "with-sudo": true });
  expect(shell.calls.map(({ argv }) => argv.slice(0, 4).join(" "))).toEqual([
    "sudo -n perf record",
    "sudo -n perf record",
    "sudo -n perf script",
  ]);
  expect(shell.calls[1]!.argv.at(-1)).toBe("/bin/work");
  await expect(collected(fake(), "work", { "with-sudo": true })).rejects.toThrow("sudo was not found");
});

test("reports why perf fails", async () => {
  const refused: FakeProgram = () => ({
    status: 255,
    stderr: encoder.encode("Error:\nAccess to performance monitoring is limited.\nMore.\n"),
  });
  await expect(collected(fake(refused), "work")).rejects.toThrow(
    "'work' cannot be traced: Access to performance monitoring is limited.",
  );
  await expect(collected(fake(undefined, ""), "work")).rejects.toThrow("perf took no samples of it at 3999 Hz");
  await expect(perf.prepare(fakeShell())).rejects.toThrow("perf was not found");
});

test.each<[string, Value]>([
  ["frequency", 0],
  ["warmup", -1],
  ["repeat", 0],
  ["timeout", 0],
  ["event", "-o x"],
  ["event", "cycles\n-a"],
])("refuses %s %s", async (name, value) => {
  await expect(collected(fake(), "work", { [name]: value })).rejects.toThrow(`option ${name} of perf`);
});

const have = (tool: string): boolean => searchPath(tool, process.env["PATH"]) !== null;
const scratch = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `perfkeep-perf-test-${name}-`)));
const [folder, cacheFolder] = [scratch("program"), scratch("cache")];
const shell = openShell({ environment: process.env, cacheFolder });

afterAll(() => {
  for (const each of [folder, cacheFolder]) rmSync(each, { recursive: true, force: true });
});

const source = `#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) double spin(long rounds) {
  volatile double sum = 0;
  for (long i = 0; i < rounds; i++) sum += i * 0.5;
  return sum;
}
__attribute__((noinline)) double heavy(long rounds) {
  double sum = spin(3 * rounds);
  __asm__ volatile("");
  return sum + 1;
}
__attribute__((noinline)) double light(long rounds) { double sum = spin(rounds); __asm__ volatile(""); return sum + 1; }
int main(int count, char **words) {
  double sum = heavy(8000000) + light(8000000);
  fprintf(stderr, "sum %f\\n", sum);
  if (count > 1 && words[1][0] == 'x') abort();
  return count > 1 ? atoi(words[1]) : 0;
}
`;

const able = (): boolean => {
  if (!have("perf") || !have("cc")) return false;
  const data = join(cacheFolder, "able");
  return (
    spawnSync("perf", ["record", "-q", "-N", "--no-bpf-event", "-e", "cpu-clock:u", "-o", data, "--", "true"])
      .status === 0
  );
};
const isAble = able();
const needs = isAble ? "" : " (skipped: needs cc, and perf that may sample)";

describe.runIf(isAble)(`with perf and a program of C${needs}`, () => {
  beforeAll(() => {
    writeFileSync(join(folder, "planted.c"), source);
    const flags = ["-g", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"];
    expect(spawnSync("cc", [...flags, "-o", "planted program", "planted.c"], { cwd: folder }).status).toBe(0);
  });

  /** Samples of stacks that contain a function. */
  const through = ({ resources, resource_type_map }: Document, name: string): number =>
    Object.entries(resources)
      .filter(([id]) => resource_type_map[id]!.trace.some((frame) => frame.function === name))
      .reduce((sum, [, columns]) => sum + columns["amount"]!.reduce((total, each) => total + each), 0);

  test("detects the function that takes three times as long, and leaves no files", async () => {
    const before = readdirSync(folder);
    const found = await collected(shell, "'./planted program'", { only: "user" }, folder);
    expect(through(found, "heavy")).toBeGreaterThan(through(found, "light"));
    expect(through(found, "light")).toBeGreaterThan(0);
    expect(found.collector_info.params["event"]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:cycles|cpu-clock)$/)]),
    );
    expect(found.execution).toMatchObject({ status: [0], stderr: expect.stringMatching(/^sum [\d.]+\n$/) });
    const [inner] = Object.values(found.resource_type_map).filter(({ trace }) =>
      trace.some((frame) => frame.function === "heavy"),
    );
    expect(inner).toMatchObject({
      uid: "spin",
      ring: "user",
      trace: expect.arrayContaining([{ function: "main", module: "planted program" }]),
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  test("reports how a program failed, and measures it if failures are allowed", async () => {
    await expect(collected(shell, "'./planted program' 3", {}, folder)).rejects.toThrow("exited with status 3: sum");
    const crashed = await collected(
      shell,
      "'./planted program' x",
      { "allow-failure": true, event: "cpu-clock:u" },
      folder,
    );
    expect(crashed.execution).toMatchObject({ status: ["SIGABRT"] });
    expect(through(crashed, "heavy")).toBeGreaterThan(0);
  });

  test("stops a program and perf on timeout and records no samples", async () => {
    vi.stubEnv("TMPDIR", cacheFolder);
    const before = readdirSync(cacheFolder);
    await expect(collected(shell, "sleep 600", { timeout: 0.3 }, folder)).rejects.toThrow("did not end within 0.3 s");
    expect(readdirSync(cacheFolder)).toEqual(before);
    vi.unstubAllEnvs();
  });

  test("reports unknown events and programs", async () => {
    await expect(collected(shell, "true", { event: "no-such-event" }, folder)).rejects.toThrow(
      "cannot be traced: event syntax error",
    );
    await expect(collected(shell, "./none", {}, folder)).rejects.toThrow("cannot run './none'");
  });
});
