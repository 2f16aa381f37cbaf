import type { Figure } from "../../core/figures/index.ts";
import type { Run, StackProfile } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { PluginInfo } from "../plugin.ts";

/**
 * Draws a run as a Figure; pure. Options with several values are text with one per line. Fails with `nothing-to-draw`
 * when the run has no matching data, and with `unknown-column` and others for unknown names in options.
 */
export interface View extends PluginInfo {
  readonly kind: "view";
  /** The option set by an argument after the name of the view: `show PROFILE bars mean`. */
  readonly operand?: string;
  /** Paths in the profile of the sources to show; `draw` receives the available ones. */
  sources?(run: Run, options: Values): readonly string[];
  draw(run: Run, options: Values, sources?: ReadonlyMap<string, string>): Figure;
  /** Draws a profile of another program without converting it to rows; for views of stacks. */
  drawStacks?(profile: StackProfile, options: Values): Figure;
}
