import { asciiText, terminalText } from "../../../core/text/index.ts";
import { terminalPalette } from "../drawing/palette.ts";
import type { RenderOptions } from "../renderer.ts";
import { asciiGlyphs, cycled, type Glyphs, unicodeGlyphs } from "./glyphs.ts";

/** Size, characters and colours of text output. */
export interface Style {
  /** Columns; finite. */
  readonly width: number;
  /** Lines of the drawing area of a chart. */
  readonly lines: number;
  readonly unicode: boolean;
  readonly glyphs: Glyphs;
  /** Escapes untrusted text for the terminal. */
  readonly sanitize: (text: string) => string;
  /** Colours text with the colour of a series; negative: none. */
  readonly paint: (text: string, color: number) => string;
}

/** Widths of charts in columns: without a limit, maximum and minimum. */
const defaultWidth = 100;
const maxWidth = 140;
const minWidth = 30;

export function styleOf(options: RenderOptions): Style {
  const width = Number.isFinite(options.width) ? options.width : defaultWidth;
  return {
    width: Math.min(Math.max(width, minWidth), maxWidth),
    lines: Math.min(Math.max(options.height - 8, 8), 24),
    unicode: options.unicode,
    glyphs: options.unicode ? unicodeGlyphs : asciiGlyphs,
    sanitize: options.unicode ? terminalText : (text) => asciiText(terminalText(text)),
    paint: options.color ? colored : (text) => text,
  };
}

function colored(text: string, color: number): string {
  return color < 0 ? text : `\x1b[38;5;${cycled(terminalPalette, color)}m${text}\x1b[39m`;
}
