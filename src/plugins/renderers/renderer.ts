import type { Figure } from "../../core/figure.ts";
import type { PluginInfo } from "../plugin.ts";

export interface RenderOptions {
  /** Columns of the terminal, or pixels of a picture. */
  readonly width: number;
  readonly height: number;
  /** Colours allowed (terminal), dark background (picture). */
  readonly color: boolean;
  readonly dark: boolean;
}

/** Prints a Figure in one medium; pure. Text of the figure is untrusted and escaped for the medium. */
export interface Renderer extends PluginInfo {
  readonly kind: "renderer";
  readonly mediaType: string;
  render(figure: Figure, options: RenderOptions): Promise<string | Uint8Array>;
}
