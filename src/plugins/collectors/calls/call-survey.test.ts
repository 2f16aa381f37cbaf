import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeShell } from "../../../../test/fakes/shell.ts";
import { functionsToOmit } from "./call-survey.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-survey-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Program {
  readonly ownSeconds: number;
  /** Calls by function, in a run that ends. */
  readonly calls: readonly number[];
  readonly status?: number;
}

/** Which functions are left out of a program, by a shell that counts like bpftrace: 10 µs a call. */
async function omittedOf({ ownSeconds, calls, status = 0 }: Program) {
  const shell = fakeShell({
    "./program": () => ({ status, wallNanoseconds: BigInt(ownSeconds * 1e9) }),
    "/bin/sh": ([path = ""]) => {
      const script = readFileSync(join(folder, "script.bt"), "utf8");
      const kept = calls.flatMap((count, id) => (script.includes(`@calls[${id}]`) ? [[id, count] as const] : []));
      const limit = Number(/\(sleep (\d+\.\d+);/.exec(readFileSync(path, "utf8"))?.[1]);
      const share = Math.min(1, limit / (ownSeconds + kept.reduce((sum, [, count]) => sum + count * 1e-5, 0)));
      const counts = kept.map(([id, count]) => `@calls[${id}]: ${Math.floor(count * share)}\n`).join("");
      writeFileSync(join(folder, "log"), `ready\n\n${counts}`);
      return { status: share < 1 ? 124 : 0 };
    },
  });
  const functions = calls.map((_, id) => ({ id, path: "/p", name: `f${id}`, every: 1, argument: null }));
  const job = { cmd: "./program", workload: "", directory: folder, params: new Map(), machine: new Map() };
  const omitted = await functionsToOmit(functions, {
    argv: ["./program"],
    job,
    shell,
    folder,
    environment: {},
    limit: 1_000_000,
    timeout: null,
    progress: () => {},
  });
  return { omitted, runs: shell.calls.length };
}

test("a program with few calls is recorded as a whole, after one run by itself and one that counts", async () => {
  expect(await omittedOf({ ownSeconds: 0.001, calls: [1, 100, 19_000] })).toEqual({ omitted: [], runs: 2 });
});

test("functions with most of the calls are left out, the rest stays within ten times the own time", async () => {
  const { omitted } = await omittedOf({ ownSeconds: 0.025, calls: [1, 5_000, 10_000, 150_000] });
  expect(omitted).toEqual([{ id: 3, calls: 150_000, isWhole: true }]);
});

test("a stopped run counts less than all calls, and further runs find what it did not reach", async () => {
  const { omitted, runs } = await omittedOf({ ownSeconds: 0.025, calls: [1, 900_000, 5_000_000, 10] });
  expect(omitted.map(({ id }) => id)).toEqual([2, 1]);
  expect(omitted[0]).toMatchObject({ isWhole: false });
  expect(omitted[0]?.calls).toBeLessThan(5_000_000);
  expect(runs).toBeGreaterThan(2);
});

test("a long program is counted for a while, and may be called in proportion to its time", async () => {
  const calls = [1, 4_000_000, 1_000];
  expect((await omittedOf({ ownSeconds: 60, calls: [1, 500_000, 1_000] })).omitted).toEqual([]);
  expect((await omittedOf({ ownSeconds: 60, calls })).omitted.map(({ id }) => id)).toEqual([1]);
});

test("nothing is counted for a program that fails by itself", async () => {
  expect(await omittedOf({ ownSeconds: 1, calls: [5_000_000], status: 3 })).toEqual({ omitted: [], runs: 1 });
});
