import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { decodeObject, encodeObject, hexOf, packObject, sha1 } from "./object.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The packed file of plain bytes and their digest. */
function fileOf(plain: Uint8Array): [Uint8Array, Digest] {
  return [deflateSync(plain), hexOf(sha1(plain)) as Digest];
}

test("the id is the SHA-1 of header, NUL and body", () => {
  const { plain, digest } = encodeObject("profile", "time", bytes("{}"));
  expect(new TextDecoder().decode(plain)).toBe("profile time 2\0{}");
  expect(digest).toBe("f97a6c9176e14388dbca1a80ee0761bc2d951376");
  expect(packObject(plain).slice(0, 2)).toEqual(Uint8Array.of(0x78, 0x9c));
});

test("small and large objects round-trip", () => {
  const bodies = fc.uint8Array({ maxLength: 500 });
  fc.assert(
    fc.property(
      bodies,
      fc.constantFrom(
        ["profile", "mixed"] as const,
        ["attachment", "raw"] as const,
        ["attachment", "experiment-update"] as const,
      ),
      (body, [kind, type]) => {
        const { plain, digest } = encodeObject(kind, type, body);
        const stored = decodeObject(packObject(plain), digest);
        expect({ ...stored, body: Uint8Array.from(stored.body) }).toEqual({ kind, type, body });
      },
    ),
  );
  const large = encodeObject("attachment", "raw", new Uint8Array(5_000_000).fill(7));
  expect(decodeObject(packObject(large.plain), large.digest).body.length).toBe(5_000_000);
});

describe("damage", () => {
  const { plain, digest } = encodeObject("profile", "mixed", bytes('{"a": [1, 2, 3], "b": "some text"}'));
  const file = packObject(plain);
  const reasonOf = (changed: Uint8Array, id: Digest = digest, cap?: number): string | null => {
    try {
      const { body } = decodeObject(changed, id, cap);
      return hexOf(body) === hexOf(decodeObject(file, digest).body) ? null : "other body";
    } catch (error) {
      if (!isFailure(error, "object-damaged")) throw error;
      return String(error.data.reason);
    }
  };

  test("every flipped bit is detected or has no effect (zlib has a few unused bits)", () => {
    const unnoticed = Array.from({ length: file.length * 8 }, (_, bit) => {
      const changed = file.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      return reasonOf(changed);
    });
    expect(unnoticed.filter((reason) => reason === "other body")).toEqual([]);
    expect(unnoticed.filter((reason) => reason === null).length).toBeLessThanOrEqual(8);
  });

  test("every truncation and any trailing data is detected", () => {
    for (let length = 0; length < file.length; length++) expect(reasonOf(file.slice(0, length))).not.toBeNull();
    expect(reasonOf(Uint8Array.from([...file, 0]))).toBe("1 bytes follow it in its file");
    expect(reasonOf(Uint8Array.from([...file, ...file]))).toBe(`${file.length} bytes follow it in its file`);
  });

  test.each([
    ["profile mixed 3", "malformed"],
    ["p mixed 3\0{}", "kind 'p'"],
    ["profile curious 2\0{}", "type 'curious'"],
    ["profile mixed 3\0{}", "2 bytes where its header says 3"],
    ["profile mixed 02\0{}", "malformed"],
    ["profile  mixed 2\0{}", "malformed"],
    ["profile mixed 2 \0{}", "malformed"],
    ["", "malformed"],
  ])("a header as in %j", (header, reason) => {
    expect(reasonOf(...fileOf(bytes(header)))).toContain(reason);
  });

  test("a body under another digest, and a body beyond the limit", () => {
    const [other] = fileOf(bytes("profile mixed 2\0{}"));
    expect(reasonOf(other)).toContain("its digest is");
    expect(reasonOf(deflateSync(new Uint8Array(10_000_000)), digest, 1_000_000)).toBe(
      "it unpacks to more than 1000000 bytes",
    );
    expect(reasonOf(plain)).toBe("it cannot be unpacked");
    expect(reasonOf(new Uint8Array())).toBe("its file is empty");
  });
});
