import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { VersionLookup } from "./version-lookup.ts";
import type { Workspace } from "../workspace.ts";

/** Ids that are spread over shards as digests are. */
const versions = Array.from(
  { length: 10_000 },
  (_, at) => ((at % 256).toString(16).padStart(2, "0") + String(at).padStart(38, "0")) as VersionId,
);

/** A workspace whose store has an index for every tenth version, among `others` objects in each shard. */
function storeWith(others: number) {
  const asked: VersionId[] = [];
  const listed: string[] = [];
  const stored = new Set(versions.filter((_, at) => at % 10 === 0));
  const objects = Array.from({ length: others }, (_, at) => `object ${at}`);
  const store = {
    namesBeside: (id: VersionId) => {
      const shard = id.slice(0, 2);
      listed.push(shard);
      return {
        indexes: new Set([...objects, ...[...stored].filter((each) => each.startsWith(shard))]),
        changes: new Set(),
      };
    },
  };
  const registered = (version: VersionId): readonly ListedProfile[] => {
    asked.push(version);
    return stored.has(version) ? [{ name: String(version) } as unknown as ListedProfile] : [];
  };
  return { asked, listed, lookup: new VersionLookup({ store: () => store, registered } as unknown as Workspace) };
}

test.each([0, 50, 300, 100_000])("among %d objects in each folder, every version with profiles is found", (others) => {
  const { lookup } = storeWith(others);
  const found = versions.filter((version) => lookup.profiles(version).length > 0);
  expect(found).toEqual(versions.filter((_, at) => at % 10 === 0));
});

test("of few objects each folder is listed once, and then only versions with profiles are asked for", () => {
  const { lookup, asked, listed } = storeWith(3);
  for (const version of versions) lookup.profiles(version);
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted());
  expect(listed).toHaveLength(256);
  expect(asked.length).toBeLessThan(1_000 + 500 + 3 * 256);
});

test("folders with far more objects than there are versions are not listed but for the first", () => {
  const { lookup, listed } = storeWith(100_000);
  for (const version of versions) lookup.profiles(version);
  expect(listed).toHaveLength(1);
});

test("a short history lists nothing", () => {
  const { lookup, listed } = storeWith(3);
  for (const version of versions.slice(0, 500)) lookup.profiles(version);
  expect(listed).toEqual([]);
});
