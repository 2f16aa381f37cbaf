import { Failure } from "../../core/failures/failure.ts";
import { StackSamples, type StackFrame, type StackProfile, plainName } from "../../core/profiles/stack-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import { ByteRanges, hashOf } from "../bytes/byte-ranges.ts";
import { withoutMark } from "../text/text-encoding.ts";
import { lineBlocks } from "../text/text-lines.ts";

/** Text is handed out in pieces of about this many characters. */
const pieceSize = 1 << 16;

/**
 * A profile as folded stacks, in pieces: `outer;inner N` a line, sorted by bytes, all labels added up, stacks of the
 * same text in one line. Stacks of no amount are left out. What separates frames and lines cannot be in a name.
 */
export function* foldedText(profile: StackProfile, type: number): Generator<string> {
  const tree = new FoldedTree(profile, type);
  let text = "";
  for (const line of tree.lines()) {
    text += line;
    if (text.length < pieceSize) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** Samples of no stack are told all the same: sums must be right. */
const nowhere = "[unknown]";

/** What comes next below a caller: a line, or all that a call called. */
interface Entry {
  readonly text: string;
  /** −1: a line. */
  readonly node: number;
}

/** Stacks by the texts of their calls, of which several frames may have the same. */
class FoldedTree {
  readonly #stacks: StackTable<unknown>;
  /** By number of a frame of these stacks. */
  readonly #names: readonly string[];
  readonly #amounts: Float64Array;
  readonly #isWanted: Uint8Array;
  readonly #firstCallee: Int32Array;
  readonly #nextSibling: Int32Array;

  constructor({ stacks, samples }: StackProfile, type: number) {
    const names = stacks.frames.map((frame) => cleanName(plainName(frame)));
    const isUnknown = (row: number): boolean => samples.stackOf(row) === 0 && samples.valueOf(row, type) !== 0;
    const merged =
      hasRow(samples.length, isUnknown) || new Set(names).size < names.length ? mergedStacks(stacks, names) : null;
    this.#stacks = merged?.stacks ?? stacks;
    this.#names = merged?.stacks.frames ?? names;
    const { size } = this.#stacks;
    this.#amounts = new Float64Array(size);
    for (let row = 0; row < samples.length; row++) {
      const stack = samples.stackOf(row);
      this.#amounts[merged === null ? stack : merged.nodes[stack]!]! += samples.valueOf(row, type);
    }
    this.#isWanted = new Uint8Array(size);
    this.#firstCallee = new Int32Array(size);
    this.#nextSibling = new Int32Array(size);
    this.#link(size);
  }

  #link(size: number): void {
    for (let node = size - 1; node > 0; node--) {
      if (this.#amounts[node] !== 0) this.#isWanted[node] = 1;
      if (this.#isWanted[node] === 0) continue;
      const caller = this.#stacks.callerOf(node);
      this.#isWanted[caller] = 1;
      this.#nextSibling[node] = this.#firstCallee[caller]!;
      this.#firstCallee[caller] = node;
    }
  }

  /** Depth first: what a call called is one stretch of the sorted lines, so none has to wait for another. */
  *lines(): Generator<string> {
    const waiting: { readonly entries: readonly Entry[]; at: number; readonly path: string }[] = [];
    waiting.push({ entries: this.#entriesOf(0), at: 0, path: "" });
    for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
      const entry = level.entries[level.at++];
      if (entry === undefined) waiting.pop();
      else if (entry.node < 0) yield `${level.path}${entry.text}\n`;
      else waiting.push({ entries: this.#entriesOf(entry.node), at: 0, path: level.path + entry.text });
    }
  }

  /**
   * The callees of a node in the order of their lines' bytes: after `a` comes ` 1` or `;`, and both are compared with
   * the rest of `a b`.
   */
  #entriesOf(caller: number): Entry[] {
    const entries: Entry[] = [];
    for (let node = this.#firstCallee[caller]!; node > 0; node = this.#nextSibling[node]!) {
      const name = this.#names[this.#stacks.callOf(node)]!;
      const amount = this.#amounts[node]!;
      if (amount !== 0) entries.push({ text: `${name} ${amountText(amount)}`, node: -1 });
      if (this.#firstCallee[node]! > 0) entries.push({ text: `${name};`, node });
    }
    return entries.length < 2 ? entries : entries.sort((a, b) => inOrderOfBytes(a.text, b.text));
  }
}

/** The stacks by the texts of their calls; the empty one is one that nobody knows. */
function mergedStacks(
  stacks: StackTable<unknown>,
  names: readonly string[],
): { readonly stacks: StackTable<string>; readonly nodes: Int32Array } {
  const merged = new StackTable<string>();
  const numbers = names.map((name) => merged.frame(name, () => name));
  const nodes = new Int32Array(stacks.size);
  for (let node = 1; node < stacks.size; node++)
    nodes[node] = merged.called(nodes[stacks.callerOf(node)]!, numbers[stacks.callOf(node)]!);
  nodes[0] = merged.called(
    0,
    merged.frame(nowhere, () => nowhere),
  );
  return { stacks: merged, nodes };
}

function hasRow(length: number, test: (row: number) => boolean): boolean {
  for (let row = 0; row < length; row++) if (test(row)) return true;
  return false;
}

function cleanName(name: string): string {
  return /[;\r\n]/.test(name) ? name.replaceAll(";", ":").replaceAll(/[\r\n]+/g, " ") : name;
}

/** Whole numbers without exponent, others with the fewest digits that tell them. */
function amountText(amount: number): string {
  return Number.isInteger(amount) && Math.abs(amount) >= 1e21 ? BigInt(amount).toString() : String(amount);
}

/** As UTF-8 is compared: characters beyond 16 bits come last, though the halves that they are written in do not. */
function inOrderOfBytes(a: string, b: string): number {
  if (a === b) return 0;
  const least = Math.min(a.length, b.length);
  let at = 0;
  while (at < least && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === least) return a.length - b.length;
  return bytesRank(a.charCodeAt(at)) - bytesRank(b.charCodeAt(at));
}

function bytesRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

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
