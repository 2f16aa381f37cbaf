import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { VersionLookup } from "./version-lookup.ts";
import type { Workspace } from "../workspace.ts";

/** Ids spread evenly over folders, like digests. */
const versions = Array.from(
  { length: 10_000 },
  (_, at) => ((at % 256).toString(16).padStart(2, "0") + String(at).padStart(38, "0")) as VersionId,
);

/** A workspace whose store has an index for every tenth version, among `others` objects per folder. */
function storeWith(others: number) {
  const lookups: VersionId[] = [];
  const listed: string[] = [];
  const stored = new Set(versions.filter((_, at) => at % 10 === 0));
  const objects = Array.from({ length: others }, (_, at) => `object ${at}`);
  const store = {
    namesInShard: (id: VersionId) => {
      const folder = id.slice(0, 2);
      listed.push(folder);
      return {
        indexes: new Set([...objects, ...[...stored].filter((each) => each.startsWith(folder))]),
        changes: new Set(),
      };
    },
  };
  const registered = (version: VersionId): readonly ListedProfile[] => {
    lookups.push(version);
    return stored.has(version) ? [{ name: String(version) } as unknown as ListedProfile] : [];
  };
  return { lookups, listed, lookup: new VersionLookup({ store: () => store, registered } as unknown as Workspace) };
}

test.each([0, 50, 300, 100_000])("finds every version with profiles among %d objects per folder", (others) => {
  const { lookup } = storeWith(others);
  const found = versions.filter((version) => lookup.profiles(version).length > 0);
  expect(found).toEqual(versions.filter((_, at) => at % 10 === 0));
});

test("lists small folders once, and then looks up only versions with profiles", () => {
  const { lookup, lookups, listed } = storeWith(3);
  for (const version of versions) lookup.profiles(version);
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted());
  expect(listed).toHaveLength(256);
  expect(lookups.length).toBeLessThan(1_000 + 500 + 3 * 256);
});

test("lists only the first of many large folders", () => {
  const { lookup, listed } = storeWith(100_000);
  for (const version of versions) lookup.profiles(version);
  expect(listed).toHaveLength(1);
});

test("lists no folder for a short history", () => {
  const { lookup, listed } = storeWith(3);
  for (const version of versions.slice(0, 500)) lookup.profiles(version);
  expect(listed).toEqual([]);
});
