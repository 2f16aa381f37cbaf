import fc from "fast-check";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, describe } from "vitest";
import { AnswerCache, answerKey } from "./answer-cache.ts";
import { BlockCache } from "./incremental-cache.ts";

describe("block cache", () => {
  let folder: string;
  let built: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-blocks-"));
    built = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const builder = {
    key: (items: readonly string[]) => answerKey(items),
    build(item: string): string[] {
      built.push(item);
      return [item];
    },
    concat: (blocks: readonly string[][]) => blocks.flat(),
    pack: (block: string[]) => block,
    unpack: (stored: unknown) => stored as string[],
    size: (block: readonly string[]) => 100 * block.length,
  };

  const roomy = { totalBytes: 1 << 20, entryBytes: 1 << 20 };
  const cached = (items: readonly string[], limits = roomy): string[] =>
    new BlockCache(new AnswerCache(folder, limits), 1, builder).blocksOf(items).flat();
  const list = (count: number, first = 0): string[] => Array.from({ length: count }, (_, at) => `item ${first + at}`);

  /** The items that are built for a list. */
  function builtFor(items: readonly string[], limits = roomy): string[] {
    expect(cached(items, limits)).toEqual(items);
    return built.splice(0);
  }

  test("a growing list builds only new items, each item once", () => {
    const all = list(75);
    for (let count = 0; count <= 75; count++)
      expect(builtFor(all.slice(0, count))).toEqual(count === 0 ? [] : [all[count - 1]]);
    expect(builtFor(all)).toEqual([]);
  });

  test("a complete list leaves the minimum of blocks, and builds nothing the second time", () => {
    expect(builtFor(list(147))).toEqual(list(147));
    expect(readdirSync(folder)).toHaveLength(2 + 2 + 3);
    expect(builtFor(list(148))).toEqual(["item 147"]);
  });

  test("each of several consecutive lists has its own items", () => {
    const lists = fc.array(fc.tuple(fc.nat(3), fc.nat(140), fc.nat(140)), { minLength: 1, maxLength: 6 });
    const property = fc.property(lists, (all) => {
      for (const [first, count, changed] of all)
        builtFor(list(count, first).map((item, at) => (at === changed ? `other ${item}` : item)));
    });
    fc.assert(property, { seed: 3, numRuns: 10 });
  });

  test("sub-blocks are stored for a block that is too large", () => {
    const limits = { totalBytes: 1 << 20, entryBytes: 300 };
    expect(builtFor(list(64), limits)).toEqual(list(64));
    expect(builtFor(list(64), limits)).toEqual([]);
  });

  test("stored blocks stay if the cache is too small for all", () => {
    const limits = { totalBytes: 20_000, entryBytes: 10_000 };
    expect(builtFor(list(400), limits)).toEqual(list(400));
    const again = builtFor(list(400), limits);
    expect(again.length).toBeLessThanOrEqual(208);
    expect(builtFor(list(400), limits)).toEqual(again);
  });
});
