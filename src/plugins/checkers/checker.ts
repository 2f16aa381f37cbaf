import type { Change } from "../../core/verdicts/change.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { option, type PluginInfo } from "../plugin.ts";

/** Compares a baseline with a target and says for each location what changed; pure. */
export interface Checker extends PluginInfo {
  readonly kind: "checker";
  /** Full name as results and `.changes` files have it (Perun's spelling), e.g. average_amount_threshold. */
  readonly method: string;
  /**
   * What it may write as `type` of a change: by these its stored changes are found again when they are no longer true.
   * Absent: the type of the target's profile.
   */
  readonly types?: readonly string[];
  /**
   * Every location that both sides have, NoChange included, ordered by location. Options left out have their default.
   * `isWanted` is for checkers of rows with a `location` (a binary): false for one that the configuration leaves out.
   */
  check(baseline: Run, target: Run, options: Values, isWanted?: (place: string) => boolean): readonly Change[];
}

export const compatOption = option(
  "compat",
  "string",
  null,
  "that program's numbers also where they rest on a defect",
  ["perun"],
);
