import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject, packObject } from "../../formats/store/object.ts";
import { temporaryName } from "../durable/temporary-files.ts";
import { Objects } from "./objects.ts";
import { ownIdentity } from "../durable/process-identity.ts";

let folder: string;
let objects: Objects;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "objects-"));
  objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const body = bytes('{"header": {}}');
const pathOf = (digest: Digest): string => join(objects.folder, digest.slice(0, 2), digest.slice(2));

const textOf = (digest: Digest): string => new TextDecoder().decode(objects.get(digest).body);

function plant(digest: Digest, data: Uint8Array): void {
  mkdirSync(join(objects.folder, digest.slice(0, 2)), { recursive: true });
  writeFileSync(pathOf(digest), data);
}

test("a stored object is read back, and storing it again writes nothing", () => {
  const { digest, state } = objects.put("profile", "time", body);
  const file = readFileSync(pathOf(digest));
  expect(state).toBe("stored");
  expect(objects.get(digest)).toMatchObject({ kind: "profile", type: "time" });
  expect(textOf(digest)).toBe('{"header": {}}');
  expect(objects.put("profile", "time", body)).toEqual({ digest, state: "present" });
  expect(readFileSync(pathOf(digest))).toEqual(file);
  expect(readdirSync(join(objects.folder, digest.slice(0, 2)))).toEqual([digest.slice(2)]);
});

test("put does not search the shard for leftovers, since shards grow with the store", () => {
  const { digest } = encodeObject("profile", "time", body);
  const leftover = temporaryName().replace(`-${ownIdentity().start}-`, "-1-");
  mkdirSync(join(pathOf(digest), ".."), { recursive: true });
  for (const parent of [objects.folder, join(pathOf(digest), "..")]) writeFileSync(join(parent, leftover), "");
  objects.put("profile", "time", body);
  expect(readdirSync(objects.folder)).toEqual([digest.slice(0, 2)]);
  expect(readdirSync(join(pathOf(digest), "..")).toSorted()).toEqual([leftover, digest.slice(2)]);
});

test("the same object compressed differently counts as present", () => {
  const { plain, digest } = encodeObject("profile", "time", body);
  const packed = deflateSync(plain, { level: 0 });
  plant(digest, packed);
  expect(objects.put("profile", "time", body).state).toBe("present");
  expect(new Uint8Array(readFileSync(pathOf(digest)))).toEqual(new Uint8Array(packed));
});

test.each<[string, (whole: Uint8Array) => Uint8Array]>([
  ["empty", () => new Uint8Array()],
  ["cut", (whole) => whole.subarray(0, whole.length - 3)],
  ["followed by other bytes", (whole) => Uint8Array.from([...whole, 0])],
  ["another object", () => packObject(encodeObject("profile", "time", bytes("other")).plain)],
  ["not packed", () => bytes("profile time 3\0abc")],
])("a file that is %s counts as damaged, and put repairs it", (_what, damage) => {
  const { plain, digest } = encodeObject("profile", "time", body);
  plant(digest, damage(packObject(plain)));
  expect(() => objects.get(digest)).toThrow(`object ${digest} is damaged`);
  expect(objects.put("profile", "time", body)).toEqual({ digest, state: "healed" });
  expect(textOf(digest)).toBe('{"header": {}}');
});

test("a version index of the same name is not overwritten; the object goes to quarantine", () => {
  const { plain, digest } = encodeObject("profile", "time", body);
  const index = Uint8Array.from([...bytes("pidx"), 2, 0, 0, 0, 0, 0, 0, 0]);
  plant(digest, index);
  expect(() => objects.put("profile", "time", body)).toThrow("already holds other data");
  expect(new Uint8Array(readFileSync(pathOf(digest)))).toEqual(index);
  expect(() => objects.put("profile", "time", body)).toThrow(join(folder, "quarantine", `${digest}-1`));
  expect(new Uint8Array(readFileSync(join(folder, "quarantine", `${digest}-0`)))).toEqual(
    new Uint8Array(packObject(plain)),
  );
});

test("an absent object is reported as missing", () => {
  expect(() => objects.get("0".repeat(40) as Digest)).toThrow("is not in the store");
  expect(() => objects.get("../../../etc/passwd" as Digest)).toThrow("is not in the store");
  expect(readdirSync(folder)).toEqual([]);
});

test("a symbolic link instead of an object is not followed", () => {
  const { plain, digest } = encodeObject("profile", "time", body);
  plant(digest, new Uint8Array());
  rmSync(pathOf(digest));
  writeFileSync(join(folder, "elsewhere"), packObject(plain));
  symlinkSync(join(folder, "elsewhere"), pathOf(digest));
  expect(() => objects.get(digest)).toThrow("symbolic link");
  expect(() => objects.put("profile", "time", body)).toThrow("symbolic link");
});

test("a symbolic link instead of a shard is not followed", () => {
  const { digest } = encodeObject("profile", "time", body);
  mkdirSync(objects.folder);
  mkdirSync(join(folder, "shard"));
  symlinkSync(join(folder, "shard"), join(objects.folder, digest.slice(0, 2)));
  expect(() => objects.get(digest)).toThrow("symbolic link");
  expect(() => objects.put("profile", "time", body)).toThrow("symbolic link");
  expect(readdirSync(join(folder, "shard"))).toEqual([]);
});

test("an object that unpacks to more than the cap is refused", () => {
  const { digest } = objects.put("attachment", "raw", new Uint8Array(100_000));
  expect(() => objects.get(digest, 50_000)).toThrow("more than 50000 bytes");
  expect(objects.get(digest, 200_000).body.length).toBe(100_000);
});
