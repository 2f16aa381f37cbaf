import {
  instantOf,
  InvalidValue,
  readZone,
  scanDuration,
  scanTime,
  timeFormat,
  type DataType,
  type ScannedDuration,
  type ScannedTime,
} from "../../../../core/values/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { partialDuration } from "./number-doubts.ts";

const types = ["date", "timeofday", "timestamp", "duration"] as const;
export type TimeType = (typeof types)[number];

export function isTimeType(type: DataType): type is TimeType {
  return types.some((each) => each === type);
}

const opening = /^[([{<"'\s]+/;
/** What may follow a complete value. */
const trailing = /^[\s,;)\]}>"'.]*$/;
const laterClock = /^[\s,;]*\S+\s+\d+:\d\d/;
/** `12-00-01`, `12.00.01`, `12h00` after a date, and digits after a date of digits. */
const oddClock = /^[\s,]+\d{1,2}(?:([-.])\d{2}\1\d{2}|[hH]\d{2}\S*)(?![\w.-]*\w)/;
const digitClock = /^[\s,]+(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?![\w.:])/;
const shortClock = /^[+-]?\d+:\d\d(?!\d|:\d|[.,]\d)/;
/** What continues a value in a format. */
const continuation = /^(?:\w|[.,:+-]\d)/;

/** Reads dates, times of day, timestamps and durations from text. */
export class TimeReader {
  readonly #type: TimeType;
  readonly #scan: (text: string) => ScannedTime | InvalidValue;
  /** Minutes east of UTC of times without a zone. */
  readonly #zone: number;

  /** Requires that the format and the zone of `cut` are valid. */
  constructor(type: TimeType, { format, zone }: Pick<Cut, "format" | "zone">) {
    const compiled = format === undefined ? undefined : timeFormat(format);
    const offset = zone === undefined ? 0 : readZone(zone);
    this.#type = type;
    this.#scan =
      compiled === undefined ? scanTime : compiled instanceof InvalidValue ? () => compiled : delimited(compiled.scan);
    this.#zone = typeof offset === "number" ? offset : 0;
  }

  /** The value at the beginning of a text; punctuation around it is ignored. */
  read(text: string): number | InvalidValue {
    return this.#valueIn(text.replace(opening, ""), false);
  }

  /** The value of a complete text; punctuation around it is ignored. */
  readWhole(text: string): number | InvalidValue {
    return this.#valueIn(text.replace(opening, ""), true);
  }

  /** Number of words of the value at the beginning of a text; undefined when it has none. */
  wordsAt(text: string): number | undefined {
    const trimmed = text.replace(opening, "");
    const found = this.#scanned(trimmed);
    if (found instanceof InvalidValue || this.#valueIn(trimmed, false) instanceof InvalidValue) return undefined;
    return text
      .slice(0, text.length - trimmed.length + found.end)
      .trim()
      .split(/\s+/).length;
  }

  #scanned(text: string): ScannedTime | ScannedDuration | InvalidValue {
    return this.#type === "duration" ? scanDuration(text) : this.#scan(text);
  }

  #valueIn(text: string, whole: boolean): number | InvalidValue {
    const found = this.#scanned(text);
    if (found instanceof InvalidValue) return found;
    const rest = text.slice(found.end);
    if (whole && !trailing.test(rest))
      return new InvalidValue(`'${rest.trim().slice(0, 40)}' after it is not understood`);
    if ("seconds" in found) {
      if (shortClock.test(text)) return new InvalidValue("it may be h:mm or m:ss; write h:mm:ss");
      return partialDuration(text.slice(0, found.end), rest) ?? found.seconds;
    }
    if (this.#type === "timestamp" && found.clock === undefined) {
      if (laterClock.test(rest)) return new InvalidValue("its time of day is not next to its date; give format=");
      if (oddClock.test(rest) || (/^\d{8}$/.test(text.slice(0, found.end)) && digitClock.test(rest)))
        return new InvalidValue("what follows the date may be its time of day; give format=");
    }
    return this.#typed(found);
  }

  #typed({ days, clock, zone }: ScannedTime): number | InvalidValue {
    if (this.#type === "timeofday") {
      if (clock === undefined) return new InvalidValue("it has no time of day");
      if (zone) return new InvalidValue("times of day have no zone; give format=");
      return clock / 1_000_000;
    }
    if (days === undefined) return new InvalidValue("it has no date");
    return this.#type === "date" ? days : instantOf(days, clock ?? 0, zone ?? this.#zone);
  }
}

function delimited(scan: (text: string) => ScannedTime | InvalidValue): (text: string) => ScannedTime | InvalidValue {
  return (text) => {
    const found = scan(text);
    if (found instanceof InvalidValue || !continuation.test(text.slice(found.end))) return found;
    const rest = text.slice(found.end).split(/\s/, 1)[0]?.slice(0, 40);
    return new InvalidValue(`'${rest}' after it is not in the format`);
  };
}
