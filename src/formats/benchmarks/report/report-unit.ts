import {
  conversion,
  convert,
  formatUnit,
  findUnit,
  parseUnit,
  sameDimension,
  type Conversion,
  type Unit,
} from "../../../core/values/index.ts";

/** The base unit of a reported unit, and the conversion to it. */
export interface ReportUnit extends Conversion {
  /** `s`, `1/s`, `Byte`, `Byte/s`, `%`, or the text itself if it is unknown; empty for plain numbers. */
  readonly unit: string;
  /**
   * The measured quantity, used as metric name: `time`, `rate`, `bytes`, `bandwidth`, `percent`, `value`, or the unit.
   */
  readonly quantity: string;
}

/** Words for countable things: `ops/s` is a rate, `#/op` a plain number. */
const countedThings =
  "ops?|operations?|req|requests?|iter|iterations?|calls?|hits?|queries|transactions|tests|runs|" +
  "invocations?|events?|elements|items|frames|nodes|rows|msgs?|messages|lookups|#|x";
const rate = new RegExp(String.raw`^(?:1|${countedThings}) ?(?:/|per) ?(\S{1,20})$`, "i");
const perCounted = new RegExp(String.raw`^(.{1,40}) ?/ ?(?:${countedThings})$`, "i");

/** Lower-case synonyms of units that `parseUnit` does not know. */
const words: ReadonlyMap<string, string> = new Map([
  ...["second", "minute", "hour", "day"].map((word, at) => [`${word}s`, ["s", "min", "h", "d"][at]!] as const),
  ...["milli", "micro", "nano", "pico"].map((word, at) => [`${word}seconds`, ["ms", "us", "ns", "ps"][at]!] as const),
  ...["kilo", "mega", "giga", "tera"].map(
    (word, at) => [`${word}bytes`, ["KByte", "MByte", "GByte", "TByte"][at]!] as const,
  ),
  ...["msec", "usec", "nsec"].map((word, at) => [word, ["ms", "us", "ns"][at]!] as const),
  ...["kb", "mb", "gb", "tb"].map((word, at) => [word, ["KByte", "MByte", "GByte", "TByte"][at]!] as const),
  ["percent", "%"],
  ["fps", "1/s"],
  ["frames per second", "1/s"],
  ["hz", "1/s"],
  ["count", ""],
  ["counts", ""],
  ["#", ""],
]);

const minute: ReportUnit = { unit: "s", quantity: "time", times: 60, over: 1 };

/** Parses a unit as benchmark programs print it: `ns`, `ops/ms`, `MB/sec`, `us/op`, `Megabytes`, `req/s`. */
export function reportUnit(text: string): ReportUnit {
  const word = text.trim().slice(0, 100);
  if (word === "min" || word.toLowerCase() === "minutes") return minute;
  const time = rate.exec(word)?.[1];
  if (time !== undefined) {
    const per = reportUnit(time);
    if (per.unit === "s") return { unit: "1/s", quantity: "rate", times: per.over, over: per.times };
  }
  return known(perCounted.exec(word)?.[1]) ?? known(word) ?? { unit: word, quantity: word, times: 1, over: 1 };
}

function known(word: string | undefined): ReportUnit | undefined {
  if (word === undefined) return undefined;
  const unit = unitOf(word);
  if (unit === undefined) return undefined;
  const base = baseUnit(unit);
  const name = formatUnit(base);
  return { unit: name, quantity: quantities.get(name) ?? name, ...conversion(unit, base) };
}

function unitOf(word: string): Unit | undefined {
  const parts = word.split("/");
  const normalized = parts.map((part) => words.get(part.trim().toLowerCase()) ?? part.trim()).join("/");
  return findUnit(words.get(word.toLowerCase()) ?? normalized);
}

const quantities: ReadonlyMap<string, string> = new Map([
  ["", "value"],
  ["s", "time"],
  ["1/s", "rate"],
  ["Byte", "bytes"],
  ["Byte/s", "bandwidth"],
  ["%", "percent"],
  ["cycle", "cycles"],
  ["instruction", "instructions"],
]);

const [seconds, hertz] = [parseUnit("s"), parseUnit("1/s")];

/** The unit without prefixes; seconds for times. */
function baseUnit(unit: Unit): Unit {
  if (sameDimension(unit, seconds)) return seconds;
  return sameDimension(unit, hertz) ? hertz : { factors: unit.factors.map((factor) => ({ ...factor, prefix: "" })) };
}

/** Converts a number to the base unit. */
export function toBaseUnit(value: number, unit: Conversion): number {
  return convert(value, unit);
}
