/** Characters of tables and charts. */
export interface Glyphs {
  readonly ellipsis: string;
  readonly rule: string;
  /** Point markers by series, repeated cyclically. */
  readonly markers: readonly string[];
  /** Bar fills by series, repeated cyclically. */
  readonly fills: readonly string[];
  /** Fills of heat map cells, from low to high. */
  readonly shades: readonly string[];
  readonly axis: {
    readonly vertical: string;
    readonly left: string;
    readonly right: string;
    readonly horizontal: string;
  };
  readonly corner: { readonly left: string; readonly right: string; readonly tick: string };
  /** Vertical and horizontal error bars. */
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

/** The i-th element of a cyclic list. */
export function cycled<T>(list: readonly [T, ...T[]] | readonly T[], i: number): T {
  return list[i % list.length] as T;
}
