import type { Figure } from "../../core/figures/figure.ts";
import type { Values } from "../../core/values/value.ts";
import type { PluginInfo } from "../plugin.ts";

/** What the medium can show. */
export interface RenderOptions {
  /** Columns of the terminal (Infinity: nothing has to fit), or pixels of a picture. */
  readonly width: number;
  /** Lines of the terminal, or pixels of a picture; a figure of several blocks may grow beyond. */
  readonly height: number;
  /** Colours allowed (terminal). */
  readonly color: boolean;
  /** Dark background (picture). */
  readonly dark: boolean;
  /** Characters beyond ASCII allowed (terminal). */
  readonly unicode: boolean;
  /** Absolute path of DejaVuSans.ttf, which texts of a PNG are drawn with. */
  readonly fontFile?: string;
}

/**
 * Prints a Figure in one medium; pure. Text of the figure is untrusted and escaped for the medium. Every kind of block
 * appears in every medium, in its order. Fails with `nothing-to-draw` when a chart has no point.
 */
export interface Renderer extends PluginInfo {
  readonly kind: "renderer";
  readonly mediaType: string;
  /** Ending of files of this medium, without dot. */
  readonly extension: string;
  /** `values` holds the renderer's own options. */
  render(figure: Figure, options: RenderOptions, values: Values): Promise<string | Uint8Array>;
}
