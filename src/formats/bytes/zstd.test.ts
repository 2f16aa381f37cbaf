import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { concatenateBytes } from "./concatenate.ts";
import { unzstd, unzstdBlock } from "./zstd.ts";

const plain = new Uint8Array(readFileSync("test/samples/profiles/folded.txt"));
const packed = new Uint8Array(readFileSync("test/samples/profiles/folded.txt.zst"));

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function decompressed(bytes: Uint8Array, size = 4096): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of unzstd(inPieces(bytes, size), bytes)) chunks.push(chunk);
  return concatenateBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  );
}

test("a stream of frames decompresses to the same bytes in chunks of any size", async () => {
  expect(unzstdBlock(packed, plain.length)).toEqual(plain);
  const two = Uint8Array.from([...packed, ...packed]);
  const twice = Uint8Array.from([...plain, ...plain]);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3000 }), async (size) => {
      expect(Buffer.compare(await decompressed(packed, size), plain)).toBe(0);
      expect(Buffer.compare(await decompressed(two, size), twice)).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test("a truncated stream throws at any length", async () => {
  for (let end = 5; end < packed.length; end++)
    await expect(decompressed(packed.subarray(0, end)), `${end} bytes`).rejects.toThrow(/./);
});

test("a run of zeros expands in bounded pieces, and a window over 128 MiB is refused", async () => {
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
  const runs = Uint8Array.from([...head, ...Array.from({ length: 2000 }, () => [2, 0, 16, 0]).flat(), 3, 0, 0, 0]);
  let [total, largest] = [0, 0];
  for await (const { length } of unzstd(inPieces(runs, runs.length), runs))
    [total, largest] = [total + length, Math.max(largest, length)];
  expect([total, largest]).toEqual([2000 * 2 ** 17, 2 ** 17]);
  await expect(decompressed(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x90, 1, 0, 0))).rejects.toThrow("128 MiB");
  const single = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x10, 1, 0, 0);
  await expect(decompressed(single)).rejects.toThrow("128 MiB");
});
