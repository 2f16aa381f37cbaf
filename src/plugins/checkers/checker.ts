import type { Change } from "../../core/verdicts/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import { option, type PluginInfo } from "../plugin.ts";

/** Compares a baseline with a target and reports the change of each location; pure. */
export interface Checker extends PluginInfo {
  readonly kind: "checker";
  /** Full name in results and `.changes` files (Perun's spelling), e.g. average_amount_threshold. */
  readonly method: string;
  /**
   * Possible values of `type` in its changes, which identify stored changes to replace. Absent: the type of the
   * target's profile.
   */
  readonly types?: readonly string[];
  /** True: `check` learns the noise between measurements from earlier profiles. */
  readonly usesHistory?: boolean;
  /**
   * The changes of all locations present on both sides, including NoChange, sorted by location. Omitted options have
   * their default. `isSelected` filters rows by `location` (a binary), according to the configuration.
   * `history`: comparable profiles of the same machine class at earlier commits, newest first; the first is `baseline`.
   */
  check(
    baseline: Run,
    target: Run,
    options: Values,
    isSelected?: (location: string) => boolean,
    history?: readonly Run[],
  ): readonly Change[];
}

export const compatOption = option(
  "compat",
  "string",
  null,
  "reproduce the results of this program, including its defects",
  ["perun"],
);
