import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { filePieces, pieceSize } from "./files.ts";

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), "perfkeep-pieces-"));
  await writeFile(join(folder, "data"), bytes);
  return join(folder, "data");
}

test.each([0, 1, pieceSize - 1, pieceSize, pieceSize + 1, 3 * pieceSize])(
  "%d bytes come in their order",
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
    const pieces: Uint8Array[] = [];
    for await (const piece of filePieces(await fileOf(bytes))) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(pieces.every((piece) => piece.length <= pieceSize)).toBe(true);
  },
);

test("who has had enough after a piece may go", async () => {
  const path = await fileOf(new Uint8Array(5 * pieceSize));
  for await (const piece of filePieces(path)) {
    expect(piece).toHaveLength(pieceSize);
    break;
  }
});

test("a file that cannot be read fails when it is asked for", async () => {
  await expect(
    filePieces(join(await fileOf(new Uint8Array(1)), "..", "..", "nothing", "here")).next(),
  ).rejects.toMatchObject({
    code: "ENOENT",
  });
});
