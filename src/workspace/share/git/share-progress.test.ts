import { expect, test } from "vitest";
import { progressParser, silentProgress } from "./share-progress.ts";

test("of what git prints the last numbers count", () => {
  const told: (readonly [number, number])[] = [];
  const heard = progressParser({ ...silentProgress, show: (done, total) => told.push([done, total]) });
  heard("remote: Counting objects: 100% (7/7), done.\n");
  heard("Receiving objects:  25% (1/4)\rReceiving objects:  50% (2/4), 1.00 MiB | 1.00 MiB/s\r");
  heard("Writing objects: 100% (12/12), 1.50 KiB | 1.50 MiB/s, done.\n");
  heard("Resolving deltas: 100% (1/1), done.\nWriting objects: x% (1/2)\n");
  expect(told).toEqual([
    [2, 4],
    [12, 12],
  ]);
});
