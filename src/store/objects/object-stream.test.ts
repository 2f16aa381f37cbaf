import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { encodeObject, packObject } from "../../formats/store/object.ts";
import { Objects } from "./objects.ts";

let folder: string;
let objects: Objects;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "object-stream-"));
  objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const body = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) % 251);

async function read(digest: Digest): Promise<Uint8Array> {
  const pieces: number[] = [];
  for await (const piece of (await objects.open(digest)).body) pieces.push(...piece);
  return Uint8Array.from(pieces);
}

function pathOf(digest: Digest): string {
  return join(folder, "objects", digest.slice(0, 2), digest.slice(2));
}

describe("streamed objects", () => {
  it("have the stored body", async () => {
    for (const bytes of [body, new Uint8Array(0), body.subarray(0, 1)]) {
      const { digest } = objects.put("attachment", "raw", bytes);
      expect((await objects.open(digest)).header).toEqual({ kind: "attachment", type: "raw", length: bytes.length });
      expect(await read(digest)).toEqual(Uint8Array.from(bytes));
    }
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ["cut", (bytes) => bytes.subarray(0, bytes.length - 9)],
    ["followed by a byte", (bytes) => Uint8Array.from([...bytes, 0])],
    ["empty", () => new Uint8Array(0)],
    [
      "a different body",
      () =>
        packObject(
          encodeObject(
            "attachment",
            "raw",
            body.map((byte) => byte ^ 1),
          ).plain,
        ),
    ],
    [
      "shorter than the header states",
      () => packObject(encodeObject("attachment", "raw", body).plain.subarray(0, 1000)),
    ],
    [
      "longer than the header states",
      () => packObject(Uint8Array.from([...new TextEncoder().encode("attachment raw 5\0"), ...body])),
    ],
  ])("are damaged if %s", async (_, harm) => {
    const { digest } = objects.put("attachment", "raw", body);
    writeFileSync(pathOf(digest), harm(readFileSync(pathOf(digest))));
    await expect(read(digest)).rejects.toMatchObject({ code: "object-damaged" });
  });

  it("are reported as missing if there is no file", async () => {
    await expect(objects.open("0".repeat(40) as Digest)).rejects.toMatchObject({ code: "object-missing" });
  });
});
