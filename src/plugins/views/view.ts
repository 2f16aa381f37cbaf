import type { Figure } from "../../core/figures/figure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import type { Values } from "../../core/values/value.ts";
import type { PluginInfo } from "../plugin.ts";

/**
 * Draws a run as a Figure; pure. An option that takes several words is a text with one word a line. Fails with
 * `nothing-to-draw` when the run has nothing of what is asked for, with `unknown-column` and the like when an option
 * names something that is not there.
 */
export interface View extends PluginInfo {
  readonly kind: "view";
  /** The option that a word behind the name of the view gives: `show PROFILE bars mean`. */
  readonly operand?: string;
  /** Paths of the sources that it would show, as the profile tells them; `draw` is handed those that are at hand. */
  sources?(run: Run, options: Values): readonly string[];
  draw(run: Run, options: Values, sources?: ReadonlyMap<string, string>): Figure;
  /** Of a view that draws stacks alone: the same of a profile of another program, without making rows of it first. */
  drawStacks?(profile: StackProfile, options: Values): Figure;
}
