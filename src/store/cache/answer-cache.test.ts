import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AnswerCache, answerKey } from "./answer-cache.ts";

let folder: string;
let cache: AnswerCache;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "perfkeep-answers-")), "answers");
  cache = new AnswerCache(folder);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const key = answerKey(["a"]);

test("answers are read back unchanged, and the folder is private", () => {
  const answer = [{ kind: "figure", y: Float64Array.of(1, Number.NaN), labels: new Map([["a", 1n]]) }];
  expect(cache.get(key, 1)).toBeUndefined();
  cache.put(key, answer);
  expect(cache.get(key, 1)).toEqual(answer);
  expect(cache.get(answerKey(["a", null]), 1)).toBeUndefined();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("damaged, truncated and non-regular files are misses and are deleted", () => {
  for (const damage of [
    (bytes: Buffer) => bytes.fill(7, 40, 41),
    (bytes: Buffer) => bytes.subarray(0, 20),
    () => Buffer.alloc(0),
  ]) {
    cache.put(key, "an answer of some length");
    writeFileSync(join(folder, key), damage(readFileSync(join(folder, key))));
    expect(cache.get(key, 1)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  }
  symlinkSync("/dev/zero", join(folder, key));
  expect(cache.get(key, 1)).toBeUndefined();
});

test("an unusable folder causes no failure", () => {
  writeFileSync(folder, "a file");
  cache.put(key, "answer");
  expect(cache.get(key, 1)).toBeUndefined();
});

test("the size is bounded: the least recently used answers are evicted first, too large ones are not stored", () => {
  const large = new Uint8Array(15 << 20);
  const keys = ["1", "2", "3", "4", "5"].map((name) => answerKey([name]));
  for (const [at, each] of keys.entries()) {
    cache.put(each, large);
    if (at < 4) cache.get(each, at === 0 ? 100 : 10 + at);
  }
  expect(keys.map((each) => cache.get(each, 1000) !== undefined)).toEqual([true, false, true, true, true]);
  cache.put(key, new Uint8Array(17 << 20));
  expect(cache.get(key, 1)).toBeUndefined();
});

test("the size is also bounded for many small answers, most of which do not list the folder", () => {
  const small = new AnswerCache(folder, { totalBytes: 100_000, entryBytes: 10_000 });
  for (let at = 0; at < 130; at++) small.put(answerKey([at]), new Uint8Array(900));
  const left = readdirSync(folder);
  expect(left.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThanOrEqual(100_000);
  expect(left.length).toBeGreaterThan(95);
  expect(small.get(answerKey([129]), 1)).toEqual(new Uint8Array(900));
});

test("answers added by other processes count once the limit seems reached", () => {
  const limits = { totalBytes: 10_000, entryBytes: 10_000 };
  const [one, other] = [new AnswerCache(folder, limits), new AnswerCache(folder, limits)];
  for (let at = 0; at < 40; at++) (at % 2 === 0 ? one : other).put(answerKey([at]), new Uint8Array(900));
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(20_000);
});
