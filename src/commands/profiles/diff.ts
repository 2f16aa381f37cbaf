import { Failure } from "../../core/failures/failure.ts";
import type { ComparedProfiles, ComparedVersions, DifferenceSide } from "../../core/profiles/profile-difference.ts";
import type { DifferenceOptions } from "../../query/difference/profile-difference.ts";
import { type ColumnValue, runWithRows } from "../../query/profile/run-with-rows.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type ComparedWords, pairedProfiles } from "./pair-profiles.ts";
import { comparedProfiles } from "./profile-differences.ts";

export interface DiffOptions extends ComparedWords, DifferenceOptions {
  /** Only rows that have one of these contents; none: all. */
  readonly only: readonly ColumnValue[];
}

/**
 * How two profiles, or the profiles of two versions, differ. Fails with `nothing-to-compare` when no two profiles are
 * comparable or count the same, `profile-not-found`, `unusable-combination`, `unknown-column`.
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
  throw nothingAlike(options);
}

/** Which profile it is, without the ways to read it. */
export function sideOf({ profile, version }: DifferenceSide): DifferenceSide {
  return { profile, version };
}

export function nothingAlike({ base, target }: ComparedWords): Failure {
  const what = `the profiles of ${base} and ${target} have no amounts of the same kind`;
  return new Failure("nothing-to-compare", { what, instead: "compare profiles of the same collector" });
}
