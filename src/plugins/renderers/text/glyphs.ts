/** The characters that tables and charts are made of. */
export interface Glyphs {
  readonly ellipsis: string;
  readonly rule: string;
  /** Marks of points, one after the other for each series. */
  readonly markers: readonly string[];
  /** Fillings of bars, one after the other for each series. */
  readonly fills: readonly string[];
  /** Fillings of the cells of a heat map, from low to high. */
  readonly shades: readonly string[];
  readonly axis: {
    readonly vertical: string;
    readonly left: string;
    readonly right: string;
    readonly horizontal: string;
  };
  readonly corner: { readonly left: string; readonly right: string; readonly tick: string };
  /** Error bars: upright ones and lying ones. */
  readonly error: { readonly top: string; readonly stem: string; readonly bottom: string };
  readonly whisker: { readonly left: string; readonly line: string; readonly right: string };
}

export const unicodeGlyphs: Glyphs = {
  ellipsis: "…",
  rule: "─",
  markers: ["●", "■", "▲", "◆", "○", "□", "△", "◇"],
  fills: ["█", "▒", "▓", "░"],
  shades: ["░", "▒", "▓", "█"],
  axis: { vertical: "│", left: "┤", right: "├", horizontal: "─" },
  corner: { left: "└", right: "┘", tick: "┬" },
  error: { top: "┬", stem: "│", bottom: "┴" },
  whisker: { left: "├", line: "─", right: "┤" },
};

export const asciiGlyphs: Glyphs = {
  ellipsis: "...",
  rule: "-",
  markers: ["o", "x", "#", "*", "@", "%", "&", "s"],
  fills: ["#", "=", "%", ":"],
  shades: [".", ":", "=", "#"],
  axis: { vertical: "|", left: "+", right: "+", horizontal: "-" },
  corner: { left: "+", right: "+", tick: "+" },
  error: { top: "-", stem: "|", bottom: "-" },
  whisker: { left: "[", line: "-", right: "]" },
};

/** The i-th of a list that begins again at its end. */
export function cycled<T>(list: readonly [T, ...T[]] | readonly T[], i: number): T {
  return list[i % list.length] as T;
}
