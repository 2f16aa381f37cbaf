import { formatUnit } from "../../../core/values/unit.ts";
import { printList, quote } from "../lexical-syntax.ts";
import type {
  ContentMap,
  Cut,
  Effects,
  ExplicitLocation,
  Match,
  NamedLocation,
  Position,
  RowMark,
  TableValue,
  TextMark,
} from "./input-description.ts";

/** A descriptor where there is something to say. */
export function word(key: string, content: string | number | undefined): string[] {
  return content === undefined ? [] : [`${key}=${content}`];
}

export function quoted(key: string, content: string | undefined): string[] {
  return word(key, content === undefined ? undefined : quote(content));
}

export function yes(key: string, flag: boolean | undefined): string[] {
  return flag ? [`${key}=yes`] : [];
}

/** `key=` for a text, `key_regexp=` for a pattern; `regexp=` where there is no key for texts. */
export function printMark(key: string, mark: TextMark): string[] {
  if (mark.kind === "keyword") return quoted(key, mark.text);
  return quoted(["row", "string"].includes(key) ? "regexp" : `${key}_regexp`, mark.source);
}

export function printNamedWords(location: NamedLocation): string[] {
  const { aliases, patterns, matches = [], triggers = [], block, lines, leads, mode } = location;
  return [
    ...aliases.flatMap((alias) => quoted("alias", alias)),
    ...patterns.flatMap((source) => quoted("regexp", source)),
    ...matches.flatMap(printMatch),
    ...triggers.flatMap(({ mark, skip }) => [
      ...printMark("trigger", mark),
      ...(skip === 0 ? [] : word("trigger_skip", skip)),
    ]),
    ...(block?.begin ?? []).flatMap(({ mark, skip }) => [
      ...printMark("begin", mark),
      ...(skip === 0 ? [] : word("begin_skip", skip)),
    ]),
    ...(block?.end ?? []).flatMap(({ mark }) => printMark("end", mark)),
    ...word("lines", lines),
    ...(leads ? ["content=leads"] : []),
    ...word("mode", mode),
    ...printCut(location),
    ...printEffects(location),
  ];
}

export function printMatch({ text, terminator }: Match): string[] {
  return [...quoted("match", text), ...quoted("terminator", terminator)];
}

export function printRow(row: RowMark): string[] {
  return row.kind === "number" ? word("row", row.number) : printMark("row", row);
}

export function printEntry(location: ExplicitLocation | TableValue): string[] {
  const { repetition, typed, position } = location;
  const rep = repetition === 1 ? [] : word("rep", repetition);
  return [`pos=${printPosition(position)}`, ...rep, ...(typed ? ["typed"] : []), ...printCut(location)];
}

function printPosition(position: Position): string {
  if (position.kind === "keyword") return quote(position.text);
  if (position.kind === "number") return String(position.number);
  return `${position.offset < 0 ? "" : "+"}${position.offset}`;
}

export function printCut({ length, blanks, unit, scale, escapes, filters = [], maps = [] }: Cut): string[] {
  return [
    ...word("len", length),
    ...quoted("ws", blanks === undefined ? undefined : [...blanks].join(" ")),
    ...(unit === undefined ? [] : [`unit=${unit === "text" ? "text" : quote(formatUnit(unit))}`]),
    ...word("scale", scale),
    ...yes("escapes", escapes),
    ...filters.flatMap(({ source, ignoreCase }) => quoted(ignoreCase ? "filter_i" : "filter", source)),
    ...maps.flatMap(printMap),
  ];
}

export function printMap({ from, to }: ContentMap): string[] {
  return from.kind === "keyword"
    ? word("map", printList([from.text, to]))
    : word("map_regexp", printList([from.source, to]));
}

export function printEffects({ separates, storesSet, update, sticky, retrigger }: Effects): string[] {
  return [
    ...yes("run", separates),
    ...yes("store", storesSet),
    ...word("update", update),
    ...(sticky === false ? ["sticky=no"] : []),
    ...printRetrigger(retrigger),
  ];
}

export function printRetrigger(retrigger: boolean | "sticky" | undefined): string[] {
  if (retrigger === undefined || retrigger === "sticky") return word("retrigger", retrigger);
  return [`retrigger=${retrigger ? "yes" : "no"}`];
}
