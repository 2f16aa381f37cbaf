import type { VersionId } from "../versions/index.ts";
import type { SubjectWorkload } from "../profiles/index.ts";
import type { Subject } from "../measurements/index.ts";
import { findUnit, type Unit } from "../values/index.ts";

/** The measurements of one subject on one side of a comparison. */
export interface Measured {
  readonly subject: Subject;
  /** The generated workload that it was measured with. Key and benchmark of the subject are those without workload. */
  readonly workload?: SubjectWorkload;
  /** The unit as written in the source; may be unknown to perfkeep. */
  readonly unitText: string;
  /**
   * Values grouped by process, run or profile; one group if nothing of the kind is known. Finite; no group is empty.
   */
  readonly groups: readonly Float64Array[];
  /**
   * For each group the run, by its start in Unix milliseconds, that measured it and groups of other sides round by
   * round; null: none. Absent: none at all.
   */
  readonly sessions?: readonly (number | null)[];
  /** The source declares its numbers as exactly repeatable. */
  readonly exact?: true;
  /** The distinct exit statuses of the measured program, ascending; absent: unknown. */
  readonly statuses?: readonly number[];
  /** The run in which its values were measured in pairs with those of the other side: first with first, and so on. */
  readonly pairing?: string;
  /** That run stopped measuring pairs as soon as they decided. */
  readonly sequential?: true;
}

/** All measurements of one side. */
export interface Measurements {
  /** Name in tables. */
  readonly name: string;
  readonly measured: readonly Measured[];
  /** Fingerprints of the machines; null for an unknown machine. Empty: no information about machines. */
  readonly machines: readonly (string | null)[];
  /** The commit of all measurements; null: unknown, or several. */
  readonly version: VersionId | null;
}

/** The unit of a text from any source; undefined if unknown. */
export function knownUnit(text: string): Unit | undefined {
  return findUnit(text.replace(/\bsec\b/, "s").replace(/\bB\b/, "Byte"));
}
