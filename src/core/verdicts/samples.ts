import type { VersionId } from "../versions/digest.ts";
import { isFailure } from "../failures/failure.ts";
import type { SubjectWorkload } from "../profiles/profile-subject.ts";
import type { Subject } from "../measurements/series.ts";
import { parseUnit, type Unit } from "../values/unit.ts";

/** What was measured of one subject on one side of a comparison. */
export interface Measured {
  readonly subject: Subject;
  /**
   * The generated workload that it was measured with; the key and the benchmark of the subject are then those of all
   * together.
   */
  readonly workload?: SubjectWorkload;
  /** The unit as its source writes it, which may be none that is known here. */
  readonly unitText: string;
  /**
   * Values by what they were measured within: a process, a run, a profile. One group: nothing of the kind is known.
   * Finite, none is empty.
   */
  readonly groups: readonly Float64Array[];
  /** The source says that its numbers repeat exactly. */
  readonly exact?: true;
  /**
   * Names the run in which its values were measured in pairs with those of the other side: the first with the first,
   * and so on.
   */
  readonly pairing?: string;
}

/** All measurements of one side. */
export interface Measurements {
  /** What it is called in tables. */
  readonly name: string;
  readonly measured: readonly Measured[];
  /**
   * Fingerprints of the machines; null among them: something was measured nobody knows where. Empty: nothing tells of
   * machines.
   */
  readonly machines: readonly (string | null)[];
  /** The version that all of them were measured at; null: not known, or several. */
  readonly version: VersionId | null;
}

/** The unit that a text of any source means; undefined where it means none. */
export function knownUnit(text: string): Unit | undefined {
  try {
    return parseUnit(text.replace(/\bsec\b/, "s").replace(/\bB\b/, "Byte"));
  } catch (error) {
    if (isFailure(error, "unknown-unit")) return undefined;
    throw error;
  }
}
