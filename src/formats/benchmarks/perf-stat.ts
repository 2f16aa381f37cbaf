import { eventName } from "../stacks/index.ts";
import { printedNumber, scaledNumber } from "../text/index.ts";

/** An event in a line of `perf stat`. */
export interface PerfStatCount {
  readonly event: string;
  /** Empty for plain counts; times are in seconds. */
  readonly unit: string;
  /** NaN if the machine could not count it. */
  readonly amount: number;
  /** Variation between runs in percent; NaN for a single run. */
  readonly variation: number;
  /** Where it was counted, e.g. `cpu` CPU0; absent for the complete machine. */
  readonly location?: PerfStatLocation;
  /** End of the interval, in seconds since the start. */
  readonly interval?: number;
}

type PerfStatLocation = readonly [kind: string, name: string];

const eventWord = /^[A-Za-z][\w.:/=,*-]{0,200}$/;
/** Units of time, as powers of ten of a second. */
const timeUnits: ReadonlyMap<string, number> = new Map([
  ["msec", -3],
  ["ns", -9],
]);
const processor = /^CPU\d{1,6}$/;
const machinePart = /^[SDCNL]\d{1,6}(?:-[A-Z]{1,3}\d{0,6}){0,4}$/;
const missing = String.raw`<not (?:counted|supported)>`;
const threadPrefix = new RegExp(String.raw`^ {1,60}(\S.{0,60}?-\d{1,10}) {2,60}(?=[\d.,]{1,30} |${missing})`);

/** Kinds of machine parts by their letter: `S0-D0-C1` is a core. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["S", "socket"],
  ["N", "node"],
  ["D", "die"],
  ["C", "core"],
]);

/**
 * Parses `1.01 msec task-clock # 0.114 CPUs utilized ( +- 1.66% )`, optionally after the end of an interval and a
 * location; older versions print `task-clock (msec)`.
 */
export function consoleCount(line: string): PerfStatCount | undefined {
  if (!/^(?: |CPU\d|[SDN]\d)/.test(line)) return undefined;
  const variation = /\( \+- {1,8}([\d.]{1,10})% \)/.exec(line.slice(-60))?.[1] ?? "";
  const [counted = ""] = line.split("#");
  const [, interval, afterInterval] = /^ {1,20}(\d{1,12}\.\d{9})((?: {1,60}| [CSN])\S.*)$/.exec(counted) ?? [];
  const [location, rest] = splitLocation(afterInterval ?? counted);
  const words = rest
    .replace(/\( \+-.{0,20}$/, "")
    .replace(/ \(\d{1,3}\.\d\d%\)\s*$/, "")
    .replace(new RegExp(missing), (text) => text.replace(" ", "_"))
    .trim()
    .split(/\s+/);
  const unitAtEnd = words[2] === "(msec)" ? "msec" : undefined;
  const [amount = "", second = "", third] = words;
  const unit = unitAtEnd ?? (third === undefined ? "" : second);
  const event = unitAtEnd !== undefined || third === undefined ? second : third;
  if (words.length > 3 || !eventWord.test(event) || !/^(?:[\d.,]{1,30}|<not_\w{5,12}>)$/.test(amount)) return undefined;
  return { ...countOf(amount, unit, event, variation), ...locationAndInterval(location, interval) };
}

/** Splits off a leading processor, machine part with its number of processors, or thread. */
function splitLocation(text: string): [location: PerfStatLocation | undefined, rest: string] {
  const [first = "", second = ""] = text.trim().split(/\s+/, 2);
  const after = (word: string): string => text.slice(text.indexOf(word) + word.length);
  if (processor.test(first)) return [["cpu", first], after(first)];
  if (machinePart.test(first) && /^\d{1,6}$/.test(second))
    return [[kindOf(first), first], after(first).trimStart().slice(second.length)];
  const thread = threadPrefix.exec(text)?.[1];
  return thread === undefined ? [undefined, text] : [["thread", thread], after(thread)];
}

function kindOf(name: string): string {
  return kinds.get(name.slice(name.lastIndexOf("-") + 1).charAt(0)) ?? "cache";
}

/** The separator of `perf stat -x`, after the first cell. */
const separatorPattern = new RegExp(
  String.raw`^ {0,20}(?:[\d.]{1,30}|\d{1,20},\d{1,20}|<not (?:counted|supported)>|CPU\d{1,6}|` +
    String.raw`[SDCN]\d[\w-]{0,40})([,;\t|:])`,
);

/**
 * Parses a line of `perf stat -x`: amount, unit, event, variation in percent for several runs, time of counting and its
 * percentage; optionally after the end of an interval and a location with its number of processors.
 */
export function csvCount(line: string): PerfStatCount | undefined {
  const separator = separatorPattern.exec(line)?.[1];
  if (separator === undefined) return undefined;
  const cells = line
    .split(separator)
    .map((cell) => (separator === "," ? cell : cell.replace(/^(\d{1,20}),(\d{1,20}%?)$/, "$1.$2")));
  const interval = /^ {1,20}\d{1,12}\.\d{9}$/.test(cells[0] ?? "") ? cells.shift()!.trim() : undefined;
  const first = (cells[0] ?? "").trim();
  const isPart = machinePart.test(first);
  const location: PerfStatLocation | undefined = processor.test(first)
    ? ["cpu", first]
    : isPart
      ? [kindOf(first), first]
      : undefined;
  const [amount = "", unit = "", event = "", ...rest] = cells.slice(location === undefined ? 0 : isPart ? 2 : 1);
  const variation = rest[0]?.endsWith("%") === true ? rest.shift() : undefined;
  const [counting = "", percent = ""] = rest;
  if (
    !eventWord.test(event) ||
    !/^[A-Za-z]{0,20}$/.test(unit) ||
    !/^\d{1,20}$/.test(counting) ||
    !/^\d{1,3}\.\d\d$/.test(percent)
  )
    return undefined;
  return { ...countOf(amount, unit, event, variation?.slice(0, -1) ?? ""), ...locationAndInterval(location, interval) };
}

/** Members of a line of `-j` that name a location. */
const locationMembers = ["cpu", "core", "cache", "cluster", "die", "socket", "node", "thread"];

/** A line of `perf stat -j`: an object with `counter-value`, `unit` and `event`. */
export function jsonCount(line: string): PerfStatCount | undefined {
  if (!line.startsWith("{") || !line.includes('"counter-value"')) return undefined;
  const members = membersOf(line);
  const text = (name: string): string => scalarText(members.get(name));
  const event = text("event");
  if (!eventWord.test(event)) return undefined;
  const kind = locationMembers.find((name) => members.has(name));
  const interval = members.has("interval") ? text("interval") : undefined;
  return {
    ...countOf(text("counter-value"), text("unit"), event, text("variance")),
    ...locationAndInterval(kind === undefined ? undefined : [kind, text(kind)], interval),
  };
}

function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) : "";
}

function membersOf(line: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(line) as object));
  } catch {
    return new Map();
  }
}

function locationAndInterval(
  location: PerfStatLocation | undefined,
  interval: string | undefined,
): Pick<PerfStatCount, "location" | "interval"> {
  return {
    ...(location === undefined ? {} : { location }),
    ...(interval === undefined ? {} : { interval: printedNumber(interval) }),
  };
}

function countOf(amount: string, unit: string, event: string, variation: string): PerfStatCount {
  const exponent = timeUnits.get(unit);
  return {
    event,
    unit: exponent === undefined ? unit : "s",
    amount: scaledNumber(amount, exponent ?? 0),
    variation: printedNumber(variation),
  };
}

/**
 * A line as programs write it under the locale C, where that of the measurement puts commas before decimals (`0,74
 * msec`) and full stops or narrow blanks between thousands.
 */
export function respeltNumbers(line: string): string {
  return line.replace(/\d{1,3}(?:[.\u00a0\u202f’']\d{3}){1,6}(?![\d.])(?:,\d{1,12})?|\d{1,20},\d{1,12}/g, (text) =>
    text.replaceAll(/[.\u00a0\u202f’']/g, "").replace(",", "."),
  );
}

/** An event counted by `perf stat -x '\t'`. */
export interface PerfCount {
  /** Without modifiers. */
  readonly event: string;
  /** null if this machine could not count it. */
  readonly amount: number | null;
  /** Unit of the amount: `msec` for clocks; empty for plain counts. */
  readonly unit: string;
  /** Percentage of the time in which it was counted; below 100, the amount is extrapolated. */
  readonly percent: number;
}

/**
 * Reads the lines of `perf stat -x '\t'`: amount, unit, event, nanoseconds and percentage of counting, then metrics.
 * Ignores other lines. Layout: man perf-stat, CSV FORMAT. The decimal separator depends on the locale.
 */
export function readPerfStat(text: string): PerfCount[] {
  return text.split("\n").flatMap((line): PerfCount[] => {
    const [amount = "", unit = "", event, , percent = ""] = line.split("\t");
    if (event === undefined || event === "" || line.startsWith("#")) return [];
    const counted = decimal(amount);
    return [{ event: eventName(event), amount: counted, unit, percent: decimal(percent) ?? 100 }];
  });
}

function decimal(text: string): number | null {
  return /^\d{1,20}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : null;
}
