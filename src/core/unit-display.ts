import { baseOf, prefixOf } from "./unit-names.ts";
import { conversion, convert, type Unit, type UnitFactor } from "./unit.ts";

const decimal = ["P", "T", "G", "M", "K", "", "m", "u", "n", "p", "f"];
const parts = decimal.slice(decimal.indexOf(""));
const binary = ["Pi", "Ti", "Gi", "Mi", "Ki", ""];

/**
 * The unit with the prefix under which `value` reads best (1 to 999 where possible): 0.0025 s is shown in ms, 4096 Byte in KiByte.
 * Only the leading factor is scaled, and only where people do: days, percent and money stay as they are.
 */
export function scaleFor(value: number, unit: Unit | undefined): Unit {
  const first = unit?.factors[0];
  if (!unit || !first || first.exponent !== 1 || value === 0 || !Number.isFinite(value)) return unit ?? { factors: [] };
  const candidates = prefixesFor(first).map((prefix) => ({ factors: [{ ...first, prefix }, ...unit.factors.slice(1)] }));
  const fitting = candidates.find((candidate) => Math.abs(convert(value, conversion(unit, candidate))) >= 1);
  return fitting ?? candidates.at(-1) ?? unit;
}

/** Bytes that are counted in K, M, G stay decimal; all other bytes are scaled by 1024. */
function prefixesFor(factor: UnitFactor): readonly string[] {
  const display = baseOf(factor.base).display;
  if (display === "none") return [];
  if (display === "parts") return parts;
  const counted = decimal.includes(factor.prefix) && factor.prefix !== "" && prefixOf(factor.prefix).over === 1;
  return display === "binary" && !counted ? binary : decimal;
}
