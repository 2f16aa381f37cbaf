import { InvalidValue, readZone, syntaxProblem, thousandsSigns, timeFormat } from "../../../core/values/index.ts";
import type { Cut } from "./location-parts.ts";

/** How numbers and times are written. */
export type Notation = Pick<Cut, "decimal" | "thousands" | "prefixes" | "format" | "zone">;

/** The descriptors and attributes of a notation. */
export const notationKeys = ["decimal", "thousands", "prefixes", "format", "zone"] as const;
export type NotationKey = (typeof notationKeys)[number];

/** Reads a notation; `refuse` makes the error of a key for both syntaxes. */
export function readNotation(
  text: (key: NotationKey) => string | undefined,
  refuse: (key: NotationKey, problem: string) => Error,
): Notation {
  const given = notationKeys.map((key) => [key, text(key)] as const).filter(([, value]) => value !== undefined);
  const { decimal, thousands, prefixes, format, zone } = Object.fromEntries(given) as Partial<
    Record<NotationKey, string>
  >;
  const quoted = (value = ""): string => `'${value.slice(0, 40)}'`;
  if (decimal !== undefined && decimal !== "." && decimal !== ",")
    throw refuse("decimal", `decimal ${quoted(decimal)} is neither '.' nor ','`);
  if (thousands !== undefined && !thousandsSigns.includes(thousands))
    throw refuse("thousands", `thousands ${quoted(thousands)} is none of , . ' _ and a blank`);
  if (prefixes !== undefined && prefixes !== "decimal" && prefixes !== "binary")
    throw refuse("prefixes", `prefixes ${quoted(prefixes)} is neither decimal nor binary`);
  // Checked above.
  const notation = Object.fromEntries(given) as Notation;
  const same = syntaxProblem(notation);
  if (same) throw refuse("thousands", same.problem);
  const compiled = format === undefined ? undefined : timeFormat(format);
  if (compiled instanceof InvalidValue) throw refuse("format", compiled.problem);
  const offset = zone === undefined ? 0 : readZone(zone);
  if (typeof offset !== "number")
    throw refuse("zone", offset?.problem ?? `the zone ${quoted(zone)} is unknown; give an offset such as +01:00`);
  return notation;
}

/** The given keys with their texts. */
export function notationTexts(notation: Notation): [NotationKey, string][] {
  return notationKeys.flatMap((key) => {
    const text = notation[key];
    return text === undefined ? [] : [[key, text] as [NotationKey, string]];
  });
}
