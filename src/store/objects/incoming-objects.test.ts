import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, describe } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { IncomingObjects } from "./incoming-objects.ts";
import { Objects } from "./objects.ts";

describe("incoming objects", () => {
  let folder: string;
  let objects: Objects;
  let staging: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "incoming-"));
    objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
    staging = join(folder, "staging");
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sample = (n: number): { plain: Uint8Array; digest: Digest } =>
    encodeObject("profile", "time", new TextEncoder().encode(`{"n": ${n}}`));
  const body = (n: number): string => new TextDecoder().decode(objects.get(sample(n).digest).body);

  test("objects appear in the store only on commit, all at once", async () => {
    const incoming = new IncomingObjects(objects, staging);
    for (let n = 0; n < 40; n++) await incoming.stage(sample(n).digest, sample(n).plain);
    expect(existsSync(objects.folder)).toBe(false);
    expect(incoming.count).toBe(40);
    await incoming.commit();
    for (let n = 0; n < 40; n++) expect(body(n)).toBe(`{"n": ${n}}`);
    expect(existsSync(staging)).toBe(false);
  });

  test("a received zlib stream is stored unchanged", async () => {
    const incoming = new IncomingObjects(objects, staging);
    const { plain, digest } = sample(1);
    const packed = deflateSync(plain, { level: 0 });
    await incoming.stage(digest, plain, packed);
    await incoming.commit();
    expect(readFileSync(join(objects.folder, digest.slice(0, 2), digest.slice(2)))).toEqual(packed);
    expect(body(1)).toBe('{"n": 1}');
  });

  test("discard leaves no files, even while objects are being packed", async () => {
    const incoming = new IncomingObjects(objects, staging);
    for (let n = 0; n < 20; n++) await incoming.stage(sample(n).digest, sample(n).plain);
    await incoming.discard();
    expect(existsSync(staging)).toBe(false);
    expect(existsSync(objects.folder)).toBe(false);
  });

  test("an object that cannot be written fails the commit", async () => {
    const incoming = new IncomingObjects(objects, staging);
    rmSync(staging, { recursive: true });
    for (const packed of [undefined, deflateSync(sample(1).plain)])
      await incoming.stage(sample(1).digest, sample(1).plain, packed);
    await expect(incoming.commit()).rejects.toMatchObject({ code: "cannot-write" });
    await incoming.discard();
    expect(existsSync(objects.folder)).toBe(false);
  });

  test("removes leftovers of a killed process, repairs a damaged object and keeps an intact one", async () => {
    mkdirSync(staging);
    writeFileSync(join(staging, sample(9).digest), "half");
    objects.put("profile", "time", new TextEncoder().encode('{"n": 1}'));
    const damaged = objects.put("profile", "time", new TextEncoder().encode('{"n": 2}')).digest;
    writeFileSync(join(objects.folder, damaged.slice(0, 2), damaged.slice(2)), "");
    const incoming = new IncomingObjects(objects, staging);
    expect(readdirSync(staging)).toEqual([]);
    for (const n of [1, 2]) await incoming.stage(sample(n).digest, sample(n).plain);
    await incoming.commit();
    expect([body(1), body(2)]).toEqual(['{"n": 1}', '{"n": 2}']);
    expect(objects.isIntact(sample(9).digest)).toBe(false);
  });
});
