import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { collectBytes } from "../../formats/bytes/concatenate.ts";
import { decompress, decompressReport } from "./compression.ts";

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

test.each(["utf-16le", "utf-16be"] as const)(
  "a report in %s with a byte order mark becomes UTF-8",
  async (encoding) => {
    const text = "name,time\nµ,1.5\n";
    const wide = Buffer.from(`\uFEFF${text}`, "utf16le");
    const bytes = Uint8Array.from(encoding === "utf-16le" ? wide : wide.swap16());
    for (const given of [bytes, gzipSync(bytes)]) {
      const { head, source } = await decompressReport(stream(given), "a.csv");
      expect(new TextDecoder().decode(head)).toBe(text);
      expect(new TextDecoder().decode(await collectBytes(source))).toBe(text);
    }
  },
);
