/**
 * Colours of the series, repeated cyclically: distinguishable with common kinds of colour blindness (Okabe and Ito,
 * "Color Universal Design", 2008), without its yellow, invisible on white, and its black, invisible on dark.
 */
export const lightPalette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const;

/** The same hues, lighter where they are too dark on a dark background. */
export const darkPalette = ["#4ba3e0", "#ff8a3d", "#2fc79a", "#e39ac3", "#f2b63c", "#8fd0f5"] as const;

/** The nearest of the 256 colours of terminals, in the order of the palette; readable on light and dark. */
export const terminalPalette = [32, 166, 36, 175, 214, 74] as const;
