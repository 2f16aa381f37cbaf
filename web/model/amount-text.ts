import { shortNumber } from "../../src/math/plotting/index.ts";
import { scaleFor, conversion, convert, formatUnit, type Unit } from "../../src/core/values/index.ts";

/** An amount with the most readable unit prefix: `12.3 ms`. */
export function amountText(value: number, unit: Unit | undefined): string {
  const scaled = scaleFor(value, unit);
  const number = unit === undefined ? value : convert(value, conversion(unit, scaled));
  const text = shortNumber(number, 4).replace("-", "−");
  const name = formatUnit(unit === undefined ? undefined : scaled).replace(/^us\b/, "µs");
  return name === "" ? text : `${text} ${name}`;
}

/** `12.3 %`; `0 %` if `whole` is 0. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${((part / whole) * 100).toFixed(part === whole ? 0 : 2)} %`;
}
