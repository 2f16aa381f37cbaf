import { formatUnit } from "../../../core/values/index.ts";
import { quote, printList } from "../lexical-syntax.ts";
import { notationTexts } from "./value-notation.ts";
import type { Cut, Effects, RowLayout, RowMark, TextMark, ValueMap } from "./location-parts.ts";

/** A descriptor, unless its value is undefined. */
export function word(key: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${key}=${value}`];
}

export function quoted(key: string, value: string | undefined): string[] {
  return word(key, value === undefined ? undefined : quote(value));
}

export function yes(key: string, flag: boolean | undefined): string[] {
  return flag ? [`${key}=yes`] : [];
}

/** `key=` for a text, `key_regexp=` for a pattern; `regexp=` if there is no key for texts. */
export function printMark(key: string, mark: TextMark): string[] {
  if (mark.kind === "keyword") return quoted(key, mark.text);
  return quoted(["row", "string"].includes(key) ? "regexp" : `${key}_regexp`, mark.source);
}

export function printRow(row: RowMark): string[] {
  return row.kind === "number" ? word("row", row.number) : printMark("row", row);
}

export function printCut(cut: Cut): string[] {
  const { length, blanks, unit, scale, escapes, filters = [], maps = [] } = cut;
  return [
    ...word("len", length),
    ...quoted("ws", blanks === undefined ? undefined : [...blanks].join(" ")),
    ...(unit === undefined ? [] : [`unit=${unit === "text" ? "text" : quote(formatUnit(unit))}`]),
    ...word("scale", scale),
    ...notationTexts(cut).flatMap(([key, text]) => quoted(key, text)),
    ...yes("escapes", escapes),
    ...filters.flatMap(({ source, ignoreCase }) => quoted(ignoreCase ? "filter_i" : "filter", source)),
    ...maps.flatMap(printMap),
  ];
}

export function printMap({ from, to }: ValueMap): string[] {
  return from.kind === "keyword"
    ? word("map", printList([from.text, to]))
    : word("map_regexp", printList([from.source, to]));
}

export function printEffects({ startsRun, storesRow, update, sticky, retrigger }: Effects): string[] {
  return [
    ...yes("run", startsRun),
    ...yes("store", storesRow),
    ...word("update", update),
    ...(sticky === false ? ["sticky=no"] : []),
    ...printRetrigger(retrigger),
  ];
}

export function printRetrigger(retrigger: boolean | "sticky" | undefined): string[] {
  if (retrigger === undefined || retrigger === "sticky") return word("retrigger", retrigger);
  return [`retrigger=${retrigger ? "yes" : "no"}`];
}

export function printLayout({ separator, gap, grid }: RowLayout): string[] {
  return [...quoted("separator", separator), ...word("gap", gap), ...yes("grid", grid)];
}

export function printMissing(missing: readonly string[] | undefined): string[] {
  return (missing ?? []).flatMap((text) => quoted("missing", text));
}

/** The lines between the header, of one line or of `header` lines, and the data. */
export function printStart(start: number, header = 1): string[] {
  const skip = start - Math.max(header, 1);
  return start === 0 ? ["start=0"] : word("skip", skip > 0 ? skip : undefined);
}
