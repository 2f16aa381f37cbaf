import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { encodeIndex, type IndexEntry } from "../../formats/store/version-index.ts";
import { temporaryName } from "../durable/temporary-files.ts";
import { ownIdentity } from "../durable/process-identity.ts";
import { createStore, openStore, type Store } from "../store.ts";

let folder: string;
let store: Store;
let digest: Digest;

const version = "ab".repeat(20) as VersionId;
const profile = '{"header": {"type": "time", "cmd": "ls"}}';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fsck-"));
  createStore(folder);
  store = openStore(folder, { command: "test" });
  digest = store.objects.put("profile", "time", new TextEncoder().encode(profile)).digest;
  store.versions.add(version, [entry("b.perf")]);
});

afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

function entry(name: string): IndexEntry {
  return {
    name,
    time: 1_600_000_000,
    digest,
    type: "time",
    cmd: "ls",
    workload: "",
    collector: "",
    postprocessors: [],
  };
}

function pathOf(id: string): string {
  return join(folder, "objects", id.slice(0, 2), id.slice(2));
}

const problems = async (): Promise<string[]> => (await store.fsck()).problems.map(({ code }) => code);
const notes = async (): Promise<string[]> => (await store.fsck()).notes.map(({ code }) => code);

function deadLeftover(): string {
  return temporaryName().replace(`-${ownIdentity().start}-`, "-1-");
}

test("an intact store has no problems and no notes", async () => {
  store.pending.create("a.perf", [new TextEncoder().encode(profile)]);
  writeFileSync(`${pathOf(version)}.changes`, "");
  store.versions.add(version, [entry("c.perf")]);
  expect(await store.fsck()).toEqual({ problems: [], notes: [], checked: { objects: 1, indexes: 1, entries: 2 } });
});

test("damaged statistics are detected, and leftovers of writing them are removed", async () => {
  store.stats.put({ version, date: "2023-11-19 22:13:20" }, "sizes", "id", new Map(), false);
  expect(await problems()).toEqual([]);
  const statsFolder = join(folder, "stats", version.slice(0, 2), version.slice(2));
  writeFileSync(join(statsFolder, "sizes"), "rubbish");
  const left = deadLeftover();
  writeFileSync(join(statsFolder, left), "half");
  expect([await problems(), await notes()]).toEqual([["packed-json-damaged"], ["leftover-file"]]);
  expect(store.sweep().removed).toEqual([join("stats", version.slice(0, 2), version.slice(2), left)]);
});

test("fsck writes nothing, even if folders are missing", async () => {
  const empty = mkdtempSync(join(tmpdir(), "fsck-"));
  expect((await openStore(empty, { command: "test" }).fsck()).checked).toEqual({ objects: 0, indexes: 0, entries: 0 });
  expect(readdirSync(empty)).toEqual([]);
  rmSync(empty, { recursive: true });
});

test.each<[string, string, () => void]>([
  ["a damaged object", "object-damaged", () => writeFileSync(pathOf(digest), "")],
  ["a missing object", "object-missing", () => rmSync(pathOf(digest))],
  [
    "an object under another name",
    "object-damaged",
    () =>
      void renameSync(
        pathOf(digest),
        `${pathOf(digest).slice(0, -1)}z`.replace(/z$/, digest.endsWith("0") ? "1" : "0"),
      ),
  ],
  ["a cut index", "index-damaged", () => writeFileSync(pathOf(version), readFileSync(pathOf(version)).subarray(0, 40))],
  ["a linked object", "not-a-plain-file", () => relink(pathOf(digest))],
  ["a linked index", "not-a-plain-file", () => relink(pathOf(version))],
  ["a linked shard", "not-a-plain-file", () => symlinkSync(folder, join(folder, "objects", "00"))],
  [
    "linked jobs",
    "not-a-plain-file",
    () => (rmSync(join(folder, "jobs"), { recursive: true }), relink(join(folder, "jobs"))),
  ],
  [
    "an object in the wrong folder",
    "misnamed-file",
    () => writeFileSync(join(folder, "objects", "copy"), readFileSync(pathOf(digest))),
  ],
  ["entries out of order", "unsorted-index", () => writeFileSync(pathOf(version), unsorted())],
  [
    "an entry twice",
    "duplicate-entry",
    () => writeFileSync(pathOf(version), encodeIndex([entry("a.perf"), entry("a.perf")], { trailer: true })),
  ],
  [
    "a forged name",
    "bad-profile-name",
    () => writeFileSync(pathOf(version), encodeIndex([entry("../a\u001b.perf")], { trailer: true })),
  ],
  ["an invalid lock file", "lock-unreadable", () => writeFileSync(join(folder, "lock"), "?")],
])("%s is a problem", async (_what, code, harm) => {
  harm();
  expect(await problems()).toContain(code);
  expect((await store.fsck()).problems[0]?.message).not.toContain("\n");
});

function relink(path: string): void {
  rmSync(path, { force: true });
  symlinkSync(join(folder, "local.yml"), path);
}

/** Without trailer, as Perun writes them, so that only the order is wrong. */
function unsorted(): Uint8Array {
  const [first, second] = [entry("y.perf"), entry("z.perf")].map((each) =>
    encodeIndex([each], { trailer: false }).subarray(12),
  );
  return Uint8Array.from([
    ...encodeIndex([entry("a.perf"), entry("b.perf")], { trailer: false }).subarray(0, 12),
    ...(second ?? []),
    ...(first ?? []),
  ]);
}

test.each<[string, string, () => void]>([
  [
    "an index in Perun's format",
    "no-checksum",
    () => writeFileSync(pathOf(version), encodeIndex([entry("b.perf")], { trailer: false })),
  ],
  [
    "a profile missing from all indexes",
    "unlisted-object",
    () => void store.objects.put("profile", "time", new Uint8Array(3)),
  ],
  [
    "a leftover of a killed process",
    "leftover-file",
    () => writeFileSync(join(dirname(pathOf(digest)), deadLeftover()), "half"),
  ],
  ["a foreign file", "foreign-file", () => writeFileSync(join(folder, "objects", "README"), "hello")],
  ["a foreign folder", "foreign-file", () => mkdirSync(join(folder, "objects", "pack"))],
  ["a pending file that is not a profile", "not-json", () => writeFileSync(join(folder, "jobs", "x.perf"), "no")],
  ["a lock of a dead process", "dead-lock", plantDeadLock],
])("%s is a note", async (_what, code, change) => {
  change();
  expect(await problems()).toEqual([]);
  expect(await notes()).toContain(code);
});

function plantDeadLock(): void {
  writeFileSync(
    join(folder, "lock"),
    JSON.stringify({ ...ownIdentity(), pid: spawnSync("true").pid, command: "perfkeep add", token: "a".repeat(32) }),
  );
}

test("one problem does not hide another", async () => {
  writeFileSync(pathOf(digest), "");
  writeFileSync(pathOf("cd".repeat(20)).replace(/cd\//, "ab/"), "pidx");
  expect((await problems()).toSorted()).toEqual(["index-damaged", "object-damaged"]);
});

test("sweep removes leftovers of killed processes and names the command that held the lock", async () => {
  plantDeadLock();
  const left = deadLeftover();
  writeFileSync(join(folder, "jobs", left), "half");
  writeFileSync(join(folder, "jobs", temporaryName()), "being written");
  expect(store.sweep()).toEqual({ removed: [join("jobs", left)], unlocked: "perfkeep add" });
  expect(readdirSync(join(folder, "jobs"))).toHaveLength(1);
  expect(store.sweep()).toEqual({ removed: [], unlocked: null });
  expect(await notes()).toEqual([]);
});

test("createStore leaves an existing store unchanged", () => {
  rmSync(join(folder, "format"));
  createStore(folder);
  expect(readdirSync(folder).sort()).toEqual(["cache", "jobs", "logs", "objects", "stats", "tmp"]);
  expect(store.versions.entries(version)).toHaveLength(1);
});

test("an attachment causes no note", async () => {
  store.objects.put("attachment", "raw", new Uint8Array(3));
  expect(await notes()).toEqual([]);
});

test("an object too large for memory is verified as a stream", async () => {
  const { digest: big } = store.objects.put("attachment", "raw", new Uint8Array(200 << 20));
  expect(await problems()).toEqual([]);
  const bytes = readFileSync(pathOf(big));
  writeFileSync(pathOf(big), Uint8Array.from([...bytes, 0]));
  expect(await problems()).toEqual(["object-damaged"]);
});
