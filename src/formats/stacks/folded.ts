import { Failure } from "../../core/failures/index.ts";
import { StackSamples, type StackFrame, type StackProfile, plainName, StackTable } from "../../core/profiles/index.ts";
import { ByteRanges, hashOf } from "../bytes/index.ts";
import { decodeInput, lineBlocks } from "../text/index.ts";

/** Approximate length of the text pieces in characters. */
const pieceSize = 1 << 16;

/**
 * Prints folded stacks in pieces: lines `outer;inner N` sorted by bytes, summed over labels and stacks of equal text.
 * Stacks with amount 0 are omitted. Separators in names are replaced.
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

/** Stands for samples without a stack, so that sums are complete. */
const unknownStack = "[unknown]";

/** A line, or the subtree of a call. */
interface Entry {
  readonly text: string;
  /** −1 for a line. */
  readonly node: number;
}

/** A tree of stacks by the names of their calls; several frames may share a name. */
class FoldedTree {
  readonly #stacks: StackTable<unknown>;
  /** By frame number of `#stacks`. */
  readonly #names: readonly string[];
  readonly #amounts: Float64Array;
  readonly #isWanted: Uint8Array;
  readonly #firstCallee: Int32Array;
  readonly #nextSibling: Int32Array;

  constructor({ stacks, samples }: StackProfile, type: number) {
    const names = stacks.frames.map((frame) => cleanName(plainName(frame)));
    const isUnknown = (row: number): boolean => samples.stackOf(row) === 0 && samples.valueOf(row, type) !== 0;
    const merged =
      hasRow(samples.length, isUnknown) || new Set(names).size < names.length ? mergeByName(stacks, names) : null;
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

  /** Depth first: the lines of a subtree are contiguous in sorted order. */
  *lines(): Generator<string> {
    const levels: { readonly entries: readonly Entry[]; at: number; readonly path: string }[] = [];
    levels.push({ entries: this.#entriesOf(0), at: 0, path: "" });
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.entries[level.at++];
      if (entry === undefined) levels.pop();
      else if (entry.node < 0) yield `${level.path}${entry.text}\n`;
      else levels.push({ entries: this.#entriesOf(entry.node), at: 0, path: level.path + entry.text });
    }
  }

  /**
   * The callees of a node in byte order of their lines: ` 1` or `;` follows the name `a`, and both are compared with
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
    return entries.length < 2 ? entries : entries.sort((a, b) => compareByUtf8(a.text, b.text));
  }
}

/** Merges stacks whose calls have equal names; the empty stack becomes `[unknown]`. */
function mergeByName(
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
    merged.frame(unknownStack, () => unknownStack),
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

/** Integers without an exponent, other numbers with the shortest exact representation. */
function amountText(amount: number): string {
  return Number.isInteger(amount) && Math.abs(amount) >= 1e21 ? BigInt(amount).toString() : String(amount);
}

/** Compares in UTF-8 byte order: surrogate pairs come after all other UTF-16 code units. */
function compareByUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  return utf8Rank(a.charCodeAt(at)) - utf8Rank(b.charCodeAt(at));
}

function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

const [newline, carriageReturn, blank] = [0x0a, 0x0d, 0x20] as const;

/** Maximum depth of a stack; further inner calls are dropped. */
const maxDepth = 1 << 14;

/** Bytes of distinct stacks that are cached; further stacks are parsed each time. */
const maxKnownBytes = 64 << 20;

/**
 * Reads folded stacks, one per line: calls separated by `;`, outermost first, a blank, a number. Ignores other lines
 * and sums equal stacks. The encoding is UTF-8, or UTF-16 with a byte order mark. Fails with `no-stacks` if there is
 * none.
 */
export async function readFolded(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new FoldedReader();
  for await (const { bytes } of lineBlocks(decodeInput(source))) reader.take(bytes);
  const { stacks, samples } = reader;
  if (samples.length === 0) throw new Failure("no-stacks", { file, what: "folded stacks" });
  return { stacks, types: [{ name: "samples", unit: "count" }], main: 0, samples, facts: {} };
}

/** Caches stacks by their bytes, because programs that do not aggregate repeat the same lines. */
class FoldedReader {
  readonly stacks = new StackTable<StackFrame>();
  readonly samples = new StackSamples(1);
  readonly #known = new ByteRanges(maxKnownBytes);
  /** Rows of the cached stacks. */
  readonly #rows: number[] = [];
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** Takes complete lines. */
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
    const amount = parseDigits(bytes, at + 1, end) ?? numberIn(this.#decoder.decode(bytes.subarray(at + 1, end)));
    if (amount !== null) this.samples.addTo(this.#rowOf(view, bytes, from, at), 0, amount);
  }

  #rowOf(view: DataView, bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(view, from, to);
    const known = this.#known.find(view, from, to, hash);
    if (known >= 0) return this.#rows[known]!;
    const row = this.samples.row(nodeOf(this.stacks, this.#decoder.decode(bytes.subarray(from, to))));
    const number = this.#known.add(view, from, to, hash);
    if (number >= 0) this.#rows[number] = row;
    return row;
  }
}

/** Parses up to 15 digits; undefined for anything else. */
function parseDigits(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (from >= to || to - from > 15) return undefined;
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/** The node of a folded stack. */
function nodeOf(stacks: StackTable<StackFrame>, text: string): number {
  let node = 0;
  for (const name of text.split(";", maxDepth))
    node = stacks.called(
      node,
      stacks.frame(name, () => ({ function: name })),
    );
  return node;
}

function numberIn(text: string): number | null {
  return text.length < 40 && /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/.test(text) ? Number(text) : null;
}

/** The share of stacks among the first complete lines, 0 to 1; comments are ignored. */
export function foldedShare(head: string): number {
  const lines = head.split(/\r?\n/).slice(0, 200);
  if (lines.length > 1 && head.length > 60_000) lines.pop();
  const candidates = lines.filter((line) => line.trim() !== "" && !/^\s*(?:#|\/\/)/.test(line));
  const isStack = (line: string): boolean => /^\S/.test(line) && /^.{1,4000} -?\d{1,20}(?:\.\d{1,20})?$/.test(line);
  return candidates.length === 0 ? 0 : candidates.filter(isStack).length / candidates.length;
}
