import type { Change } from "../../core/change.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { PluginInfo } from "../plugin.ts";

/** Compares a baseline with a target and says for each location what changed; pure. */
export interface Checker extends PluginInfo {
  readonly kind: "checker";
  /** Full name as results and `.changes` files have it (Perun's spelling), e.g. average_amount_threshold. */
  readonly method: string;
  /** Every location that both sides have, NoChange included, ordered by location. Options left out have their default. */
  check(baseline: Run, target: Run, options: Values): readonly Change[];
}
