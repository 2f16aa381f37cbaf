import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { fileChunks, chunkSize, openFiles } from "./files.ts";

test("devices are refused as input", async () => {
  const first = openFiles("/").stream("/dev/zero")[Symbol.asyncIterator]().next();
  await expect(first).rejects.toMatchObject({ code: "unreadable-file", message: "/dev/zero: it is a device" });
});

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), "perfkeep-chunks-"));
  await writeFile(join(folder, "data"), bytes);
  return join(folder, "data");
}

test.each([0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize])(
  "%d bytes come in their order",
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
    const chunks: Uint8Array[] = [];
    for await (const chunk of fileChunks(await fileOf(bytes))) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(chunks.every((chunk) => chunk.length <= chunkSize)).toBe(true);
  },
);

test("can be abandoned after a chunk", async () => {
  const path = await fileOf(new Uint8Array(5 * chunkSize));
  for await (const chunk of fileChunks(path)) {
    expect(chunk).toHaveLength(chunkSize);
    break;
  }
});

test("fails on the first read of a missing file", async () => {
  await expect(
    fileChunks(join(await fileOf(new Uint8Array(1)), "..", "..", "nothing", "here")).next(),
  ).rejects.toMatchObject({
    code: "ENOENT",
  });
});
