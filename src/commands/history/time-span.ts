import { Failure } from "../../core/failures/index.ts";
import { InvalidValue, readDate, readTimestamp } from "../../core/values/index.ts";

/** Inclusive bounds; a bare date includes the complete day, in UTC. */
export interface TimeSpan {
  readonly from?: string;
  readonly to?: string;
}

const microsecondsPerDay = 86_400_000_000;

/**
 * Predicate for times in the span (microseconds since 1970-01-01T00:00:00Z); `options`: option names for messages.
 * Fails with `bad-option`.
 */
export function spanTest(
  { from, to }: TimeSpan,
  options: { readonly from: string; readonly to: string },
): (time: number) => boolean {
  const first = from === undefined ? -Infinity : instant(from, options.from);
  const end =
    to === undefined
      ? Infinity
      : instant(to, options.to) + (readDate(to) instanceof InvalidValue ? 1 : microsecondsPerDay);
  return (time) => time >= first && time < end;
}

/** Start of a day or time, in microseconds. Fails with `bad-option`. */
export function instant(text: string, option: string): number {
  const value = readTimestamp(text);
  if (value instanceof InvalidValue)
    throw new Failure("bad-option", { option, value: text, expected: "a day or a time, like 2004-11-23 18:30" });
  return value;
}
