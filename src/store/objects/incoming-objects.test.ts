import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { IncomingObjects } from "./incoming-objects.ts";
import { Objects } from "./objects.ts";

let folder: string;
let objects: Objects;
let aside: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incoming-"));
  objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
  aside = join(folder, "aside");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sample = (n: number): { plain: Uint8Array; digest: Digest } =>
  encodeObject("profile", "time", new TextEncoder().encode(`{"n": ${n}}`));
const body = (n: number): string => new TextDecoder().decode(objects.get(sample(n).digest).body);

test("the store has none of them until all are kept, then all", async () => {
  const incoming = new IncomingObjects(objects, aside);
  for (let n = 0; n < 40; n++) await incoming.stage(sample(n).digest, sample(n).plain);
  expect(existsSync(objects.folder)).toBe(false);
  expect(incoming.count).toBe(40);
  await incoming.keep();
  for (let n = 0; n < 40; n++) expect(body(n)).toBe(`{"n": ${n}}`);
  expect(existsSync(aside)).toBe(false);
});

test("a stream that the bytes came in is kept as it is", async () => {
  const incoming = new IncomingObjects(objects, aside);
  const { plain, digest } = sample(1);
  const packed = deflateSync(plain, { level: 0 });
  await incoming.stage(digest, plain, packed);
  await incoming.keep();
  expect(readFileSync(join(objects.folder, digest.slice(0, 2), digest.slice(2)))).toEqual(packed);
  expect(body(1)).toBe('{"n": 1}');
});

test("what is discarded leaves nothing, whatever is being packed", async () => {
  const incoming = new IncomingObjects(objects, aside);
  for (let n = 0; n < 20; n++) await incoming.stage(sample(n).digest, sample(n).plain);
  incoming.discard();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(existsSync(aside)).toBe(false);
  expect(existsSync(objects.folder)).toBe(false);
});

test("leftovers of a killed process are gone, a damaged object is healed, a whole one stays", async () => {
  mkdirSync(aside);
  writeFileSync(join(aside, sample(9).digest), "half");
  objects.put("profile", "time", new TextEncoder().encode('{"n": 1}'));
  const damaged = objects.put("profile", "time", new TextEncoder().encode('{"n": 2}')).digest;
  writeFileSync(join(objects.folder, damaged.slice(0, 2), damaged.slice(2)), "");
  const incoming = new IncomingObjects(objects, aside);
  expect(readdirSync(aside)).toEqual([]);
  for (const n of [1, 2]) await incoming.stage(sample(n).digest, sample(n).plain);
  await incoming.keep();
  expect([body(1), body(2)]).toEqual(['{"n": 1}', '{"n": 2}']);
  expect(objects.isWhole(sample(9).digest)).toBe(false);
});
