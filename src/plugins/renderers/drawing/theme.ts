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

/** Opacity of bars, changed each time the colours repeat. */
const opacities = [1, 0.6, 0.3] as const;

/** Style of a series by its index: 24 pairs of colour and symbol, 18 of colour and dash, and of colour and opacity. */
export interface SeriesLook {
  readonly color: string;
  readonly symbol: (typeof symbols)[number];
  readonly dash: (typeof dashes)[number];
  /** Of bars. */
  readonly opacity: (typeof opacities)[number];
}

/** `covers`: its bars cover those of other series, so they are opaque. */
export function lookOf(theme: Theme, series: number, covers = false): SeriesLook {
  const round = Math.floor(series / theme.palette.length);
  return {
    color: theme.palette[series % theme.palette.length] ?? theme.text,
    // Six colours and four symbols repeat after twelve pairs, so that the symbols shift by one.
    symbol: symbols[(series + Math.floor(round / 2)) % symbols.length] ?? "circle",
    dash: dashes[round % dashes.length] ?? "solid",
    opacity: covers ? 1 : (opacities[round % opacities.length] ?? 1),
  };
}
