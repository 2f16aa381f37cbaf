import { expect, test } from "vitest";
import type { MinorVersion, VersionId } from "../../core/versions/index.ts";
import { Suspects, VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { walkBetween } from "./history.ts";

const hour = 3600;

function version(id: number, parents: readonly number[], date: number): MinorVersion {
  const ids = parents.map(String) as VersionId[];
  return { id: String(id) as VersionId, parents: ids, author: "a", email: "a@b", date, description: "" };
}

/** The suspects between 90 and 100, and how many commits were read. */
async function suspects(versions: readonly MinorVersion[]): Promise<{ found: readonly string[]; read: number }> {
  let read = 0;
  async function* walkBatches(): AsyncGenerator<readonly MinorVersion[]> {
    for (const each of versions) {
      read += 1;
      yield [each];
    }
  }
  const graph = new VersionGraph();
  const workspace = { vcs: async () => ({ walkBatches }) } as unknown as Workspace;
  await walkBetween(workspace, "90" as VersionId, "100" as VersionId, graph);
  return { found: new Suspects(graph).between("90" as VersionId, "100" as VersionId), read };
}

/** 100, 99, … 0, an hour apart. */
const line = Array.from({ length: 101 }, (_, at) => version(100 - at, at === 100 ? [] : [99 - at], (100 - at) * hour));

test("reads on for a day before the oldest suspect, and no further than the next half", async () => {
  const { found, read } = await suspects(line);
  expect(found).toEqual(["91", "92", "93", "94", "95", "96", "97", "98", "99", "100"]);
  expect(read).toBeGreaterThan(9 + 24);
  expect(read).toBeLessThan(1.5 * (9 + 26) + 1);
});

test("finds an ancestor of the baseline among the suspects although a commit between has an earlier date", async () => {
  // 100 merges 60, which is also an ancestor of 89; 89 comes hours after 60, since its clock was wrong.
  const merged = line.map((each) => (each.id === "100" ? version(100, [99, 60], each.date) : each));
  const wrong = merged.find(({ id }) => id === "89")!;
  const skewed = { ...wrong, date: 55 * hour };
  const walked = [...merged.filter((each) => each !== wrong), skewed].toSorted((a, b) => b.date - a.date);
  expect((await suspects(walked)).found).toEqual(["91", "92", "93", "94", "95", "96", "97", "98", "99", "100"]);
});
