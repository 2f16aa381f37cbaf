import { join } from "node:path";
import { isDigest, type Digest } from "../../core/versions/index.ts";
import {
  decodeSharedChange,
  encodeSharedChange,
  sharedChangeDigest,
  type SharedChange,
} from "../../formats/store/index.ts";
import { makeFolder, writeDurably, listFolder, readRegularFile } from "../durable/index.ts";
import type { NamedChange } from "./merged-history.ts";
import type { LocalHistory } from "./local-history.ts";
import type { IndependentImports } from "./independent-imports.ts";

/** A change that this instance sent or received, with its bytes. */
export interface KnownChange extends NamedChange {
  readonly bytes: Uint8Array;
}

export function decodeKnownChange(bytes: Uint8Array): KnownChange {
  const digest = sharedChangeDigest(bytes);
  return { digest, bytes, change: decodeSharedChange(bytes, digest) };
}

/**
 * All changes of experiments that this instance sent or received: one file per experiment, one line per change. Since
 * it survives a rebuild of the database, changes are never sent twice.
 */
export class KnownChanges {
  readonly #folder: string;
  readonly #byExperiment = new Map<Digest, Map<Digest, KnownChange>>();

  constructor(folder: string) {
    this.#folder = folder;
    for (const { name } of listFolder(folder)) {
      const uid = name.replace(/[.]jsonl$/, "");
      if (isDigest(uid) && uid !== name)
        for (const bytes of linesOf(readRegularFile(join(folder, name)) ?? new Uint8Array()))
          this.#addInMemory(decodeKnownChange(bytes));
    }
  }

  experiments(): Digest[] {
    return [...this.#byExperiment.keys()].sort();
  }

  of(uid: Digest): ReadonlyMap<Digest, KnownChange> {
    return this.#byExperiment.get(uid) ?? new Map();
  }

  /** Durable once it returns. */
  add(changes: Iterable<KnownChange>): void {
    const grown = new Set<Digest>();
    for (const change of changes) if (this.#addInMemory(change)) grown.add(change.change.experiment);
    if (grown.size > 0) makeFolder(this.#folder);
    for (const uid of grown)
      writeDurably(
        join(this.#folder, `${uid}.jsonl`),
        [...this.of(uid).values()].map(({ bytes }) => bytes),
      );
  }

  /** Returns whether the change is new. */
  #addInMemory(known: KnownChange): boolean {
    const { experiment } = known.change;
    const all = this.#byExperiment.get(experiment) ?? new Map<Digest, KnownChange>();
    this.#byExperiment.set(experiment, all);
    if (all.has(known.digest)) return false;
    all.set(known.digest, known);
    return true;
  }
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0, end = bytes.indexOf(0x0a); end >= 0; at = end + 1, end = bytes.indexOf(0x0a, at))
    lines.push(bytes.slice(at, end + 1));
  return lines;
}

/**
 * The local changes of an experiment that are not shared yet, dated after all known ones. `now`: microseconds since the
 * Unix epoch.
 */
export function unsharedChanges(
  { uid, steps }: LocalHistory,
  known: ReadonlyMap<Digest, KnownChange>,
  now: number,
  independent: IndependentImports,
): KnownChange[] {
  const origins = new Set<Digest>();
  let last = 0;
  for (const { change } of known.values()) {
    origins.add(change.origin);
    last = Math.max(last, change.sent);
  }
  // Runs keep their numbers if their imports are sent in the order of the numbers.
  return independent.inRunOrder(steps.filter(({ origin }) => !origins.has(origin))).map(({ origin, time, what }) => {
    last = Math.max(now, last + 1);
    const change: SharedChange = { experiment: uid, origin, sent: last, time, what };
    const bytes = encodeSharedChange(change);
    return { digest: sharedChangeDigest(bytes), bytes, change };
  });
}
