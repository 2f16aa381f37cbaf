import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runSelf } from "./subprocesses.ts";

const [, own = ""] = process.argv;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-own-"));
  process.argv[1] = join(folder, "program.cjs");
});
afterEach(() => {
  process.argv[1] = own;
  rmSync(folder, { recursive: true });
});

function run(script: string, stopped = new AbortController().signal): Promise<void> {
  writeFileSync(join(folder, "program.cjs"), script);
  const world = { directory: folder, environment: { PATH: "/nowhere" }, now: () => 0, random: () => 0, command: "" };
  return runSelf(world, ["report", "a b"], stopped);
}

test("runs itself in the working directory with other arguments", async () => {
  await run(`require("fs").writeFileSync("words", JSON.stringify(process.argv.slice(2)))`);
  expect(JSON.parse(readFileSync(join(folder, "words"), "utf8"))).toEqual(["report", "a b"]);
});

test("fails with the failure of the program", async () => {
  const error = JSON.stringify({
    schema: "perfkeep.error/1",
    error: { code: "unknown-revision", data: { revision: "nothing" } },
  });
  const failing = run(
    `process.stderr.write("perfkeep: warning: x\\n" + ${JSON.stringify(error)} + "\\n"); process.exitCode = 2`,
  );
  await expect(failing).rejects.toMatchObject({ code: "unknown-revision", data: { revision: "nothing" } });
});

test.each([
  ["process.exit(70)", /exit status 70/],
  [`console.error('{"error":{"code":"constructor"}}'); process.exit(1)`, /exit status 1/],
  [`process.kill(process.pid, "SIGKILL")`, /ended by SIGKILL/],
])("reports the exit status without a failure: %s", async (script, reason) => {
  await expect(run(script)).rejects.toThrow(reason);
});

test("ends when aborted", async () => {
  await expect(run("setInterval(() => {}, 1000)", AbortSignal.timeout(100))).rejects.toMatchObject({
    code: "pages-not-made",
  });
});
