import { scaleFor, conversion, convert, formatUnit, parseUnit } from "../../core/values/index.ts";

/** `1.5 MiByte`. */
export function bytesText(bytes: number): string {
  const byte = parseUnit("Byte");
  const unit = scaleFor(bytes, byte);
  const value = convert(bytes, conversion(byte, unit));
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${formatUnit(unit)}`;
}
