import type { Figure } from "../../core/figures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** A font of the system. */
export interface FontFile {
  readonly path: string;
  /** Fails if it cannot be read. */
  read(): Uint8Array;
}

/** Capabilities and size of the medium. */
export interface RenderOptions {
  /** Columns of the terminal (Infinity: unlimited), or pixels of a picture. */
  readonly width: number;
  /** Lines of the terminal, or pixels of a picture; figures of several blocks may exceed it. */
  readonly height: number;
  /** Colours allowed (terminal). */
  readonly color: boolean;
  /** Dark background (picture). */
  readonly dark: boolean;
  /** Characters beyond ASCII allowed (terminal). */
  readonly unicode: boolean;
  /** Absolute path of DejaVuSans.ttf, the font of PNG images. */
  readonly fontFile?: string;
  /** `fontFile`, then fonts for characters that it lacks, the preferred ones first; default: only `fontFile`. */
  readonly fonts?: () => Iterable<FontFile>;
  /** Receives what the user should know of the result, such as characters that no font has. */
  readonly notice?: (text: string) => void;
}

/**
 * Renders a Figure in one medium; pure. Escapes the figure's text, which is untrusted. Every medium contains all
 * blocks, in order. Fails with `nothing-to-draw` when a chart has no points.
 */
export interface Renderer extends PluginInfo {
  readonly kind: "renderer";
  readonly mediaType: string;
  /** File extension without dot. */
  readonly extension: string;
  /** `values` holds the renderer's own options. */
  render(figure: Figure, options: RenderOptions, values: Values): Promise<string | Uint8Array>;
}
