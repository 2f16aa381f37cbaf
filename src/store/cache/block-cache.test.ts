import fc from "fast-check";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AnswerCache, answerKey } from "./answer-cache.ts";
import { KeptBlocks } from "./block-cache.ts";

let folder: string;
let read: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-blocks-"));
  read = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const maker = {
  key: (items: readonly string[]) => answerKey(items),
  one(item: string): string[] {
    read.push(item);
    return [item];
  },
  joined: (blocks: readonly string[][]) => blocks.flat(),
  size: (block: readonly string[]) => 100 * block.length,
};

const roomy = { together: 1 << 20, alone: 1 << 20 };
const asked = (items: readonly string[], room = roomy): string[] =>
  new KeptBlocks(new AnswerCache(folder, room), 1, maker).of(items).flat();
const list = (count: number, first = 0): string[] => Array.from({ length: count }, (_, at) => `item ${first + at}`);

/** What is read for a list. */
function readFor(items: readonly string[], room = roomy): string[] {
  expect(asked(items, room)).toEqual(items);
  return read.splice(0);
}

test("of a list that grows only what is new is read, each item once in all", () => {
  const all = list(75);
  for (let count = 0; count <= 75; count++)
    expect(readFor(all.slice(0, count))).toEqual(count === 0 ? [] : [all[count - 1]]);
  expect(readFor(all)).toEqual([]);
});

test("all at once it leaves as few blocks as can be, and again nothing is read", () => {
  expect(readFor(list(147))).toEqual(list(147));
  expect(readdirSync(folder)).toHaveLength(2 + 2 + 3);
  expect(readFor(list(148))).toEqual(["item 147"]);
});

test("whatever lists come after each other, each has its own items", () => {
  const lists = fc.array(fc.tuple(fc.nat(3), fc.nat(140), fc.nat(140)), { minLength: 1, maxLength: 6 });
  const property = fc.property(lists, (all) => {
    for (const [first, count, changed] of all)
      readFor(list(count, first).map((item, at) => (at === changed ? `other ${item}` : item)));
  });
  fc.assert(property, { seed: 3, numRuns: 10 });
});

test("a block too large to be kept is kept in parts", () => {
  const room = { together: 1 << 20, alone: 300 };
  expect(readFor(list(64), room)).toEqual(list(64));
  expect(readFor(list(64), room)).toEqual([]);
});

test("where there is no room for all, what was kept stays", () => {
  const room = { together: 20_000, alone: 10_000 };
  expect(readFor(list(400), room)).toEqual(list(400));
  const again = readFor(list(400), room);
  expect(again.length).toBeLessThanOrEqual(208);
  expect(readFor(list(400), room)).toEqual(again);
});
