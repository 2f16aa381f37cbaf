import { daysOf, isWeekday, monthOf, unixMicroseconds, weekdayOf } from "./date-time.ts";
import { InvalidValue } from "./invalid-value.ts";
import { readZone, zoneTextAt } from "./time-zones.ts";

/** What a text states of a point in time. */
export interface StatedTime {
  /** Since 1970-01-01. */
  readonly days?: number;
  /** Microseconds since midnight. */
  readonly clock?: number;
  /** Minutes east of UTC. */
  readonly zone?: number;
}

/** A time at the beginning of a text; `end` is the offset after it. */
export interface ScannedTime extends StatedTime {
  readonly end: number;
}

/**
 * D: date, X: date of unknown order, c: clock, p: AM or PM, z: zone, k: comment, W: weekday, M: month, y: year, d: day,
 * u: unix seconds.
 */
type Kind = "D" | "X" | "c" | "p" | "z" | "k" | "W" | "M" | "y" | "d" | "u";

interface Token {
  readonly kind: Kind;
  readonly match: RegExpExecArray;
  readonly end: number;
}

const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|" +
  "nov(?:ember)?|dec(?:ember)?";
const weekdays = "sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?";

const patterns: readonly (readonly [Kind, RegExp])[] = [
  ["u", /@(-?\d{1,12})(\.\d+)?(?![\d.])/y],
  ["D", /(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/y],
  ["D", /(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?!\d)/y],
  ["D", new RegExp(`(?<day>\\d{1,2})([-/])(?<name>${months})\\2(?<year>\\d{4})(?!\\d)`, "iy")],
  ["D", new RegExp(`(?<year>\\d{4})([-/])(?<name>${months})\\2(?<day>\\d{1,2})(?!\\d)`, "iy")],
  ["D", /(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?![\d.])/y],
  ["X", /\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)/y],
  ["c", /(?<h>\d{1,2}):(?<m>\d{2})(?::(?<s>\d{2})(?:[.,](?<f>\d+))?)?(?!\d)/y],
  ["p", /([ap])(?:m|\.m\.)(?![A-Za-z])/iy],
  ["k", /\([A-Za-z ]+\)/y],
  ["W", new RegExp(`(${weekdays})(?![A-Za-z])\\.?`, "iy")],
  ["M", new RegExp(`(${months})(?![A-Za-z])\\.?`, "iy")],
  ["y", /(\d{4})(?![\w.:])/y],
  ["d", /(\d{1,2})(?:st|nd|rd|th|\.(?=\s))?(?![\w.:])/y],
];

/** The clock after the `T` of ISO 8601's basic format. */
const basicClock = /(?<h>\d{2})(?<m>\d{2})(?:(?<s>\d{2})(?:[.,](?<f>\d+))?)?(?!\d)/y;

/** The forms of a date with an optional time, of ctime, date(1) and git, and of a time with an optional date. */
const forms = [
  /^W?(?:D|dMy|Mdy|yMd)(?:cp?(?:zz?k?)?)?/,
  /^W?(?:Md|dM)cp?z?yz?/,
  /^cp?(?:zz?)?(?:W?(?:D|dMy|Mdy)z?)?/,
  /^u/,
];

/** Maximum tokens of a time, and one more. */
const mostTokens = 9;
const boundary = /^(?:$|[\s;)\]}>"']|,(?:\s|$)|\.(?:\s|$))/;

/**
 * Reads the time at the beginning of a text: dates as year-month-day, day.month.year or with the month's name; times
 * of day with AM, PM, fractions and zones; ctime; `@` unix seconds. The time is read whole: a word after it that may
 * belong to it, an ambiguous date (`03/04/2021`) or zone, or a wrong weekday makes it invalid.
 */
export function scanTime(text: string): ScannedTime | InvalidValue {
  const tokens = tokensOf(text);
  const kinds = tokens.map(({ kind }) => kind).join("");
  const count = Math.max(...forms.map((form) => form.exec(kinds)?.[0].length ?? 0));
  const used = tokens.slice(0, count);
  const end = used.at(-1)?.end ?? 0;
  const problem = problemOf(text, kinds, used, end) ?? remainderProblem(text, end, tokens[count], used);
  if (problem !== undefined) return new InvalidValue(problem);
  const stated = statedBy(used);
  return stated instanceof InvalidValue ? stated : { ...stated, end };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; tokens.length < mostTokens;) {
    const token = tokenAt(text, at, tokens);
    if (!token) break;
    tokens.push(token);
    at = token.end + separatorAt(text, token).length;
  }
  return tokens;
}

function separatorAt(text: string, { kind, match, end }: Token): string {
  const rest = text.slice(end);
  const joined = kind === "D" ? /^(?:[Tt_-](?=\d)|:(?=\d\d:\d\d:))/.exec(rest)?.[0] : undefined;
  if (joined !== undefined && (joined !== ":" || match[0].includes("/"))) return joined;
  return /^,?\s+(?:at\s+)?/.exec(rest)?.[0] ?? "";
}

function tokenAt(text: string, at: number, tokens: readonly Token[]): Token | undefined {
  const before = tokens.at(-1);
  const isAfterClock = before !== undefined && tokens.some(({ kind }) => kind === "c");
  const zone = isAfterClock && "cpzyD".includes(before.kind) ? zoneTextAt(text.slice(at, at + 20)) : undefined;
  if (zone !== undefined) return { kind: "z", match: [zone] as unknown as RegExpExecArray, end: at + zone.length };
  if (before?.kind === "D" && /[Tt]/.test(text.charAt(at - 1))) {
    const match = matchAt(basicClock, text, at);
    if (match) return { kind: "c", match, end: at + match[0].length };
  }
  for (const [kind, pattern] of patterns) {
    const match = matchAt(pattern, text, at);
    if (match) return { kind, match, end: at + match[0].length };
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Why the tokens are no time; undefined if they are one. */
function problemOf(text: string, kinds: string, used: readonly Token[], end: number): string | undefined {
  if (kinds.startsWith("X") || (used.length === 0 && kinds.includes("X")))
    return "the order of day and month is not known; give format=";
  if (used.length === 0 && /^W?(?:Md|dM)/.test(kinds)) return "it has no year; give format=";
  if (used.length === 0) return "it is no time; format= reads other forms";
  return boundary.test(text.slice(end)) ? undefined : `'${wordAt(text, end)}' is no time`;
}

/** The complete word around an offset. */
function wordAt(text: string, at: number): string {
  const start = text.lastIndexOf(" ", at - 1) + 1;
  return text.slice(start).split(/\s/, 1)[0]?.slice(0, 40) ?? "";
}

const regionName = /^\[?(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)\//;

/** Refuses a word after a time that may be a part of it. */
function remainderProblem(
  text: string,
  end: number,
  next: Token | undefined,
  used: readonly Token[],
): string | undefined {
  const rest = text.slice(end);
  const word = /^[\s,;:]*(\S*)/.exec(rest)?.[1] ?? "";
  const hasClock = used.some(({ kind }) => kind === "c");
  const hasZone = used.some(({ kind }) => kind === "z");
  const belongs =
    next?.kind === "p" ||
    next?.kind === "z" ||
    (!hasClock && (/^\W*\d+:\d/.test(rest) || zoneTextAt(word) !== undefined || /^[ap]\.?m\b/i.test(word))) ||
    (!hasZone && (regionName.test(word) || (word.startsWith("(") && zoneTextAt(word.slice(1)) !== undefined)));
  if (belongs) return `'${word.slice(0, 40)}' after it is not understood`;
  const last = /\s[+-]\d\d$/.exec(text.slice(0, end))?.[0].trim();
  return last !== undefined && /\S/.test(rest) ? `'${last}' may be a zone or a number` : undefined;
}

function statedBy(tokens: readonly Token[]): StatedTime | InvalidValue {
  const [unix] = tokens;
  if (unix?.kind === "u") return unixTime(unix.match);
  const parts = [dateIn(tokens), clockIn(tokens), zoneIn(tokens)] as const;
  const problem = parts.find((part) => part instanceof InvalidValue);
  if (problem instanceof InvalidValue) return problem;
  const [days, clock, zone] = parts as readonly (number | undefined)[];
  return {
    ...(days === undefined ? {} : { days }),
    ...(clock === undefined ? {} : { clock }),
    ...(zone === undefined ? {} : { zone }),
  };
}

function unixTime([, seconds = "", fraction]: RegExpExecArray): StatedTime | InvalidValue {
  const value = unixMicroseconds(seconds, fraction);
  if (value instanceof InvalidValue) return value;
  const days = Math.floor(value / microsecondsPerDay);
  return { days, clock: value - days * microsecondsPerDay, zone: 0 };
}

const microsecondsPerDay = 86_400_000_000;

function dateIn(tokens: readonly Token[]): number | InvalidValue | undefined {
  const text = (kind: Kind): string | undefined => tokens.find((token) => token.kind === kind)?.match[1];
  const groups = tokens.find(({ kind }) => kind === "D")?.match.groups;
  const [year, day] = groups ? [groups["year"], groups["day"]] : [text("y"), text("d")];
  if (year === undefined) return undefined;
  const month = groups?.["month"] === undefined ? monthOf(groups?.["name"] ?? text("M")) : Number(groups["month"]);
  const days = daysOf(Number(year), month, Number(day));
  const weekday = text("W");
  if (days instanceof InvalidValue || weekday === undefined) return days;
  return isWeekday(days, weekday) ? days : new InvalidValue(`that day is a ${weekdayOf(days)}`);
}

function clockIn(tokens: readonly Token[]): number | InvalidValue | undefined {
  const groups = tokens.find(({ kind }) => kind === "c")?.match.groups;
  if (!groups) return undefined;
  const half = tokens.find(({ kind }) => kind === "p")?.match[1]?.toLowerCase();
  const { h, m, s = "0", f } = groups;
  return clockMicroseconds({ hours: Number(h), minutes: Number(m), seconds: Number(s), fraction: f, half });
}

/** Microseconds since midnight; further digits are rounded. `half`: `a` or `p` of a clock of 12 hours. */
export function clockMicroseconds(clock: {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly fraction?: string | undefined;
  readonly half?: string | undefined;
}): number | InvalidValue {
  const { hours, minutes, seconds, fraction = "", half } = clock;
  const isValid = half === undefined ? hours <= 23 : hours >= 1 && hours <= 12;
  if (!isValid || minutes > 59 || seconds > 59) return new InvalidValue("its time of day is out of range");
  const hour = half === undefined ? hours : (hours % 12) + (half === "p" ? 12 : 0);
  const digits = fraction.slice(0, 7).padEnd(7, "0");
  return (hour * 3600 + minutes * 60 + seconds) * 1_000_000 + Math.round(Number(digits) / 10);
}

/** Go prints an offset and the abbreviation: they have to agree; an ambiguous abbreviation is then known. */
function zoneIn(tokens: readonly Token[]): number | InvalidValue | undefined {
  const [first, second] = tokens.filter(({ kind }) => kind === "z").map(({ match }) => match[0]);
  if (first === undefined) return undefined;
  const zone = readZone(first);
  if (second === undefined) return zone;
  if (!/^[+-]/.test(first)) return new InvalidValue("it has two zones");
  const name = readZone(second);
  return name instanceof InvalidValue || name === zone ? zone : new InvalidValue("its zones differ");
}
