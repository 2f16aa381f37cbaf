import fc from "fast-check";
import { expect, test } from "vitest";
import { LineBuffer } from "./line-buffer.ts";
import { longestLine } from "./text-lines.ts";

const decode = (bytes: Uint8Array | null): string => (bytes === null ? "" : new TextDecoder().decode(bytes));

test("assembles complete lines from pieces of any size", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,9}$/), { maxLength: 30 }), (pieces) => {
      const lines = new LineBuffer();
      let out = "";
      for (const piece of pieces) {
        const part = decode(lines.push(new TextEncoder().encode(piece)));
        expect(part === "" || part.endsWith("\n")).toBe(true);
        out += part;
      }
      const text = pieces.join("");
      expect(out + decode(lines.end())).toBe(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    }),
  );
});

test("truncates an endless line to bounded memory", () => {
  const lines = new LineBuffer();
  const piece = new Uint8Array(1 << 18).fill(0x61);
  for (let i = 0; i < 20; i++) expect(lines.push(piece)).toBeNull();
  const [cut, next] = decode(lines.push(new TextEncoder().encode("tail\nb\n"))).split("\n");
  expect([cut?.length, cut?.endsWith("a"), next]).toEqual([longestLine, true, "b"]);
});
