import { amountText, scaledText, type Unit } from "../../../core/values/index.ts";

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

/** A value scaled to a readable unit, or in its own unit; empty if undefined. */
export function valueText(value: number | undefined, unit: Unit | undefined, isScaled = true): string {
  return value === undefined ? "" : isScaled ? scaledText(value, unit) : amountText(value, unit);
}
