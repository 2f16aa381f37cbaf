import { Failure } from "../../core/failures/failure.ts";
import { StackSamples, type StackFrame, type StackProfile } from "../../core/profiles/stack-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import { ByteRanges, hashOf } from "../bytes/byte-ranges.ts";
import { withoutMark } from "../text/text-encoding.ts";
import { lineBlocks } from "../text/text-lines.ts";

const [newline, carriageReturn, blank] = [0x0a, 0x0d, 0x20] as const;

/** Stacks longer than this lose their inner calls. */
const deepest = 1 << 14;

/** So many bytes of different stacks are known by their bytes; more of them are read as if they were new. */
const knownBytes = 64 << 20;

/**
 * Reads folded stacks, one a line: calls with `;` between them, outer first, a blank, a number. Lines that are none are
 * passed over, and equal stacks are added up. UTF-8, or UTF-16 as a byte order mark tells. Fails with `no-stacks` when
 * there is no stack at all.
 */
export async function readFolded(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new FoldedReader();
  for await (const { bytes } of lineBlocks(withoutMark(source))) reader.take(bytes);
  const { stacks, samples } = reader;
  if (samples.length === 0) throw new Failure("no-stacks", { file, what: "folded stacks" });
  return { stacks, types: [{ name: "samples", unit: "count" }], main: 0, samples, facts: {} };
}

/** Programs that do not add up write the same stack over and over: those are found by their bytes, and read once. */
class FoldedReader {
  readonly stacks = new StackTable<StackFrame>();
  readonly samples = new StackSamples(1);
  readonly #known = new ByteRanges(knownBytes);
  /** Of the known stacks. */
  readonly #rows: number[] = [];
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** Whole lines. */
  take(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let from = 0; from < bytes.length;) {
      const next = bytes.indexOf(newline, from) + 1;
      const end = bytes[next - 2] === carriageReturn && next - 1 > from ? next - 2 : next - 1;
      this.#takeLine(view, bytes, from, end);
      from = next;
    }
  }

  #takeLine(view: DataView, bytes: Uint8Array, from: number, end: number): void {
    let at = end - 1;
    while (at > from && bytes[at] !== blank) at--;
    if (at <= from) return;
    const amount = wholeNumber(bytes, at + 1, end) ?? numberIn(this.#decoder.decode(bytes.subarray(at + 1, end)));
    if (amount !== null) this.samples.addTo(this.#rowOf(view, bytes, from, at), 0, amount);
  }

  #rowOf(view: DataView, bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(view, from, to);
    const found = this.#known.find(view, from, to, hash);
    if (found >= 0) return this.#rows[found]!;
    const row = this.samples.row(nodeOf(this.stacks, this.#decoder.decode(bytes.subarray(from, to))));
    const number = this.#known.add(view, from, to, hash);
    if (number >= 0) this.#rows[number] = row;
    return row;
  }
}

/** Digits and nothing else, as a number that is exact; undefined for all other spellings. */
function wholeNumber(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (from >= to || to - from > 15) return undefined;
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/** The node of the stack that a text spells. */
function nodeOf(stacks: StackTable<StackFrame>, text: string): number {
  let node = 0;
  for (const name of text.split(";", deepest))
    node = stacks.called(
      node,
      stacks.frame(name, () => ({ function: name })),
    );
  return node;
}

function numberIn(text: string): number | null {
  return text.length < 40 && /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/.test(text) ? Number(text) : null;
}

/** How many of the first whole lines are stacks, 0..1; lines of comments do not count. */
export function foldedShare(head: string): number {
  const lines = head.split(/\r?\n/).slice(0, 200);
  if (lines.length > 1 && head.length > 60_000) lines.pop();
  const told = lines.filter((line) => line.trim() !== "" && !/^\s*(?:#|\/\/)/.test(line));
  const isStack = (line: string): boolean => /^\S/.test(line) && /^.{1,4000} -?\d{1,20}(?:\.\d{1,20})?$/.test(line);
  return told.length === 0 ? 0 : told.filter(isStack).length / told.length;
}
