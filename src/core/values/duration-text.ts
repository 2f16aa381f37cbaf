import { InvalidValue } from "./invalid-value.ts";

/** Seconds of units of time; single letters and words as programs print them. */
const seconds: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^(?:wks?|weeks?)$/, 604_800],
  [/^(?:d|days?)$/, 86_400],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:ms|msecs?|milliseconds?)$/, 1e-3],
  [/^(?:us|\u00b5s|\u03bcs|usecs?|microseconds?)$/, 1e-6],
  [/^(?:ns|nsecs?|nanoseconds?)$/, 1e-9],
];

const clock = /^(?:(?<d>\d+)-)?(?<h>\d+):(?<m>[0-5]\d)(?::(?<s>[0-5]\d)(?:[.,](?<f>\d+))?)?(?![\w:.]*[\w:])/;
/** Minutes and seconds, as time(1) prints them: only the fraction distinguishes them from hours and minutes. */
const minutes = /^(?<m>\d+):(?<s>[0-5]\d)[.,](?<f>\d+)(?![\w:.]*[\w:])/;
const letters = String.raw`[A-Za-z\u00b5\u03bc]+`;
const amount = new RegExp(
  String.raw`^(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)\s*` +
    String.raw`(?:(?<unit>${letters})(?![A-Za-z:])|[([](?<bracketed>${letters})[)\]])`,
);
const plain = /^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|^\.\d+(?:[eE][+-]?\d+)?/;
const boundary = /^(?:$|[\s;)\]}>"']|[.,](?:\s|$))/;

/** A duration at the beginning of a text; `end` is the offset after it. */
export interface ScannedDuration {
  readonly seconds: number;
  readonly end: number;
}

/**
 * Reads the duration at the beginning of a text: `h:mm:ss[.f]`, `m:ss.f`, Slurm's `d-hh:mm:ss`, amounts with units of
 * time in descending order (`1 day, 2:03:04`, `5 min 3 s`, `0m3.5s`, `12 ms`), or plain seconds.
 */
export function scanDuration(text: string): ScannedDuration | InvalidValue {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  let [total, at, last] = [0, sign.length, Number.POSITIVE_INFINITY];
  for (;;) {
    const term = termAt(text.slice(at));
    if (!term || term.scale >= last) break;
    [total, last] = [total + term.seconds, term.scale];
    const end = at + term.length;
    at = end + (term.scale <= 0 ? 0 : (/^(?:,?\s+(?:and\s+)?)?(?=[\d.])/.exec(text.slice(end))?.[0].length ?? 0));
    if (term.scale <= 0) break;
  }
  if (last === Number.POSITIVE_INFINITY) return plainSeconds(text, sign);
  const end = text.slice(0, at).trimEnd().replace(/,$/, "").length;
  if (!boundary.test(text.slice(end))) return new InvalidValue("it is no duration");
  return { seconds: sign === "-" ? -total : total, end };
}

/** `scale`: the seconds of its unit; 0 of a clock, which is last. */
function termAt(text: string): { seconds: number; length: number; scale: number } | undefined {
  const time = clock.exec(text);
  if (time?.groups) {
    const { d = 0, h, m, s = 0, f = "0" } = time.groups;
    const whole = Number(d) * 86_400 + Number(h) * 3600 + Number(m) * 60;
    return { seconds: whole + Number(`${s}.${f}`), length: time[0].length, scale: 0 };
  }
  const { m: minute = "", s: second = "", f: fraction = "" } = minutes.exec(text)?.groups ?? {};
  if (fraction !== "") {
    const length = minute.length + second.length + fraction.length + 2;
    return { seconds: Number(minute) * 60 + Number(`${second}.${fraction}`), length, scale: 0 };
  }
  const match = amount.exec(text);
  const unit = match?.groups?.["unit"] ?? match?.groups?.["bracketed"] ?? "";
  const scale = seconds.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
  if (!match || scale === undefined) return undefined;
  const number = Number(match.groups?.["number"]);
  return { seconds: scale < 1 ? number / Math.round(1 / scale) : number * scale, length: match[0].length, scale };
}

function plainSeconds(text: string, sign: string): ScannedDuration | InvalidValue {
  const digits = plain.exec(text.slice(sign.length))?.[0];
  if (digits === undefined) return new InvalidValue("it is no duration");
  const end = sign.length + digits.length;
  if (!boundary.test(text.slice(end))) return new InvalidValue("it is no duration");
  const word = /^\s+[([]?(months?|years?|yrs?|fortnights?|ticks?|jiffies|cycles?)\b/i.exec(text.slice(end))?.[1];
  if (word !== undefined) return new InvalidValue(`'${word}' has no fixed length`);
  return { seconds: Number(`${sign}${digits}`) + 0, end };
}
