import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { collectBytes } from "../../formats/bytes/concatenate.ts";
import { decompress } from "./compression.ts";

async function* stream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test.each([
  ["bzip2", "BZh91AY&SY rest"],
  ["xz", "\xfd7zXZ\0 rest"],
])("refuses %s and says how to decompress it", async (name, text) => {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const remedy = expect.objectContaining({ message: expect.stringContaining(`compressed with ${name}`) as string });
  await expect(decompress(stream(bytes), "a.file")).rejects.toEqual(remedy);
});

test.each(["", "BZ", "BZh is a text", "plain"])("leaves '%s' unchanged, and unpacks it from gzip", async (text) => {
  const bytes = new TextEncoder().encode(text);
  for (const given of [bytes, gzipSync(bytes)])
    expect(Uint8Array.from(await collectBytes((await decompress(stream(given), "a.file")).source))).toEqual(bytes);
});
