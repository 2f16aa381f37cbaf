import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fakeShell } from "../../../test/fakes/shell.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { selectProcessors, pinnedShell } from "./cpu-pinning.ts";
import { openShell } from "../processes/shell.ts";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-pin-"));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const canPin = process.platform === "linux" && spawnSync("taskset", ["--version"]).status === 0;

const shell = openShell({ environment: { PATH: process.env["PATH"] }, cacheFolder: scratch });

async function codeOf(wanted: string, of = shell): Promise<unknown> {
  return selectProcessors(of, wanted).catch((error: unknown) => (isFailure(error) ? error.code : error));
}

test("fails without taskset, naming what to install", async () => {
  expect(await codeOf("0", fakeShell())).toBe("tool-missing");
});

test.runIf(canPin)("pins programs to the given or the selected processor (needs taskset)", async () => {
  const selected = await selectProcessors(shell, "auto");
  expect(selected).toMatch(/^\d+$/);
  expect(await selectProcessors(shell, selected)).toBe(selected);
  const { stdout } = await pinnedShell(shell, selected).run(["cat", "/proc/self/status"], { directory: scratch });
  expect(new TextDecoder().decode(stdout)).toMatch(new RegExp(`^Cpus_allowed_list:\\s*${selected}$`, "m"));
});

test.runIf(canPin).each(["99999", "", "1-", "all", "0,x", "-1"])(
  "%j selects no usable processor (needs taskset)",
  async (wanted) => {
    expect(await codeOf(wanted)).toBe("no-such-processor");
  },
);
