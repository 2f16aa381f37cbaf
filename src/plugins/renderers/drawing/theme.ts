import { darkPalette, lightPalette } from "./palette.ts";

/** Colours of a picture. */
export interface Theme {
  readonly background: string;
  readonly text: string;
  readonly axis: string;
  readonly grid: string;
  readonly palette: readonly string[];
}

const light: Theme = {
  background: "#ffffff",
  text: "#222222",
  axis: "#666666",
  grid: "#e4e4e4",
  palette: lightPalette,
};
const dark: Theme = { background: "#1b1d22", text: "#e6e6e6", axis: "#9a9a9a", grid: "#34373e", palette: darkPalette };

export function themeOf(isDark: boolean): Theme {
  return isDark ? dark : light;
}

/** Point symbols in order, with echarts' names. */
export const symbols = ["circle", "rect", "triangle", "diamond"] as const;

/** Dash styles, changed each time the colours repeat. */
export const dashes = ["solid", "dashed", "dotted"] as const;

/** Style of a series by its index. */
export interface SeriesLook {
  readonly color: string;
  readonly symbol: (typeof symbols)[number];
  readonly dash: (typeof dashes)[number];
}

export function lookOf(theme: Theme, series: number): SeriesLook {
  return {
    color: theme.palette[series % theme.palette.length] ?? theme.text,
    symbol: symbols[series % symbols.length] ?? "circle",
    dash: dashes[Math.floor(series / theme.palette.length) % dashes.length] ?? "solid",
  };
}
