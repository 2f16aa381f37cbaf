import { displayWidth } from "../../../../core/text/index.ts";

/** Advance widths of DejaVu Sans 2.37 for U+0020 to U+007E, in thousandths of the font size. */
const advances = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
];
const otherAdvance = 640;

/** Font family of pictures, with similar fallbacks. */
export const fontFamily = "DejaVu Sans, Verdana, sans-serif";

/** Width in pixels of `text` in DejaVu Sans of `size` pixels; exact for ASCII, else approximate. */
export function textWidth(text: string, size: number): number {
  let thousandths = 0;
  for (const char of text) thousandths += advanceOf(char);
  return (thousandths * size) / 1000;
}

/** Truncates `text` to `pixels`, with an ellipsis if necessary. */
export function cutToPixels(text: string, pixels: number, size: number): string {
  let thousandths = advanceOf("…");
  let [fitting, length] = [0, 0];
  for (const char of text) {
    thousandths += advanceOf(char);
    length += char.length;
    if ((thousandths * size) / 1000 <= pixels) fitting = length;
    // Names may be very long: stop as soon as the result is known.
    else if (((thousandths - advanceOf("…")) * size) / 1000 > pixels) return `${text.slice(0, fitting)}…`;
  }
  return text;
}

function advanceOf(char: string): number {
  return advances[(char.codePointAt(0) ?? 0) - 0x20] ?? otherAdvance * displayWidth(char);
}
