import { expect, test } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { fakeShell } from "../../../test/fakes/shell.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import type { Shell } from "./collector.ts";
import { time } from "./time.ts";

collectorContract(time, { cmd: "spin 0.25", failing: "exit 3 out of luck", shell: fakeShell });

const collect = (shell: Shell, cmd: string, params: Readonly<Record<string, number | boolean>> = {}, workload = "") =>
  time.collect({ cmd, workload, directory: "/p", params: new Map(Object.entries(params)), machine: new Map() }, shell);

async function document(...args: Parameters<typeof collect>): Promise<Record<string, unknown>> {
  return JSON.parse(new TextDecoder().decode(encodeProfile(await collect(...args)))) as Record<string, unknown>;
}

test("records rows in Perun's format, with peak memory in the wall clock's rows", async () => {
  const shell = fakeShell({
    work: (_, __, call) => ({
      wallNanoseconds: BigInt(call) * 1_000_000_001n,
      userSeconds: call / 4,
      systemSeconds: 0,
      peakBytes: call << 20,
    }),
  });
  expect(await document(shell, "work", { warmup: 1, repeat: 2 })).toMatchObject({
    resources: {
      "work#0": { amount: [2.000000002, 3.000000003], order: [1, 2], "peak-memory": [2097152, 3145728] },
      "work#1": { amount: [0.5, 0.75], order: [1, 2] },
      "work#2": { amount: [0, 0], order: [1, 2] },
    },
    resource_type_map: {
      "work#0": { subtype: "real", type: "time", uid: "work" },
      "work#1": { subtype: "user", type: "time", uid: "work" },
      "work#2": { subtype: "sys", type: "time", uid: "work" },
    },
    header: { type: "time", cmd: "work", workload: "", units: { time: "s", "time(peak-memory)": "B" } },
    collector_info: { name: "time", params: { warmup: 1, repeat: 2, clock: "wait4" } },
    execution: { status: [0, 0], stdout: "", stderr: "", truncated: false },
  });
});

test("amounts are floats exact to the nanosecond", async () => {
  const shell = fakeShell({ work: () => ({ wallNanoseconds: 899_999_123_456_789n }) });
  const text = new TextDecoder().decode(encodeProfile(await collect(shell, "work", { warmup: 0, repeat: 1 })));
  expect(text).toContain('"amount": [899999.123456789]');
  expect(text).toContain('"amount": [0.0]');
});

test("repeats the configured times after the warm-up, three and ten by default", async () => {
  const shell = fakeShell();
  await collect(shell, "true");
  expect(shell.calls).toHaveLength(13);
  await collect(shell, "true", { warmup: 0, repeat: 2 });
  expect(shell.calls).toHaveLength(15);
});

test("the workload follows the command; both are split without a shell", async () => {
  const shell = fakeShell();
  await collect(shell, "echo -n", { warmup: 0, repeat: 1 }, "'a b' $HOME;x");
  expect(shell.calls[0]?.argv).toEqual(["echo", "-n", "a b", "$HOME;x"]);
});

test("reports a failing command with its status and last line of output", async () => {
  await expect(collect(fakeShell(), "exit 3 out of luck")).rejects.toThrow(
    "'exit 3 out of luck' exited with status 3: out of luck",
  );
  await expect(collect(fakeShell(), "abort")).rejects.toThrow("'abort' was ended by SIGABRT");
});

test("measures a failing command if allowed, and records its statuses", async () => {
  const measured = await document(fakeShell({ flaky: (_, __, call) => ({ status: call % 2 }) }), "flaky", {
    warmup: 0,
    repeat: 3,
    "allow-failure": true,
  });
  expect(measured["execution"]).toMatchObject({ status: [1, 0, 1] });
  expect(
    (await document(fakeShell(), "abort", { warmup: 0, repeat: 1, "allow-failure": true }))["execution"],
  ).toMatchObject({
    status: ["SIGABRT"],
  });
});

test("records the output of the last run unless disabled", async () => {
  expect((await document(fakeShell(), "echo hi", { warmup: 0, repeat: 1 }))["execution"]).toEqual({
    status: [0],
    stdout: "hi\n",
    stderr: "",
    truncated: false,
  });
  expect((await document(fakeShell(), "echo hi", { warmup: 0, repeat: 1, "keep-output": false }))["execution"]).toEqual(
    { status: [0] },
  );
});

test("a run that times out fails the job", async () => {
  const error: unknown = await collect(fakeShell(), "sleep 2", { timeout: 1 }).catch((failure: unknown) => failure);
  expect(isFailure(error, "command-timed-out")).toBe(true);
});

test("omits what the machine cannot measure", async () => {
  const blind = fakeShell({
    work: () => ({ clock: "none", userSeconds: Number.NaN, systemSeconds: Number.NaN, peakBytes: Number.NaN }),
  });
  const measured = await document(blind, "work", { warmup: 0, repeat: 1 });
  expect(measured["resources"]).toEqual({ "work#0": { amount: [0], order: [1] } });
  expect(measured["header"]).toMatchObject({ units: { time: "s" } });
});

test.each([
  ["warmup", -1],
  ["repeat", 0],
  ["repeat", 1e9],
  ["timeout", 0],
  ["timeout", -5],
])("refuses %s %d", async (name, value) => {
  await expect(collect(fakeShell(), "true", { [name]: value })).rejects.toThrow(`option ${name} of time`);
});
