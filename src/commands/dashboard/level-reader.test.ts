import { expect, test } from "vitest";
import { packPoints, type SeriesColumns } from "../../core/pages/index.ts";
import type { PageData } from "../report/index.ts";
import { LevelReader } from "./level-reader.ts";

const commits = 3;

/** Pages with one series in each block. `read` receives the blocks in the order in which they are read. */
function pages(blocks: number, read: number[]): PageData {
  const arrays = {
    key: Int32Array.from({ length: blocks }, (_, at) => at),
    block: Int32Array.from({ length: blocks }, (_, at) => at),
    from: new Int32Array(blocks),
    count: new Int32Array(blocks).fill(commits),
  };
  const none = new Float64Array(0);
  const points = (block: number): Uint8Array => {
    read.push(block);
    const center = Float64Array.from({ length: commits }, (_, at) => 10 * block + at);
    const version = Int32Array.from({ length: commits }, (_, at) => at);
    const [n, changes] = [new Int32Array(0), new Int32Array(0)];
    return packPoints({ facts: { block }, arrays: { version, center, low: none, high: none, n, changes } });
  };
  return {
    versions: { facts: { ids: Array.from({ length: commits }, (_, at) => String(at)) } },
    series: { facts: { texts: [], words: [] }, arrays } as unknown as SeriesColumns,
    points,
  } as unknown as PageData;
}

test("a comparison reads no block again that was read ahead, once for all requests", async () => {
  const read: number[] = [];
  const data = pages(3, read);
  const reader = new LevelReader(data);
  const never = new AbortController().signal;
  await Promise.all([reader.readAhead(never), reader.readAhead(never)]);
  expect(read).toEqual([0, 1, 2]);
  const { before, after } = reader.read(0, 2).arrays;
  expect([[...before], [...after]]).toEqual([
    [0, 10, 20],
    [2, 12, 22],
  ]);
  expect(read).toEqual([0, 1, 2]);
});

test("reading ahead stops with the server, and comparisons read what is missing", async () => {
  const read: number[] = [];
  const reader = new LevelReader(pages(3, read));
  await reader.readAhead(AbortSignal.abort());
  expect(read).toEqual([]);
  expect([...reader.read(0, 1).arrays.after]).toEqual([1, 11, 21]);
});

test("other requests are handled between two blocks", async () => {
  const read: number[] = [];
  const reader = new LevelReader(pages(3, read));
  const ahead = reader.readAhead(new AbortController().signal);
  expect(read).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(read.length).toBeLessThan(3);
  await ahead;
});
