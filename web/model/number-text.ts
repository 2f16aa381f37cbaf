import { shortNumber } from "../../src/math/plotting/index.ts";
import { formatTimestamp, parseUnit, type Unit } from "../../src/core/values/index.ts";
import { amountText } from "./amount-text.ts";

/** `12.3 ms`, with the most readable unit prefix; whole numbers of events exactly; NaN: a dash. */
export function valueText(value: number, unit: string): string {
  if (Number.isNaN(value)) return "–";
  if (unit === "event" && Number.isSafeInteger(value)) return `${countText(value).replace("-", "−")} event`;
  const known = knownUnit(unit);
  if (known !== null) return amountText(value, known);
  return `${shortNumber(value, 4).replace("-", "−")} ${unit}`;
}

const units = new Map<string, Unit | null>();

/** null: not a known unit. */
function knownUnit(text: string): Unit | null {
  let unit = units.get(text);
  if (unit === undefined) units.set(text, (unit = parsedUnit(text)));
  return unit;
}

function parsedUnit(text: string): Unit | null {
  try {
    return parseUnit(text);
  } catch {
    return null;
  }
}

/** A change as a share: `+12.3 %`. */
export function deltaText(delta: number | null): string {
  if (delta === null || Number.isNaN(delta)) return "–";
  const percent = delta * 100;
  const digits = Math.abs(percent) < 10 ? 2 : Math.abs(percent) < 100 ? 1 : 0;
  if (Math.abs(percent) >= 1e6) return `${percent > 0 ? "+" : "−"}${shortNumber(Math.abs(percent), 3)} %`;
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toFixed(digits)} %`;
}

/** `1 234 567`, with narrow no-break spaces. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** `2026-01-31 12:30`, UTC; empty if unknown. */
export function timeText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds === 0) return "";
  return formatTimestamp(Math.round(seconds) * 1_000_000)
    .replace("T", " ")
    .replace(/:\d\d(?:[.]\d+)?Z$/, "");
}

/** `2026-01-31 12:30` of an ISO 8601 time. */
export function minuteText(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}

export function dayText(seconds: number): string {
  return timeText(seconds).slice(0, 10);
}

export function shortId(id: string): string {
  return id.slice(0, 10);
}
