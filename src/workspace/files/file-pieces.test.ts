import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { fileChunks, chunkSize } from "./files.ts";

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), "perfkeep-pieces-"));
  await writeFile(join(folder, "data"), bytes);
  return join(folder, "data");
}

test.each([0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize])(
  "%d bytes come in their order",
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
    const pieces: Uint8Array[] = [];
    for await (const piece of fileChunks(await fileOf(bytes))) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(pieces.every((piece) => piece.length <= chunkSize)).toBe(true);
  },
);

test("who has had enough after a piece may go", async () => {
  const path = await fileOf(new Uint8Array(5 * chunkSize));
  for await (const piece of fileChunks(path)) {
    expect(piece).toHaveLength(chunkSize);
    break;
  }
});

test("a file that cannot be read fails when it is asked for", async () => {
  await expect(
    fileChunks(join(await fileOf(new Uint8Array(1)), "..", "..", "nothing", "here")).next(),
  ).rejects.toMatchObject({
    code: "ENOENT",
  });
});
