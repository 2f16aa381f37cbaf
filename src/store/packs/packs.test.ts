import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { createStore, openStore, type Store } from "../store.ts";

let folder: string;
let store: Store;

const versions = Array.from({ length: 4 }, (_, i) => `${i}e`.repeat(20) as VersionId);
const head = versions[3]!;
const keep = new Set([head]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packs-"));
  createStore(folder);
  store = open();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Store => openStore(folder, { command: "test" });
const bodyOf = (number: number): Uint8Array =>
  new TextEncoder().encode(`{"header": {"type": "time", "cmd": "ls"}, "number": ${number}}`);

/** Registers a profile at a version. */
function add(number: number, version: VersionId): Digest {
  const { digest } = store.objects.put("profile", "time", bodyOf(number));
  const entry = { name: `${number}.perf`, time: number, digest, type: "time", cmd: "ls", workload: "" };
  store.versions.add(version, [{ ...entry, collector: "time", postprocessors: [] }]);
  return digest;
}

function addSeveral(first: number, count: number): Digest[] {
  return Array.from({ length: count }, (_, i) => add(first + i, versions[i % 3]!));
}

const loosePath = (digest: Digest): string => join(folder, "objects", digest.slice(0, 2), digest.slice(2));
const isLoose = (digest: Digest): boolean => store.objects.looseFile(digest) !== null;
const packPaths = (): string[] =>
  readdirSync(join(folder, "packs"))
    .filter((name) => name.endsWith(".pack"))
    .map((name) => join(folder, "packs", name));
const clean = { problems: [], notes: [] };
const codes = async (): Promise<string[]> => (await store.fsck()).problems.map(({ code }) => code);

/** Changes a byte of the first group of the only pack. */
function damageGroup(): void {
  const [path = ""] = packPaths();
  const bytes = readFileSync(path);
  bytes[12]! ^= 0x55;
  writeFileSync(path, bytes);
  store = open();
}

test("profiles of older versions are packed, read, verified and unpacked to the same bytes", async () => {
  const digests = addSeveral(0, 30);
  const newest = add(99, head);
  const files = digests.map((digest) => readFileSync(loosePath(digest)));
  expect(await store.pack({ keep })).toMatchObject({ profiles: 30, packs: 1, large: 0, damaged: [] });
  expect(digests.filter(isLoose)).toEqual([]);
  expect(isLoose(newest)).toBe(true);
  for (const reader of [store, open()])
    expect(digests.map((digest) => reader.objects.get(digest).body)).toEqual(digests.map((_, i) => bodyOf(i)));
  expect(await store.fsck()).toEqual({ ...clean, checked: { objects: 31, indexes: 4, entries: 31 } });
  expect(await store.unpack()).toMatchObject({ profiles: 30, packs: 1, damaged: [], kept: [], quarantined: [] });
  expect(digests.map((digest) => readFileSync(loosePath(digest)))).toEqual(files);
  expect(readdirSync(join(folder, "packs"))).toEqual([]);
  expect(await store.fsck()).toMatchObject(clean);
});

test("a packed profile that is added again stays packed, and streams and digests agree", async () => {
  const [digest] = addSeveral(0, 3) as [Digest];
  await store.pack({ keep });
  expect(store.objects.put("profile", "time", bodyOf(0))).toEqual({ digest, state: "present" });
  expect([isLoose(digest), store.objects.has(digest), store.objects.isIntact(digest)]).toEqual([false, true, true]);
  const { header, body } = await store.objects.open(digest);
  const pieces = [];
  for await (const piece of body) pieces.push(piece);
  expect([header.kind, Buffer.concat(pieces)]).toEqual(["profile", Buffer.from(bodyOf(0))]);
  const absent = "0".repeat(40) as Digest;
  expect(() => store.objects.get(absent)).toThrow(expect.objectContaining({ code: "object-missing" }));
});

test("a reader that opened the store before finds what was packed and unpacked since", async () => {
  const digests = addSeveral(0, 5);
  const reader = open();
  expect(reader.objects.has(digests[0]!)).toBe(true);
  await store.pack({ keep });
  expect(digests.every((digest) => reader.objects.isIntact(digest))).toBe(true);
  await store.unpack();
  rmSync(join(folder, "packs"), { recursive: true });
  expect(digests.every((digest) => open().objects.isIntact(digest))).toBe(true);
});

test("packing again merges small packs and leaves large ones", async () => {
  addSeveral(0, 40);
  await store.pack({ keep });
  const [large] = packPaths();
  addSeveral(100, 3);
  await store.pack({ keep });
  addSeveral(200, 3);
  expect(await store.pack({ keep })).toMatchObject({ profiles: 3, packs: 1 });
  expect(packPaths()).toHaveLength(2);
  expect(packPaths()).toContain(large);
  expect(await store.pack({ keep })).toMatchObject({ profiles: 0, packs: 0 });
  addSeveral(300, 30);
  await store.pack({ keep });
  expect(packPaths()).toHaveLength(1);
  expect((await store.fsck()).checked).toEqual({ objects: 76, indexes: 3, entries: 76 });
});

test("a copy left by a kill before its deletion is deleted by the next run", async () => {
  const [digest] = addSeveral(0, 3) as [Digest];
  const file = readFileSync(loosePath(digest));
  await store.pack({ keep });
  writeFileSync(loosePath(digest), file);
  expect(await store.fsck()).toMatchObject(clean);
  expect(await store.pack({ keep })).toMatchObject({ profiles: 1, packs: 0 });
  expect([isLoose(digest), store.objects.isIntact(digest)]).toEqual([false, true]);
});

test("unlisted profiles, damaged ones and those of a damaged index stay as they are", async () => {
  const unlisted = store.objects.put("profile", "time", bodyOf(500)).digest;
  const [good, bad] = addSeveral(0, 2) as [Digest, Digest];
  const lost = add(7, versions[2]!);
  writeFileSync(loosePath(bad), "x");
  writeFileSync(loosePath(versions[2]! as string as Digest), "pidx");
  expect(await store.pack({ keep })).toMatchObject({ profiles: 1, damaged: [bad] });
  expect([unlisted, good, bad, lost].map(isLoose)).toEqual([true, false, true, true]);
});

test("fsck names the objects of a damaged group, and adding them again repairs them", async () => {
  const digests = addSeveral(0, 5);
  await store.pack({ keep });
  damageGroup();
  const { problems } = await store.fsck();
  expect(problems.map(({ code, digest }) => [code, digest])).toEqual(digests.map((id) => ["object-damaged", id]));
  expect(() => store.objects.get(digests[0]!)).toThrow(expect.objectContaining({ code: "object-damaged" }));
  expect(store.objects.isIntact(digests[0]!)).toBe(false);
  expect(await store.unpack()).toMatchObject({ packs: 0, kept: packPaths() });
  for (const number of digests.keys())
    expect(store.objects.put("profile", "time", bodyOf(number)).state).toBe("healed");
  const { problems: left, notes } = await store.fsck();
  expect([left, notes.map(({ code }) => code)]).toEqual([[], digests.map(() => "damaged-copy")]);
  expect(await store.unpack()).toMatchObject({ packs: 1, kept: [], damaged: [] });
  expect(await store.fsck()).toMatchObject(clean);
  expect(readdirSync(join(folder, "quarantine"))).toHaveLength(1);
});

test.each<[string, (bytes: Buffer) => Uint8Array]>([
  ["cut", (bytes) => bytes.subarray(0, -1)],
  ["empty", () => new Uint8Array(0)],
  ["changed in its table", (bytes) => (bytes.fill(0xff, bytes.length - 100, bytes.length - 80), bytes)],
])("a pack that is %s is a problem, stays until its profiles are stored again, and blocks nothing", async (_, harm) => {
  const digests = addSeveral(0, 5);
  await store.pack({ keep });
  const [path = ""] = packPaths();
  writeFileSync(path, harm(readFileSync(path)));
  store = open();
  expect(await codes()).toContain("pack-damaged");
  for (const digest of digests)
    expect(() => store.objects.get(digest)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/damaged/) }),
    );
  expect(await store.unpack()).toMatchObject({ packs: 0, kept: [path] });
  expect(add(50, head)).toHaveLength(40);
  for (const number of digests.keys()) store.objects.put("profile", "time", bodyOf(number));
  expect(await store.unpack()).toMatchObject({ packs: 1, kept: [] });
  expect(await store.fsck()).toMatchObject(clean);
});
