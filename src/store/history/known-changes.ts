import { join } from "node:path";
import { isDigest, type Digest } from "../../core/versions/digest.ts";
import {
  decodeSharedChange,
  encodeSharedChange,
  sharedChangeDigest,
  type SharedChange,
} from "../../formats/store/sharing/experiment-change.ts";
import { makeFolder, writeDurably } from "../durable/durable-file.ts";
import { listFolder, readRegularFile } from "../durable/regular-file.ts";
import type { NamedChange } from "./merged-history.ts";
import type { LocalHistory } from "./local-history.ts";
import type { IndependentImports } from "./independent-imports.ts";

/** A change that this instance told or was told, as it was written. */
export interface KnownChange extends NamedChange {
  readonly bytes: Uint8Array;
}

export function decodeKnownChange(bytes: Uint8Array): KnownChange {
  const digest = sharedChangeDigest(bytes);
  return { digest, bytes, change: decodeSharedChange(bytes, digest) };
}

/**
 * All changes of experiments that this instance knows of, its own and those it was told: a file for each experiment, a
 * line for each change. A database can be made again from its own ledger; this tells when its changes were told, so
 * that they are never told twice.
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
          this.#keep(decodeKnownChange(bytes));
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
    for (const change of changes) if (this.#keep(change)) grown.add(change.change.experiment);
    if (grown.size > 0) makeFolder(this.#folder);
    for (const uid of grown)
      writeDurably(
        join(this.#folder, `${uid}.jsonl`),
        [...this.of(uid).values()].map(({ bytes }) => bytes),
      );
  }

  /** Whether it is new. */
  #keep(known: KnownChange): boolean {
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
 * What was done to an experiment here and was not told yet, as it is to be told: later than all that is known of it.
 * `now`: microseconds since
 * 1970-01-01T00:00:00Z.
 */
export function unsharedChanges(
  { uid, steps }: LocalHistory,
  known: ReadonlyMap<Digest, KnownChange>,
  now: number,
  separate: IndependentImports,
): KnownChange[] {
  const origins = new Set<Digest>();
  let last = 0;
  for (const { change } of known.values()) {
    origins.add(change.origin);
    last = Math.max(last, change.sent);
  }
  // Runs keep their numbers where they are told in the order of these.
  return separate.inRunOrder(steps.filter(({ origin }) => !origins.has(origin))).map(({ origin, time, what }) => {
    last = Math.max(now, last + 1);
    const change: SharedChange = { experiment: uid, origin, sent: last, time, what };
    const bytes = encodeSharedChange(change);
    return { digest: sharedChangeDigest(bytes), bytes, change };
  });
}
