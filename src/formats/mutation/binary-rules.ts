import { between, copies, type MutationRule, type Random } from "./rule.ts";

function binaryRule(name: string, synopsis: string, apply: MutationRule["apply"]): MutationRule {
  return Object.freeze<MutationRule>({ name, synopsis, family: "binary", apply });
}

/** Rules for bytes regardless of their meaning. The last one is not from Perun. */
export const binaryRules: readonly MutationRule[] = [
  binaryRule("remove-zero-byte", "remove a zero byte", (bytes, random) => {
    const at = pickZero(bytes, random);
    return at < 0 ? bytes : spliced(bytes, at, 1, []);
  }),
  binaryRule("insert-zero-byte", "insert a zero byte", (bytes, random) => spliced(bytes, between(0, bytes.length, random), 0, [0])),
  binaryRule("insert-byte", "insert a random byte", (bytes, random) =>
    spliced(bytes, between(0, bytes.length, random), 0, [between(0, 255, random)]),
  ),
  binaryRule("remove-byte", "remove a byte", (bytes, random) =>
    bytes.length === 0 ? bytes : spliced(bytes, between(0, bytes.length - 1, random), 1, []),
  ),
  binaryRule("swap-bytes", "swap two bytes", swappedBytes),
  binaryRule("flip-bit", "flip a bit", (bytes, random) => {
    const at = between(0, bytes.length - 1, random);
    const flipped = bytes.slice();
    if (bytes.length > 0) flipped[at] = (bytes[at] ?? 0) ^ (1 << between(0, 7, random));
    return flipped;
  }),
  binaryRule("repeat-bytes", "repeat up to 64 bytes 10 to 100 times", repeatedBytes),
];

function spliced(bytes: Uint8Array, at: number, removed: number, inserted: ArrayLike<number>): Uint8Array {
  const made = new Uint8Array(bytes.length - removed + inserted.length);
  made.set(bytes.subarray(0, at));
  made.set(inserted, at);
  made.set(bytes.subarray(at + removed), at + inserted.length);
  return made;
}

/** Offset of the first zero byte at or after a random offset, else of the first one; -1 if there is none. */
function pickZero(bytes: Uint8Array, random: Random): number {
  const next = bytes.indexOf(0, between(0, Math.max(0, bytes.length - 1), random));
  return next >= 0 ? next : bytes.indexOf(0);
}

function swappedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length < 2) return bytes;
  const [a, b] = [between(0, bytes.length - 1, random), between(0, bytes.length - 1, random)];
  const made = bytes.slice();
  [made[a], made[b]] = [bytes[b] ?? 0, bytes[a] ?? 0];
  return made;
}

const longestSpan = 64;

function repeatedBytes(bytes: Uint8Array, random: Random, limit: number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = between(0, bytes.length - 1, random);
  const span = bytes.subarray(at, at + between(1, longestSpan, random));
  const times = copies(between(10, 100, random), span.length, limit);
  const repeated = new Uint8Array(span.length * times);
  for (let time = 0; time < times; time++) repeated.set(span, time * span.length);
  return spliced(bytes, at, span.length, repeated);
}
