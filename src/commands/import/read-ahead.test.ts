import { expect, test } from "vitest";
import { ReadAhead } from "./read-ahead.ts";

async function* counted(log: string[], failAt = Number.NaN): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= 4; number++) {
      log.push(`read ${number}`);
      if (number === failAt) throw new Error("broken");
      yield number;
    }
  } finally {
    log.push("closed");
  }
}

async function all(items: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("prefetches up to the limit and reads the rest on demand", async () => {
  const log: string[] = [];
  const items = new ReadAhead(counted(log), (item) => item);
  await items.fill(3);
  expect(log).toEqual(["read 1", "read 2"]);
  expect(await all(items)).toEqual([1, 2, 3, 4]);
  expect(log.at(-1)).toBe("closed");
});

test("prefetches everything within the limit, and closes the source", async () => {
  const log: string[] = [];
  const items = new ReadAhead(counted(log), () => 1);
  await items.fill(2);
  await items.close();
  expect(log).toEqual(["read 1", "read 2", "closed"]);
  const whole = new ReadAhead(counted([]), () => 1);
  await whole.fill(100);
  expect(await all(whole)).toEqual([1, 2, 3, 4]);
});

test("yields every item once and in order to an early reader", async () => {
  for (const broken of [Number.NaN, 1, 4]) {
    const items = new ReadAhead(counted([], broken), () => 1);
    const filled = items.fill(100);
    const reading = all(items);
    if (Number.isNaN(broken)) expect(await reading).toEqual([1, 2, 3, 4]);
    else await expect(reading).rejects.toThrow("broken");
    await filled.catch(() => {});
  }
});

test("fails like its source", async () => {
  await expect(new ReadAhead(counted([], 2), () => 1).fill(100)).rejects.toThrow("broken");
  const late = new ReadAhead(counted([], 3), () => 1);
  await late.fill(2);
  await expect(all(late)).rejects.toThrow("broken");
});
