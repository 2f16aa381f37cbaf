import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { Workspace } from "../workspace.ts";

const workspace = new Workspace({ directory: "/", environment: {}, now: () => 0, random: () => 0, command: "test" });
const file = fileURLToPath(import.meta.url);

/** How often work is done that fails so many times. */
async function triesOf(
  failures: number,
  code: "database-conflict" | "database-lost",
  files: readonly string[],
): Promise<[number, string]> {
  let tries = 0;
  const work = async (): Promise<string> => {
    if (++tries <= failures) throw new Failure(code, {});
    return "stored";
  };
  const ended = await retryOnConflict(workspace, files, work).catch((error: unknown) => (error as Failure).code);
  return [tries, ended];
}

test("is done again after conflicts, and not for ever", async () => {
  expect(await triesOf(2, "database-conflict", [file])).toEqual([3, "stored"]);
  expect(await triesOf(9, "database-conflict", [file])).toEqual([5, "database-conflict"]);
});

test("is done once after anything else, and where a file cannot be read again", async () => {
  expect(await triesOf(1, "database-lost", [file])).toEqual([1, "database-lost"]);
  expect(await triesOf(1, "database-conflict", [file, "-"])).toEqual([1, "database-conflict"]);
  expect(await triesOf(1, "database-conflict", ["/dev/stdin"])).toEqual([1, "database-conflict"]);
});
