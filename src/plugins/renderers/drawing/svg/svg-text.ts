import { markupText } from "../../../../core/text/index.ts";

export interface TextLook {
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly align?: "left" | "right";
}

/** A `<text>` element with its baseline at y and its left (or right) end at x. Preserves spaces. */
export function svgText(x: number, y: number, text: string, look: TextLook): string {
  const anchor = look.align === "right" ? ' text-anchor="end"' : "";
  const weight = look.bold === true ? ' font-weight="bold"' : "";
  const attributes = `x="${round(x)}" y="${round(y)}" font-size="${look.size}" fill="${look.color}"`;
  return `<text ${attributes}${anchor}${weight} xml:space="preserve">${markupText(text)}</text>`;
}

/** Rounds to a tenth of a pixel. */
export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
