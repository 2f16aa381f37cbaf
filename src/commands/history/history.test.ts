import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { LazyHistory } from "./history.ts";

const idOf = (at: number): VersionId => String(at).padStart(40, "0") as VersionId;

/** Commits 0 to `count - 1` in batches of two; `walked` records the first of each batch, and -1 at the end. */
async function* batches(count: number, walked: number[]): AsyncGenerator<readonly MinorVersion[]> {
  try {
    for (let at = 0; at < count; at += 2) {
      walked.push(at);
      yield [at, at + 1].map((each) => ({
        id: idOf(each),
        parents: [idOf(each + 1)],
        author: "Ada",
        email: "ada@example.org",
        date: 0,
        description: "",
      }));
    }
  } finally {
    walked.push(-1);
  }
}

test("walks only as far as requested, and closing ends the walk", async () => {
  const walked: number[] = [];
  const versions = new LazyHistory(batches(100, walked));
  expect((await versions.get(idOf(3)))?.id).toBe(idOf(3));
  expect((await versions.get(idOf(0)))?.id).toBe(idOf(0));
  expect(walked).toEqual([0, 2]);
  await versions.close();
  expect(walked).toEqual([0, 2, -1]);
});

test("iterates all commits in order regardless of other lookups", async () => {
  const versions = new LazyHistory(batches(10, []));
  await versions.get(idOf(5));
  const found: string[] = [];
  for await (const { id, parents } of versions) {
    found.push(id);
    await versions.get(parents[0] as VersionId);
  }
  expect(found).toEqual(Array.from({ length: 10 }, (_, at) => idOf(at)));
  expect(await versions.get(idOf(99))).toBeUndefined();
});
