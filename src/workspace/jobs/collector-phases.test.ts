import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeInterrupts } from "../../../test/fakes/interrupts.ts";
import { fakeShell } from "../../../test/fakes/shell.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Collector, Job } from "../../plugins/collectors/collector.ts";
import { measureOnce } from "./task-runner.ts";
import { openShell } from "../processes/shell.ts";
import { StopRequest } from "../processes/stop-request.ts";

const job: Job = { cmd: "x", workload: "", directory: "/", params: new Map(), machine: new Map() };
const run: Run = {
  fixed: new Map(),
  data: { variables: [], columns: [], length: 0 },
  models: [],
  steps: [],
  extra: new Map(),
};

/** A collector that records its phases and fails in the given ones. */
function phased(failing: readonly string[]): { collector: Collector; phases: string[] } {
  const phases: string[] = [];
  const enter = async <T>(phase: string, result: T): Promise<T> => {
    phases.push(phase);
    if (failing.includes(phase)) throw new Failure("command-failed", { command: phase, ending: "failed", last: "" });
    return result;
  };
  const collector: Collector = {
    kind: "collector",
    name: "phased",
    synopsis: "",
    options: [],
    profileType: "time",
    prepare: async () => {},
    before: () => enter("before", undefined),
    collect: () => enter("collect", run),
    after: (measured) => enter("after", { ...measured, models: [true] }),
    teardown: () => enter("teardown", undefined),
  };
  return { collector, phases };
}

const all = ["before", "collect", "after", "teardown"];

test("phases run in order, and `after` returns the result", async () => {
  const { collector, phases } = phased([]);
  expect((await measureOnce(collector, job, fakeShell())).models).toEqual([true]);
  expect(phases).toEqual(all);
});

test.each(["before", "collect", "after"])(
  "teardown runs if %s fails, and the first failure is reported",
  async (phase) => {
    const { collector, phases } = phased([phase, "teardown"]);
    const notices: string[] = [];
    await expect(measureOnce(collector, job, fakeShell(), { notice: (text) => notices.push(text) })).rejects.toThrow(
      phase,
    );
    expect(phases).toEqual([...all.slice(0, all.indexOf(phase) + 1), "teardown"]);
    expect(notices).toEqual(["collector phased could not clean up: 'teardown' failed"]);
  },
);

test("a failing teardown keeps the measurement, and phases are optional", async () => {
  const { collector } = phased(["teardown"]);
  expect((await measureOnce(collector, job, fakeShell())).models).toEqual([true]);
  const { before: _, after: __, teardown: ___, ...bare } = phased([]).collector;
  expect(await measureOnce(bare, job, fakeShell())).toBe(run);
});

test("teardown runs after an interrupt, and can still run programs", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "perfkeep-phases-"));
  const { interrupts, interrupt } = fakeInterrupts();
  const world = {
    environment: { PATH: process.env["PATH"] },
    cacheFolder: scratch,
    interrupts,
    launcher: { clock: "none", prefix: [] },
  } as const;
  const collector: Collector = {
    ...phased([]).collector,
    collect: async (_, shell) => {
      const running = shell.run(["sleep", "600"], { directory: scratch });
      interrupt();
      await running;
      return run;
    },
    teardown: async (_, shell) => void (await shell.run(["touch", "cleaned"], { directory: scratch })),
  };
  try {
    await expect(measureOnce(collector, job, openShell(world))).rejects.toMatchObject({ code: "interrupted" });
    expect(existsSync(join(scratch, "cleaned"))).toBe(true);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

test("a stop request takes effect between programs; a second one ends the process", () => {
  const fake = fakeInterrupts();
  const stop = new StopRequest(fake.interrupts);
  stop.check();
  fake.interrupt();
  expect(() => stop.check()).toThrow("interrupted");
  fake.interrupt();
  expect(fake.listeners).toBe(0);
  stop.end();
});
