import type { Figure } from "../../core/figure.ts";
import type { Run } from "../../core/run.ts";
import type { Values } from "../../core/value.ts";
import type { PluginInfo } from "../plugin.ts";

/** Draws a run as a Figure; pure. */
export interface View extends PluginInfo {
  readonly kind: "view";
  draw(run: Run, options: Values): Figure;
}
