import { Failure } from "../failures/index.ts";
import { InvalidValue } from "./invalid-value.ts";
import { readFloat, readInteger } from "./parse-number.ts";
import { formatDate, formatTimeOfDay, formatTimestamp, readDate, readTimeOfDay, readTimestamp } from "./date-time.ts";

const days = String.raw`(?:([+-]?\d+) days?)`;
const clock = String.raw`(-?)(\d+):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?`;
const spelled = new RegExp(`^(?:${days}(?: ${clock})?|${clock})$`);

/** Seconds of `h:mm[:ss[.f]]`, `n days`, `n days h:mm:ss`, or plain seconds. */
function readDuration(text: string): number | InvalidValue {
  const match = spelled.exec(text);
  if (match)
    return Number(match[1] ?? 0) * 86_400 + clockOf(match[1] === undefined ? match.slice(7, 12) : match.slice(2, 7));
  const seconds = readFloat(text);
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : new InvalidValue("it is no duration");
}

function clockOf(parts: readonly (string | undefined)[]): number {
  const seconds =
    Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0) + Number(`0${parts[4] ?? ".0"}`);
  return parts[0] === "-" ? -seconds : seconds;
}

/** `1:02:03.5`; plain seconds if clock notation would lose digits of the fraction. */
function formatDuration(seconds: number): string {
  const rest = Math.abs(seconds);
  const whole = Math.floor(rest);
  const hours = `${seconds < 0 ? "-" : ""}${Math.floor(whole / 3600)}`;
  const text = `${hours}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}${fractionOf(rest)}`;
  return readDuration(text) === seconds ? text : String(seconds);
}

function fractionOf(seconds: number): string {
  const digits = (seconds % 1).toFixed(9).replace(/0+$/, "");
  return digits.length > 2 && digits.startsWith("0.") ? digits.slice(1) : "";
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/**
 * The data types of a variable (perfbase's and the original design's). `version` is a dotted number, compared by
 * component.
 */
export const dataTypes = [
  "integer",
  "float",
  "string",
  "text",
  "date",
  "timeofday",
  "duration",
  "timestamp",
  "binary",
  "boolean",
  "version",
] as const;

export type DataType = (typeof dataTypes)[number];

/**
 * A value of a variable. null is "no value".
 * integer: number, or bigint beyond 2^53; float: number (NaN allowed); duration and timeofday: seconds;
 * timestamp: microseconds since 1970-01-01T00:00:00Z; date: days since 1970-01-01; binary: base64 text;
 * all other types: text.
 */
export type Value = null | boolean | number | bigint | string;

/** Values by variable name. */
export type Values = ReadonlyMap<string, Value>;

const structured: readonly DataType[] = ["date", "timeofday", "duration", "timestamp", "version", "boolean"];
const truths = ["true", "t", "yes", "y", "on", "1"];
const falsehoods = ["false", "f", "no", "n", "off", "0"];
const versionText = /^[A-Za-z]*\d[0-9A-Za-z]*(?:[.+_-][0-9A-Za-z]+)*$/;
const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Longer texts are no dates, times or versions; bounds the patterns, which need not be linear. */
const longestStructured = 100;

const examples: Partial<Record<DataType, string>> = {
  integer: "42",
  float: "4.2e-3",
  date: "2004-11-23",
  timeofday: "18:30:05",
  duration: "1:02:03.5",
  timestamp: "2004-11-23T18:30:05Z",
  boolean: "true",
  version: "1.10.2",
};

/** Parses a value of a type, strictly: nothing is trimmed; an empty text is valid for string and text only. */
export function readValue(text: string, type: DataType, size?: 2 | 4 | 8): Exclude<Value, null> | InvalidValue {
  if (text.length > longestStructured && structured.includes(type)) return new InvalidValue("it is too long");
  switch (type) {
    case "integer":
      return readInteger(text, size);
    case "float":
      return readFloat(text);
    case "string":
    case "text":
      return text;
    case "date":
      return readDate(text);
    case "timeofday":
      return readTimeOfDay(text);
    case "duration":
      return readDuration(text);
    case "timestamp":
      return readTimestamp(text);
    case "boolean":
      return readBoolean(text);
    case "binary":
      return text.length % 4 === 0 && base64Text.test(text) ? text : new InvalidValue("it is no base64");
    case "version":
      return versionText.test(text) ? text : new InvalidValue("it is no dotted number");
  }
}

function readBoolean(text: string): boolean | InvalidValue {
  const word = text.toLowerCase();
  if (truths.includes(word)) return true;
  return falsehoods.includes(word) ? false : new InvalidValue("it is neither true nor false");
}

/** Like `readValue`, but fails with `bad-content`, which names the variable and the location (`file:line`). */
export function parseValue(
  text: string,
  variable: { readonly name: string; readonly type: DataType; readonly size?: 2 | 4 | 8 },
  location?: string,
): Exclude<Value, null> {
  const value = readValue(text, variable.type, variable.size);
  if (!(value instanceof InvalidValue)) return value;
  throw badValue(text, variable, value.problem, { location, example: examples[variable.type] });
}

/** The failure of a text that is no value of a variable. */
export function badValue(
  text: string,
  { name, type }: { readonly name: string; readonly type: DataType },
  problem: string,
  more: { readonly location?: string | undefined; readonly example?: string | undefined } = {},
): Failure {
  return new Failure("bad-content", { value: text.slice(0, 80), variable: name, type, problem, ...more });
}

/** The text that `readValue` reads back as the same value; null is the empty text. */
export function formatValue(value: Value, type: DataType): string {
  if (value === null) return "";
  if (typeof value !== "number") return String(value);
  if (type === "boolean") return String(value !== 0);
  if (type === "date") return formatDate(value);
  if (type === "timeofday") return formatTimeOfDay(value);
  if (type === "duration") return formatDuration(value);
  if (type === "timestamp") return formatTimestamp(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Order of two values of one type: null first, NaN after every number, versions by component, text by code point. */
export function compareValues(a: Value, b: Value, type: DataType): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (type === "version") return compareVersions(String(a), String(b));
  if (typeof a === "string" || typeof b === "string") return compareText(String(a), String(b));
  return compareNumbers(a, b);
}

function compareNumbers(a: number | bigint | boolean, b: number | bigint | boolean): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** Orders by several keys: the first that differs decides. */
export function orderBy<K, T>(keys: readonly K[], compare: (key: K, a: T, b: T) => number): (a: T, b: T) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compare(key, a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** By code points, not UTF-16 units: the order of the C collation of databases. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const inPair = at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  const start = inPair ? at - 1 : at;
  return Math.sign((a.codePointAt(start) ?? -1) - (b.codePointAt(start) ?? -1));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|[A-Za-z]+/g) ?? [], b.match(/\d+|[A-Za-z]+/g) ?? []];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareComponents(left[i], right[i], rankIn(left, i) - rankIn(right, i));
    if (order !== 0) return order;
  }
  return compareText(a, b);
}

/** `ranks`: the difference of their ranks. */
function compareComponents(a: string | undefined, b: string | undefined, ranks: number): number {
  if (ranks !== 0) return Math.sign(ranks);
  if (a === undefined || b === undefined || !/^\d/.test(a)) return compareText(a ?? "", b ?? "");
  return compareNumbers(BigInt(a), BigInt(b));
}

/**
 * A word (rc, beta) sorts before the release without it, a final single letter (`1.0.2k`) after it, and both before
 * every number.
 */
function rankIn(components: readonly string[], index: number): number {
  const component = components[index];
  if (component === undefined) return 1;
  if (/^\d/.test(component)) return 3;
  return component.length === 1 && index === components.length - 1 && index > 0 ? 2 : 0;
}
