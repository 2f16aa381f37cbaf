import { concatenateBytes } from "../../src/formats/bytes/concatenate.ts";
import { randomOf } from "./binary-mutations.ts";

/** Pieces of text that confuse parsers. */
export const hostileTexts: readonly string[] = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "\n",
  "1e999",
  "-",
  "NaN",
  "null",
  '"__proto__":',
  "\u0000",
  "<",
  ">",
  "&",
  ",",
  "\u202e",
  "99999999999999999999",
  "A".repeat(5000),
];

/** Replaces `cut` bytes at `at` by `put`. */
export function edited(bytes: Uint8Array, at: number, cut: number, put: Uint8Array): Uint8Array {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + cut)];
  return concatenateBytes([before, put, after], before.length + put.length + after.length);
}

/**
 * Changes one to four places of a text: replaces a few bytes by hostile text or noise, repeats or removes a line, or
 * replaces a number; one in ten is also cut.
 */
export function mutateText(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomOf(seed);
  let changed = bytes;
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(Math.max(1, changed.length));
    const kind = random(10);
    if (kind < 5) changed = edited(changed, at, random(40), encoder.encode(hostileTexts[random(hostileTexts.length)]));
    else if (kind < 7)
      changed = edited(
        changed,
        at,
        random(9),
        Uint8Array.from({ length: random(9) }, () => random(256)),
      );
    else changed = editedLine(changed, at, kind, random);
  }
  return random(10) === 0 ? changed.subarray(0, random(Math.max(1, changed.length))) : changed;
}

const encoder = new TextEncoder();
const lineFeed = 10;

/** Repeats or removes the line at `at`, or replaces its first number. */
function editedLine(bytes: Uint8Array, at: number, kind: number, random: (below: number) => number): Uint8Array {
  const start = bytes.lastIndexOf(lineFeed, at - 1) + 1;
  const found = bytes.indexOf(lineFeed, at);
  const end = found < 0 ? bytes.length : found + 1;
  const line = bytes.subarray(start, end);
  if (kind === 7) return edited(bytes, start, 0, line);
  if (kind === 8) return edited(bytes, start, end - start, new Uint8Array(0));
  const number = /-?\d[\d.e+-]*/.exec(new TextDecoder("latin1").decode(line));
  if (number === null) return edited(bytes, start, 0, encoder.encode("\n"));
  const others = ["0", "-0", "-1", "1e308", "5e-324", "1e400", ".", "0x1F", "1,5", "9".repeat(25), "00", "1e", "−1"];
  return edited(bytes, start + number.index, number[0].length, encoder.encode(others[random(others.length)]));
}
