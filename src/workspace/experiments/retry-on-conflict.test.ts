import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { Workspace } from "../workspace.ts";

const workspace = new Workspace({ directory: "/", environment: {}, now: () => 0, random: () => 0, command: "test" });
const file = fileURLToPath(import.meta.url);

/** Number of attempts of work that fails `failures` times, and its outcome. */
async function attemptsOf(
  failures: number,
  code: "database-conflict" | "database-lost",
  files: readonly string[],
): Promise<[number, string]> {
  let attempts = 0;
  const work = async (): Promise<string> => {
    if (++attempts <= failures) throw new Failure(code, {});
    return "stored";
  };
  const ended = await retryOnConflict(workspace, files, work).catch((error: unknown) => (error as Failure).code);
  return [attempts, ended];
}

test("retries after conflicts, at most five times", async () => {
  expect(await attemptsOf(2, "database-conflict", [file])).toEqual([3, "stored"]);
  expect(await attemptsOf(9, "database-conflict", [file])).toEqual([5, "database-conflict"]);
});

test("does not retry other failures, or if a file cannot be read again", async () => {
  expect(await attemptsOf(1, "database-lost", [file])).toEqual([1, "database-lost"]);
  expect(await attemptsOf(1, "database-conflict", [file, "-"])).toEqual([1, "database-conflict"]);
  expect(await attemptsOf(1, "database-conflict", ["/dev/stdin"])).toEqual([1, "database-conflict"]);
});
