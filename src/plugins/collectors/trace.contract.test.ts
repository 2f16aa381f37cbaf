import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Value } from "../../core/values/value.ts";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { callLog } from "../../../test/fakes/call-log.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import { trace } from "./trace.ts";

/** A fake program that calls one function twice, and an nm that knows it. */
function tracingShell(): FakeShell {
  const log = callLog({
    functions: [{ path: "/project/work", offset: 0x1139 }],
    threads: [
      [
        { enter: 0, at: 1000 },
        { leave: "returned", at: 2500 },
        { enter: 0, at: 3000 },
        { leave: "returned", at: 4000 },
      ],
    ],
  });
  const answer = (text: string): { stdout: Uint8Array } => ({ stdout: new TextEncoder().encode(text) });
  return fakeShell({
    work: (_, { environment, preload }) => {
      expect(preload).toBe("/cache/calls.c.so");
      writeFileSync(join(environment!["PERFKEEP_CALLS"]!, "7-0"), log);
      return {};
    },
    nm: (words) =>
      answer(
        words.includes("--undefined-only")
          ? "         U __cyg_profile_func_enter@GLIBC_2.2.5\n"
          : "0000000000001139 T main\n",
      ),
  });
}

collectorContract(trace, { cmd: "work", failing: "exit 3", shell: tracingShell });

const fakeJob = (params: Readonly<Record<string, Value>>): Parameters<typeof trace.collect>[0] => ({
  cmd: "work",
  workload: "",
  directory: "/project",
  params: new Map(Object.entries(params)),
  machine: new Map(),
});

test.each([
  [{ "global-sampling": 0 }, "option global-sampling of trace"],
  [{ limit: 0 }, "option limit of trace"],
  [{ timeout: -1 }, "option timeout of trace"],
  [{ func: "main#0" }, "option func of trace"],
  [{ func: "main:9" }, "option func of trace"],
  [{ strategy: "custom" }, "strategy: custom of trace without func or usdt"],
  [{ watchdog: true }, "option watchdog of trace is unsupported"],
  [{ dynamic: "x" }, "option dynamic of trace is unsupported"],
  [{ func: "man" }, "there is no function 'man' in /bin/work, did you mean main?"],
  [{ func: "main:1", engine: "instrument" }, "'main:1' selects an argument"],
])("refuses %j", async (params, message) => {
  await expect(trace.collect(fakeJob(params), tracingShell())).rejects.toThrow(message);
});
