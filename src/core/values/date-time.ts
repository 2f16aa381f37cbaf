import { InvalidValue } from "./invalid-value.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?`;
const zoneText = String.raw`(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?`;

const isoDate = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})$/;
const germanDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const namedDate = /^(?:[A-Za-z]{3},? )?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{4})$/;
const dayTime = new RegExp(`^${clock}$`);
const stamp = new RegExp(`^(.+?)(?:T|,? +)${clock} ?${zoneText}$`);
/** The formats of C's ctime and date(1): `Sun Jun 30 12:15:58 2002`, `Tue Nov 23 18:30:30 UTC 2004`. */
const ctime = new RegExp(`^[A-Za-z]{3} ([A-Za-z]{3}) +(\\d{1,2}) ${clock} (?:${zoneText} )?(\\d{4})$`);
const unixTime = /^@(-?\d{1,12})(\.\d+)?$/;

const secondsPerDay = 86_400;
const microseconds = 1_000_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`, `YYYY/MM/DD`, `DD.MM.YYYY`, `30 Jun 2002`. */
export function readDate(text: string): number | InvalidValue {
  const iso = isoDate.exec(text);
  if (iso) return daysOf(Number(iso[1]), Number(iso[3]), Number(iso[4]));
  const german = germanDate.exec(text);
  if (german) return daysOf(Number(german[3]), Number(german[2]), Number(german[1]));
  const named = namedDate.exec(text);
  if (named) return daysOf(Number(named[3]), monthOf(named[2]), Number(named[1]));
  return new InvalidValue("it is no date");
}

/** Seconds since midnight of `hh:mm[:ss[.f]]`. */
export function readTimeOfDay(text: string): number | InvalidValue {
  const match = dayTime.exec(text);
  return match ? secondsOf(match.slice(1, 5)) : new InvalidValue("it is no time of day");
}

/**
 * Microseconds since 1970-01-01T00:00:00Z of a date and a time of day with an optional zone (Z, UTC, GMT, +hh:mm), of
 * ctime's form, or of `@` unix seconds. Times without a zone are `zone` minutes east of UTC.
 */
export function readTimestamp(text: string, zone = 0): number | InvalidValue {
  const unix = unixTime.exec(text);
  if (unix) return unixMicroseconds(unix[1] ?? "", unix[2]);
  const c = ctime.exec(text);
  if (c) return joined(daysOf(Number(c[8]), monthOf(c[1]), Number(c[2])), secondsOf(c.slice(3, 7)), zoneOf(c[7], zone));
  const match = stamp.exec(text);
  if (match) return joined(readDate(match[1] ?? ""), secondsOf(match.slice(2, 6)), zoneOf(match[6], zone));
  return joined(readDate(text), 0, zone);
}

/** Microseconds since 1970 of unix seconds; `fraction` begins with a point. */
export function unixMicroseconds(seconds: string, fraction = ".0"): number | InvalidValue {
  const part = Math.round(Number(`0${fraction}`) * microseconds);
  const whole = Number(seconds) * microseconds;
  return inRange(seconds.startsWith("-") ? whole - part : whole + part);
}

function joined(
  days: number | InvalidValue,
  seconds: number | InvalidValue,
  zone: number | InvalidValue,
): number | InvalidValue {
  if (days instanceof InvalidValue) return days;
  if (seconds instanceof InvalidValue) return seconds;
  if (zone instanceof InvalidValue) return zone;
  return instantOf(days, Math.round(seconds * microseconds), zone);
}

/**
 * True for the microseconds since 1970 at which something can be stored: not before 1970, and early enough (the year
 * 2223) that later timestamps of the same store are exact numbers, too.
 */
export function isStorableTime(time: number): boolean {
  return Number.isFinite(time) && time >= 0 && time <= 8e15;
}

/** Microseconds since 1970 of a day, microseconds since its midnight, and the minutes of its zone east of UTC. */
export function instantOf(days: number, clock: number, zone: number): number | InvalidValue {
  return inRange((days * secondsPerDay - zone * 60) * microseconds + clock);
}

function inRange(value: number): number | InvalidValue {
  return Number.isSafeInteger(value) ? value + 0 : new InvalidValue("it is outside of the years 1685 to 2255");
}

function zoneOf(text: string | undefined, otherwise: number): number | InvalidValue {
  if (text === undefined) return otherwise;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(text);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 18 * 60 || Number(match[3] ?? 0) > 59) return new InvalidValue("its zone is out of range");
  return match[1] === "-" ? -minutes : minutes;
}

function secondsOf(parts: readonly (string | undefined)[]): number | InvalidValue {
  const [h = 0, m = 0, s = 0] = [parts[0], parts[1], parts[2] ?? "0"].map(Number);
  if (h > 23 || m > 59 || s > 59) return new InvalidValue("its time of day is out of range");
  return h * 3600 + m * 60 + s + Number(`0${parts[3] ?? ".0"}`);
}

/** 1 to 12 of a month's English name, of which three letters count; 0: unknown. */
export function monthOf(name = ""): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** `Monday` */
export function weekdayOf(days: number): string {
  return weekdays[(((days + 4) % 7) + 7) % 7] ?? "";
}

/** Three letters of the name count. */
export function isWeekday(days: number, name: string): boolean {
  return weekdayOf(days).slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase();
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Days since 1970-01-01 of a day of the Gregorian calendar. */
export function daysOf(year: number, month: number, day: number): number | InvalidValue {
  const days = daysOfCivil(year, month, day);
  const back = civilOfDays(days);
  if (year < 1 || back.year !== year || back.month !== month || back.day !== day)
    return new InvalidValue("there is no such day");
  return days;
}

/** Days in the proleptic Gregorian calendar. Years begin in March so that the leap day is the last. */
function daysOfCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function civilOfDays(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** `2004-11-23` */
export function formatDate(days: number): string {
  const { year, month, day } = civilOfDays(Math.floor(days));
  return `${String(year).padStart(4, "0")}-${pad(month)}-${pad(day)}`;
}

/** `18:30:30`, with the fraction if there is one. */
export function formatTimeOfDay(seconds: number): string {
  return formatClock(Math.round(seconds * microseconds));
}

/** `2004-11-23T18:30:30Z`, with the fraction if there is one. */
export function formatTimestamp(value: number): string {
  const day = secondsPerDay * microseconds;
  const days = Math.floor(value / day);
  return `${formatDate(days)}T${formatClock(value - days * day)}Z`;
}

function formatClock(value: number): string {
  const seconds = Math.floor(value / microseconds);
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return fields.map(pad).join(":") + formatFraction(value % microseconds);
}

function formatFraction(value: number): string {
  return value === 0 ? "" : `.${String(value).padStart(6, "0").replace(/0+$/, "")}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
