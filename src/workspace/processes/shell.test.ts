import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { fakeInterrupts } from "../../../test/fakes/interrupts.ts";
import type { Shell, ShellOptions } from "../../plugins/collectors/collector.ts";
import { directLauncher, compiledLauncher, findLauncher, perlLauncher } from "./native-helpers.ts";
import { openShell } from "./shell.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-shell-"));
const paths = { environment: process.env, cacheFolder: join(folder, "cache") };
const node = process.execPath;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const launchers = [
  ["wait4", compiledLauncher(paths)],
  ["perl-wait4", perlLauncher(paths)],
  ["no launcher", directLauncher],
] as const;

describe.each(launchers)("a program started through %s", (_, launcher) => {
  const { interrupts, interrupt } = fakeInterrupts();
  const shell: Shell | null = launcher && openShell({ ...paths, launcher, interrupts });
  const run = (argv: readonly string[], options: Partial<ShellOptions> = {}) =>
    (shell as Shell).run(argv, { directory: folder, ...options });
  const failure = async (argv: readonly string[], options: Partial<ShellOptions> = {}) =>
    run(argv, options).catch((error: unknown) => error);

  test.runIf(shell)("reports its status and output", async () => {
    const outcome = await run([
      node,
      "-e",
      "console.log(process.argv[1]); console.error('bad'); process.exitCode = 3",
      "a b'\"$HOME*",
    ]);
    expect([outcome.status, outcome.signal, text(outcome.stdout), text(outcome.stderr)]).toEqual([
      3,
      null,
      "a b'\"$HOME*\n",
      "bad\n",
    ]);
    expect(outcome.truncated).toBe(false);
  });

  test.runIf(shell)("reports its resource usage", async () => {
    const script =
      "const b = Buffer.alloc(1 << 27, 1); const t = process.cpuUsage(); while (process.cpuUsage(t).user < 200000);";
    const outcome = await run([node, "-e", script]);
    expect(outcome.clock).toBe((launcher ?? directLauncher).clock);
    expect(outcome.userSeconds).toBeGreaterThanOrEqual(0.15);
    expect(Number(outcome.wallNanoseconds) / 1e9).toBeGreaterThanOrEqual(outcome.userSeconds / 4);
    expect(outcome.systemSeconds).toBeGreaterThanOrEqual(0);
    expect(outcome.peakBytes).toBeGreaterThan(1 << 27);
  });

  test.runIf(shell && launcher !== directLauncher)("does not inherit the memory of this process", async () => {
    const ballast = Buffer.alloc(1 << 27, 1);
    expect((await run(["sleep", "0.01"])).peakBytes).toBeLessThan(ballast.length / 4);
  });

  test.runIf(shell)("reports a signal", async () => {
    expect(await run([node, "-e", "process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)"])).toMatchObject({
      status: null,
      signal: "SIGSEGV",
    });
  });

  test.runIf(shell)("gets its input, directory and environment", async () => {
    const script =
      "process.stdin.pipe(process.stdout); process.stderr.write(process.cwd() + process.env.PERFKEEP_TEST)";
    const outcome = await run([node, "-e", script], {
      input: new Uint8Array(300_000).fill(65),
      environment: { PERFKEEP_TEST: "!" },
    });
    expect([outcome.stdout.length, text(outcome.stderr)]).toEqual([300_000, `${folder}!`]);
    expect((await run(["true"], { input: new Uint8Array(3_000_000) })).status).toBe(0);
  });

  test.runIf(shell)("truncates long output", async () => {
    const outcome = await run([node, "-e", "process.stdout.write('x'.repeat(5e6))"], { captureLimit: 1000 });
    expect([outcome.stdout.length, outcome.truncated, outcome.status]).toEqual([1000, true, 0]);
  });

  test.runIf(shell)("streams its output to a consumer, and is stopped if that fails", async () => {
    let received = 0;
    const outcome = await run([node, "-e", "process.stdout.write('x'.repeat(5e6))"], {
      onOutput: (chunk) => void (received += chunk.length),
    });
    expect([received, outcome.stdout.length, outcome.truncated, outcome.status]).toEqual([5e6, 0, false, 0]);
    const refuse = (): void => {
      throw new RangeError("no more");
    };
    const endless = "setInterval(() => process.stdout.write('x'.repeat(1e5)), 1)";
    expect(await failure([node, "-e", endless], { onOutput: refuse })).toEqual(new RangeError("no more"));
  });

  test.runIf(shell)("preloads a script in addition to NODE_OPTIONS", async () => {
    const script = "console.log(process.env.NODE_OPTIONS)";
    const outcome = await run([node, "-e", script], {
      nodeModule: "node-profiler.cjs",
      environment: { NODE_OPTIONS: "--no-warnings" },
    });
    expect(text(outcome.stdout)).toMatch(/^--require ".*node-profiler\.cjs" --no-warnings\n$/);
  });

  test.runIf(shell)("fails if missing, not a file, or not executable", async () => {
    writeFileSync(join(folder, "plain"), "x");
    for (const argv of [["no-such-program"], ["./none"], ["./plain"], ["/"]])
      expect(isFailure(await failure(argv), "command-not-found")).toBe(true);
    expect(isFailure(await failure(["true"], { directory: join(folder, "gone") }), "command-not-found")).toBe(true);
    for (const argv of [[], [""], ["a\0b"]]) expect(isFailure(await failure(argv), "bad-command")).toBe(true);
  });

  test.runIf(shell)("is stopped after its timeout", async () => {
    expect(isFailure(await failure(["sleep", "600"], { timeoutSeconds: 0.2 }), "command-timed-out")).toBe(true);
  });

  test.runIf(shell)("is killed with its descendants at the second interrupt", async () => {
    const ready = join(folder, `ready-${launcher?.clock}`);
    const inner =
      "process.on('SIGTERM', () => {}); console.log(process.pid, process.ppid); setInterval(() => {}, 1000)";
    const stdio = `['ignore', require('fs').openSync(${JSON.stringify(ready)}, 'w'), 'inherit']`;
    const spawning = `spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ${stdio} })`;
    const script = `process.on('SIGTERM', () => {}); require('child_process').${spawning}`;
    const outcome = failure([node, "-e", script]);
    while (!existsSync(ready) || !readFileSync(ready, "utf8").endsWith("\n"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    interrupt();
    interrupt();
    expect(isFailure(await outcome, "interrupted")).toBe(true);
    for (const pid of readFileSync(ready, "utf8").split(" ")) await untilGone(Number(pid));
  });

  test.runIf(shell)("leaves no processes running", async () => {
    const outcome = await run([
      node,
      "-e",
      "const c = require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' }); console.log(c.pid); c.unref()",
    ]);
    await untilGone(Number(text(outcome.stdout)));
  });
});

/** Waits for the exit of a process; an unreaped zombie counts as exited. */
async function untilGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("programs run without a compiler and Perl", async () => {
  const launcher = findLauncher({ environment: { PATH: "/nonexistent" }, cacheFolder: join(folder, "other") });
  expect(launcher).toBe(directLauncher);
});

test("a compiled launcher is cached, and usable without a compiler", () => {
  if (!compiledLauncher(paths)) return;
  expect(compiledLauncher({ ...paths, environment: {} })).toEqual(compiledLauncher(paths));
});

test("finds executables in absolute folders of PATH only", async () => {
  const shell = openShell({ environment: { PATH: `.::${folder}:/bin:/usr/bin` }, cacheFolder: folder });
  expect(await shell.which("sh")).toMatch(/^\/(usr\/)?bin\/sh$/);
  for (const name of ["plain", "", "../sh", "no-such-program", "s\0h"]) expect(await shell.which(name)).toBeNull();
});
