/** The bars of a sparkline, from the lowest to the highest. */
export function sparkGlyphs(unicode: boolean): readonly string[] {
  return [...(unicode ? "▁▂▃▄▅▆▇█" : "_.-:=+*#")];
}

/** A share as a change: `+29.9 %`. */
export function changeText(share: number | null): string {
  if (share === null) return "";
  const size = Math.abs(share) < 10 ? Math.abs(share * 100).toFixed(1) : Math.abs(share * 100).toPrecision(3);
  return `${share < 0 ? "-" : "+"}${size} %`;
}

/** A value with four digits and its unit. */
export function valueText(value: number | undefined, unit: string): string {
  return value === undefined ? "" : [String(Number(value.toPrecision(4))), unit].filter((part) => part !== "").join(" ");
}
