import { constants } from "node:zlib";
import { expect, it } from "vitest";
import { packingStrategy } from "./raw-file.ts";

/** Lines of `digits` pseudo-random digits. */
function measured(lines: number): string {
  let state = 7;
  const digits = (): string => String((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648)).padStart(10, "0");
  return Array.from({ length: lines }, () => `${digits()}.${digits()}\n`).join("");
}

it.each([
  { what: "measured numbers", text: measured(5000), strategy: constants.Z_HUFFMAN_ONLY },
  { what: "the same line", text: "no relevant information\n".repeat(5000), strategy: constants.Z_DEFAULT_STRATEGY },
  {
    what: "numbers after a long heading",
    text: `${"heading\n".repeat(50_000)}${measured(5000)}`,
    strategy: constants.Z_HUFFMAN_ONLY,
  },
  { what: "a few numbers", text: measured(100), strategy: constants.Z_DEFAULT_STRATEGY },
])("chooses whether to search repetitions in $what", ({ text, strategy }) => {
  expect(packingStrategy(new TextEncoder().encode(text))).toBe(strategy);
});
