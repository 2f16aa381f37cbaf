import { baseOf, prefixOf } from "./base-units.ts";
import {
  conversion,
  convert,
  convertFactor,
  formatUnit,
  parseUnit,
  sameDimension,
  type Unit,
  type UnitFactor,
} from "./unit.ts";

const decimal = ["P", "T", "G", "M", "K", "", "m", "u", "n", "p", "f"];
const parts = decimal.slice(decimal.indexOf(""));
const binary = ["Pi", "Ti", "Gi", "Mi", "Ki", ""];

/**
 * The unit with the prefix that shows `value` as 1 to 999 where possible: 0.0025 s in ms, 4096 Byte in KiByte. Only the
 * leading factor is scaled; days, percent and money never are.
 */
export function scaleFor(value: number, unit: Unit | undefined): Unit {
  const first = unit?.factors[0];
  if (!unit || !first || first.exponent !== 1 || value === 0 || !Number.isFinite(value)) return unit ?? { factors: [] };
  const candidates = prefixesFor(first).map((prefix) => ({
    factors: [{ ...first, prefix }, ...unit.factors.slice(1)],
  }));
  const sizeIn = (candidate: Unit): number => Math.abs(convert(value, conversion(unit, candidate)));
  const fitting = candidates.find((candidate) => sizeIn(candidate) >= 1) ?? candidates.at(-1);
  if (!fitting) return unit;
  // Far beyond the prefixes, an exponent without one is easier to read.
  const size = sizeIn(fitting);
  return size >= 1e15 || size < 1e-3 ? { factors: [{ ...first, prefix: "" }, ...unit.factors.slice(1)] } : fitting;
}

/** The unit that suits the largest of the numbers, and the factor that converts to it. */
export function readableScale(
  values: readonly ArrayLike<number>[],
  unit: Unit | undefined,
): { readonly unit: Unit | undefined; readonly factor: number } {
  let largest = 0;
  for (const list of values)
    for (let at = 0; at < list.length; at++) {
      const size = Math.abs(list[at] as number);
      if (size > largest && size < Infinity) largest = size;
    }
  if (unit === undefined || largest === 0) return { unit, factor: 1 };
  const readable = scaleFor(largest, unit);
  return { unit: readable, factor: convertFactor(unit, readable) };
}

/** Four significant digits, and all digits before the decimal point, so that counts are exact: `76985`, `0.0932`. */
export function digitsText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e15) return value.toPrecision(4);
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** The number with four significant digits, and the unit: `0.0932 s`. */
export function amountText(value: number, unit: Unit | undefined): string {
  return `${digitsText(value)} ${formatUnit(unit)}`.trim();
}

const event = parseUnit("event");

/** Like `amountText`, in a readable unit: `93.2 ms`. Events are counted without a prefix. */
export function scaledText(value: number, unit: Unit | undefined): string {
  if (sameDimension(unit, event)) return amountText(value, unit);
  const shown = readableScale([[value]], unit);
  return amountText(value * shown.factor, shown.unit);
}

/** Bytes given with K, M, G stay decimal; other bytes are scaled by 1024. */
function prefixesFor(factor: UnitFactor): readonly string[] {
  const display = baseOf(factor.base).display;
  if (display === "none") return [];
  if (display === "parts") return parts;
  const counted = decimal.includes(factor.prefix) && factor.prefix !== "" && prefixOf(factor.prefix).over === 1;
  return display === "binary" && !counted ? binary : decimal;
}
