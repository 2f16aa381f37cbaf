import { daysOf, isWeekday, monthOf, unixMicroseconds, weekdayOf } from "./date-time.ts";
import { InvalidValue } from "./invalid-value.ts";
import { clockMicroseconds, type ScannedTime } from "./time-scanner.ts";
import { readZone } from "./time-zones.ts";

/** Reads times of one form. */
export interface TimeFormat {
  readonly source: string;
  /** What every text of the format states. */
  readonly states: readonly ("date" | "clock")[];
  /** Reads the time at the beginning of a text. */
  scan(text: string): ScannedTime | InvalidValue;
}

const names = "[A-Za-z]{3,9}\\.?";

/** Directives of strptime and their patterns; `N` is that of date(1) for nanoseconds, `f` that of Python. */
const directives: Readonly<Record<string, string>> = {
  Y: "\\d{4}",
  y: "\\d{2}",
  m: "1[0-2]|0?[1-9]",
  d: "3[01]|[12]\\d|0?[1-9]| [1-9]",
  e: "3[01]|[12]\\d|0?[1-9]| [1-9]",
  j: "\\d{3}",
  H: "2[0-3]|[01]?\\d| \\d",
  k: "2[0-3]|[01]?\\d| \\d",
  I: "1[0-2]|0?[1-9]| [1-9]",
  l: "1[0-2]|0?[1-9]| [1-9]",
  M: "[0-5]?\\d",
  S: "[0-5]?\\d",
  f: "\\d{1,12}",
  N: "\\d{1,12}",
  s: "-?\\d{1,12}",
  p: "[AaPp](?:\\.[Mm]\\.|[Mm])",
  z: "Z|[+-]\\d{2}(?::?\\d{2})?",
  Z: "[A-Za-z]{1,5}",
  b: names,
  B: names,
  h: names,
  a: names,
  A: names,
};

/** Directives that stand for several. */
const combined: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

/** Directives with one meaning that differ in their output only. */
const aliases: Readonly<Record<string, string>> = { e: "d", k: "H", l: "I", N: "f", B: "b", h: "b", A: "a" };

const longestFormat = 200;

/**
 * Compiles a format of strptime's directives, in English and with exact literals; a blank matches any number of blanks.
 * A directive that is unknown or given twice makes it invalid, and so does a format that states neither a full date nor
 * an hour.
 */
export function timeFormat(source: string): TimeFormat | InvalidValue {
  const given: string[] = [];
  let pattern = "";
  let problem: string | undefined = source.length > longestFormat ? "is too long" : undefined;
  const expanded = source
    .slice(0, longestFormat)
    .replaceAll(/%([cDFrRTxX])/g, (_, name: string) => combined[name] ?? "");
  for (const part of expanded.match(/%[\s\S]?|\s+|[^%\s]+/g) ?? []) {
    const name = part.slice(1);
    if (/^\s/.test(part) || part === "%n" || part === "%t") pattern += "\\s*";
    else if (part === "%%") pattern += "%";
    else if (!part.startsWith("%")) pattern += part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    else if (!Object.hasOwn(directives, name)) problem ??= `has no directive '${part}'`;
    else {
      given.push(aliases[name] ?? name);
      pattern += `(${directives[name]})`;
    }
  }
  problem ??= problemOf(given);
  if (problem !== undefined) return new InvalidValue(`the format '${source.slice(0, 80)}' ${problem}`);
  return formatOf(source, given, new RegExp(pattern, "y"));
}

function problemOf(given: readonly string[]): string | undefined {
  const has = (...each: readonly string[]): boolean => each.every((name) => given.includes(name));
  const twice = given.find((name, at) => given.indexOf(name) !== at);
  if (twice !== undefined) return `has '%${twice}' twice`;
  if (has("s")) return given.length > (has("f") ? 2 : 1) ? "has other directives than '%s' and '%f'" : undefined;
  if (has("I") !== has("p")) return "needs '%I' together with '%p'";
  const year = has("Y") ? "Y" : has("y") ? "y" : undefined;
  const hasDay = has("j") || (has("d") && (has("m") || has("b")));
  if ((year === undefined) !== !hasDay) return year === undefined ? "has no year" : "has no day and month";
  const hasHour = has("H") || has("I");
  if (!hasHour && (has("M") || has("S") || has("f"))) return "has no hour";
  return year === undefined && !hasHour ? "has neither a date nor a time of day" : undefined;
}

function formatOf(source: string, given: readonly string[], pattern: RegExp): TimeFormat {
  const isUnix = given.includes("s");
  const hasDate = isUnix || given.includes("Y") || given.includes("y");
  const hasClock = isUnix || given.includes("H") || given.includes("I");
  return {
    source,
    states: [...(hasDate ? ["date" as const] : []), ...(hasClock ? ["clock" as const] : [])],
    scan: (text) => {
      pattern.lastIndex = 0;
      const match = pattern.exec(text);
      if (!match) return new InvalidValue(`it does not have the format '${source.slice(0, 80)}'`);
      const fields = new Map(given.map((name, at) => [name, (match[at + 1] ?? "").trim()]));
      return isUnix ? unixTime(fields, match[0].length) : statedTime(fields, match[0].length, hasDate, hasClock);
    },
  };
}

const microsecondsPerDay = 86_400_000_000;

function unixTime(fields: ReadonlyMap<string, string>, end: number): ScannedTime | InvalidValue {
  const fraction = fields.get("f");
  const value = unixMicroseconds(fields.get("s") ?? "", fraction === undefined ? undefined : `.${fraction}`);
  if (value instanceof InvalidValue) return value;
  const days = Math.floor(value / microsecondsPerDay);
  return { days, clock: value - days * microsecondsPerDay, zone: 0, end };
}

function statedTime(
  fields: ReadonlyMap<string, string>,
  end: number,
  hasDate: boolean,
  hasClock: boolean,
): ScannedTime | InvalidValue {
  const days = hasDate ? dayIn(fields) : undefined;
  const clock = hasClock ? clockIn(fields) : undefined;
  const zone = zoneIn(fields);
  if (days instanceof InvalidValue) return days;
  if (clock instanceof InvalidValue) return clock;
  if (zone instanceof InvalidValue) return zone;
  return {
    ...(days === undefined ? {} : { days }),
    ...(clock === undefined ? {} : { clock }),
    ...(zone === undefined ? {} : { zone }),
    end,
  };
}

/** Years of two digits are 1969 to 2068, as in POSIX. */
function dayIn(fields: ReadonlyMap<string, string>): number | InvalidValue {
  const short = Number(fields.get("y"));
  const year = fields.has("Y") ? Number(fields.get("Y")) : short + (short < 69 ? 2000 : 1900);
  const days = fields.has("j") ? dayOfYear(year, Number(fields.get("j"))) : dayOfMonth(year, fields);
  const weekday = fields.get("a");
  if (days instanceof InvalidValue || weekday === undefined || isWeekday(days, weekday)) return days;
  return new InvalidValue(`that day is a ${weekdayOf(days)}`);
}

function dayOfMonth(year: number, fields: ReadonlyMap<string, string>): number | InvalidValue {
  return daysOf(year, fields.has("m") ? Number(fields.get("m")) : monthOf(fields.get("b")), Number(fields.get("d")));
}

function dayOfYear(year: number, day: number): number | InvalidValue {
  const [first, next] = [daysOf(year, 1, 1), daysOf(year + 1, 1, 1)];
  if (first instanceof InvalidValue || next instanceof InvalidValue) return first;
  return day >= 1 && first + day - 1 < next ? first + day - 1 : new InvalidValue("there is no such day");
}

function clockIn(fields: ReadonlyMap<string, string>): number | InvalidValue {
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  return clockMicroseconds({
    hours: number(fields.has("H") ? "H" : "I"),
    minutes: number("M"),
    seconds: number("S"),
    fraction: fields.get("f"),
    half: fields.has("H") ? undefined : fields.get("p")?.charAt(0).toLowerCase(),
  });
}

function zoneIn(fields: ReadonlyMap<string, string>): number | InvalidValue | undefined {
  const text = fields.get("z") ?? fields.get("Z");
  if (text === undefined) return undefined;
  return readZone(text) ?? new InvalidValue(`the zone ${text} is unknown; give format= and zone=`);
}
