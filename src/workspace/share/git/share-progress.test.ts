import { expect, test } from "vitest";
import { progressParser, silentProgress } from "./share-progress.ts";

test("reports the last numbers that git prints", () => {
  const reported: (readonly [number, number])[] = [];
  const parse = progressParser({ ...silentProgress, show: (done, total) => reported.push([done, total]) });
  parse("remote: Counting objects: 100% (7/7), done.\n");
  parse("Receiving objects:  25% (1/4)\rReceiving objects:  50% (2/4), 1.00 MiB | 1.00 MiB/s\r");
  parse("Writing objects: 100% (12/12), 1.50 KiB | 1.50 MiB/s, done.\n");
  parse("Resolving deltas: 100% (1/1), done.\nWriting objects: x% (1/2)\n");
  expect(reported).toEqual([
    [2, 4],
    [12, 12],
  ]);
});
