import { asciiText, terminalText } from "../../../core/text/terminal-text.ts";
import { terminalPalette } from "../drawing/palette.ts";
import type { RenderOptions } from "../renderer.ts";
import { asciiGlyphs, cycled, type Glyphs, unicodeGlyphs } from "./glyphs.ts";

/** How text is to look: room, characters, colours. */
export interface Style {
  /** Columns; finite. */
  readonly width: number;
  /** Lines of the drawing area of a chart. */
  readonly lines: number;
  readonly unicode: boolean;
  readonly glyphs: Glyphs;
  /** Untrusted text as the medium may see it. */
  readonly shown: (text: string) => string;
  /** A piece of the drawing in the colour of a series; negative: none. */
  readonly paint: (piece: string, color: number) => string;
}

/** Charts are this wide where nothing has to fit, and never wider than the second. */
const usualWidth = 100;
const greatestWidth = 140;
const narrowestWidth = 30;

export function styleOf(options: RenderOptions): Style {
  const width = Number.isFinite(options.width) ? options.width : usualWidth;
  return {
    width: Math.min(Math.max(width, narrowestWidth), greatestWidth),
    lines: Math.min(Math.max(options.height - 8, 8), 24),
    unicode: options.unicode,
    glyphs: options.unicode ? unicodeGlyphs : asciiGlyphs,
    shown: options.unicode ? terminalText : (text) => asciiText(terminalText(text)),
    paint: options.color ? colored : (piece) => piece,
  };
}

function colored(piece: string, color: number): string {
  return color < 0 ? piece : `\x1b[38;5;${cycled(terminalPalette, color)}m${piece}\x1b[39m`;
}
