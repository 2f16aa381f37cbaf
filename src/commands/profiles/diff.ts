import { Failure } from "../../core/failures/index.ts";
import type { ComparedProfiles, ComparedVersions, DifferenceSide } from "../../core/profiles/index.ts";
import type { DifferenceOptions } from "../../query/difference/index.ts";
import { type ColumnValue, runWithRows } from "../../query/profile/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type PairRequest, pairedProfiles } from "./pair-profiles.ts";
import { comparedProfiles } from "./profile-differences.ts";

export interface DiffOptions extends PairRequest, DifferenceOptions {
  /** Only rows with one of these values; empty: all. */
  readonly only: readonly ColumnValue[];
}

/**
 * Compares two profiles, or the profiles of two commits. Fails with `nothing-to-compare` if no profiles are comparable
 * or have a common quantity, `profile-not-found`, `unusable-combination`, `unknown-column`.
 */
export async function diff(workspace: Workspace, options: DiffOptions): Promise<ComparedVersions> {
  const { pairs, ...alone } = await pairedProfiles(workspace, options);
  const compared: ComparedProfiles[] = [];
  for (const { base, target } of pairs) {
    const [before, after] = [
      runWithRows(await base.run(), options.only),
      runWithRows(await target.run(), options.only),
    ];
    compared.push(comparedProfiles({ ...sideOf(base), run: before }, { ...sideOf(target), run: after }, options));
  }
  if (compared.some(({ differences }) => differences.length > 0)) return { compared, ...alone };
  throw nothingComparable(options);
}

/** Name and commit of a profile. */
export function sideOf({ profile, version }: DifferenceSide): DifferenceSide {
  return { profile, version };
}

export function nothingComparable({ base, target }: PairRequest): Failure {
  const what = `the profiles of ${base} and ${target} have no amounts of the same kind`;
  return new Failure("nothing-to-compare", { what, instead: "compare profiles of the same collector" });
}
