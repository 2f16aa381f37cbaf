import { describe, expect, test } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import { isObject } from "../../src/core/values/json.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Values } from "../../src/core/values/value.ts";
import { decodeProfile, encodeProfile, normaliseProfile } from "../../src/formats/profile/profile.ts";
import type { Collector, Job, OutputReader } from "../../src/plugins/collectors/collector.ts";
import { fakeShell, type FakeShell } from "../fakes/shell.ts";

export interface CollectorCase {
  /** A command that the fake shell of `shell()` runs well, and one that fails. */
  readonly cmd: string;
  readonly failing: string;
  readonly params?: Values;
  readonly reader?: OutputReader;
  /** A shell with the programs this collector needs, new for each test. */
  shell(): FakeShell;
}

/** What every collector must do, whatever it measures. */
export function collectorContract(collector: Collector, { cmd, failing, params, reader, shell }: CollectorCase): void {
  const defaults: Values = new Map(collector.options.map((option) => [option.name, option.default ?? null]));
  const job = (command: string): Job => ({
    cmd: command,
    workload: "",
    directory: "/project",
    params: new Map([...defaults, ...(params ?? [])]),
    machine: new Map([["host", "here"]]),
    ...(reader === undefined ? {} : { reader }),
  });

  const code = async (command: string): Promise<unknown> =>
    collector.collect(job(command), shell()).catch((error: unknown) => (isFailure(error) ? error.code : error));

  describe(`collector ${collector.name}`, () => {
    test("is a frozen plug-in whose options are once-only parameters with a synopsis", () => {
      expect(Object.isFrozen(collector)).toBe(true);
      for (const option of collector.options)
        expect(option).toMatchObject({ role: "parameter", occurrence: "once", synopsis: expect.stringMatching(/./) });
    });

    test("measures the same under the same pretended time", async () => {
      const runs = [await collector.collect(job(cmd), shell()), await collector.collect(job(cmd), shell())];
      expect(encodeProfile(runs[0]!)).toEqual(encodeProfile(runs[1]!));
    });

    test("says what was measured: type, command, unit, itself and the machine; no origin", async () => {
      const run = await collector.collect(job(cmd), shell());
      expect([run.fixed.get("type"), run.fixed.get("cmd"), run.origin]).toEqual([
        collector.profileType,
        cmd,
        undefined,
      ]);
      expect(run.data.variables.find((variable) => variable.name === "amount")?.unit).toBeDefined();
      expect(run.data.length).toBeGreaterThan(0);
      expect(run.steps).toMatchObject([{ kind: "collector", name: collector.name }]);
      expect(isObject(run.machine) && run.machine.get("host")).toBe("here");
    });

    test("gives a profile that survives writing and reading", async () => {
      const run = await collector.collect(job(cmd), shell());
      const stored = normaliseProfile(encodeProfile(run, "pending"), "x.perf");
      expect(stored).toMatchObject({ type: collector.profileType, cmd, collector: collector.name });
      expect(rowsOf(decodeProfile(stored.body).data)).toEqual(rowsOf(run.data));
    });

    test("runs in the directory of the job, and tells how far it is", async () => {
      const world = shell();
      const heard: number[] = [];
      await collector.collect(job(cmd), world, (done) => heard.push(done));
      expect(world.calls.every((call) => call.options.directory === "/project")).toBe(true);
      expect([heard.at(-1), heard.every((done, index) => done > (heard[index - 1] ?? 0))]).toEqual([1, true]);
    });

    test("fails by name for a command that fails, is missing, or cannot be split", async () => {
      expect(await code(failing)).toBe("command-failed");
      expect(await code("no-such-program")).toBe("command-not-found");
      expect(await code("echo 'open")).toBe("bad-command");
    });

    test("prepares, or names the tool that is missing", async () => {
      await collector.prepare(shell());
      const outcome: unknown = await collector.prepare(fakeShell()).catch((error: unknown) => error);
      expect(outcome === undefined || isFailure(outcome, "tool-missing")).toBe(true);
    });
  });
}
