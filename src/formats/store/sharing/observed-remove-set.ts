import { Failure } from "../../../core/failures/index.ts";
import { compareByCodePoint } from "../../text/index.ts";

/**
 * A set of texts with concurrent, uncoordinated changes: an observed-remove set. Each line of its file is an addition
 * or the end of one,
 *
 *     + <id, 16 hex digits> <text>
 *     - <id>
 *
 * sorted. Ids are unique. Removing a text ends its known additions, so a concurrent addition survives. An ended
 * addition needs no text. The merge of two sets is the union of their lines and independent of order.
 */
export interface SharedSet {
  /** Texts by the id of their addition. */
  readonly additions: ReadonlyMap<string, string>;
  readonly ended: ReadonlySet<string>;
}

/** Whether a text is valid in a line of a set. */
export function isLine(text: string): boolean {
  return /^.+$/u.test(text) && !/\p{Surrogate}/u.test(text);
}

export const emptySet: SharedSet = { additions: new Map(), ended: new Set() };

/**
 * Fails with `share-refused`, which names `path`, for anything that `encodeSharedSet` would not write.
 */
export function decodeSharedSet(bytes: Uint8Array, path: string): SharedSet {
  const additions = new Map<string, string>();
  const ended = new Set<string>();
  const lines = textOf(bytes, path).split("\n");
  if (lines.pop() !== "") throw refused(path, "its last line is cut off");
  for (const [i, line] of lines.entries()) {
    const [, sign, id = "", text] = /^([+-]) ([0-9a-f]{16})(?: (.+))?$/u.exec(line) ?? [];
    if (sign === "+" && text !== undefined) additions.set(id, text);
    else if (sign === "-" && text === undefined) ended.add(id);
    else throw refused(path, `line ${i + 1} is neither an addition nor an end`);
    if (i > 0 && compareByCodePoint(lines[i - 1]!, line) >= 0) throw refused(path, `line ${i + 1} is out of order`);
  }
  if (additions.size + ended.size !== lines.length) throw refused(path, "an id is given twice");
  for (const id of ended) if (additions.has(id)) throw refused(path, `the addition ${id} has ended and still stands`);
  return { additions, ended };
}

export function encodeSharedSet({ additions, ended }: SharedSet): Uint8Array {
  const lines = [...[...additions].map(([id, text]) => `+ ${id} ${text}\n`), ...[...ended].map((id) => `- ${id}\n`)];
  return new TextEncoder().encode(lines.toSorted(compareByCodePoint).join(""));
}

/** Commutative, associative, idempotent. */
export function mergeSharedSets(a: SharedSet, b: SharedSet): SharedSet {
  const ended = new Set([...a.ended, ...b.ended]);
  const additions = new Map<string, string>();
  for (const [id, text] of [...a.additions, ...b.additions]) {
    const other = additions.get(id);
    // Only forgery gives two texts the same id; the result is still deterministic.
    if (!ended.has(id)) additions.set(id, other === undefined || compareByCodePoint(text, other) < 0 ? text : other);
  }
  return { additions, ended };
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Failure("share-refused", { path, reason: "it is not UTF-8" }, error);
  }
}

function refused(path: string, reason: string): Failure {
  return new Failure("share-refused", { path, reason });
}
