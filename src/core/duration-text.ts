import { Misfit } from "./misfit.ts";
import { readFloat } from "./number-text.ts";

const days = String.raw`(?:([+-]?\d+) days?)`;
const clock = String.raw`(-?)(\d+):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?`;
const spelled = new RegExp(`^(?:${days}(?: ${clock})?|${clock})$`);

/** Seconds of `h:mm[:ss[.f]]`, `n days`, `n days h:mm:ss`, or of plain seconds. */
export function readDuration(text: string): number | Misfit {
  const match = spelled.exec(text);
  if (match)
    return Number(match[1] ?? 0) * 86_400 + clockOf(match[1] === undefined ? match.slice(7, 12) : match.slice(2, 7));
  const seconds = readFloat(text);
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : new Misfit("it is no duration");
}

function clockOf(parts: readonly (string | undefined)[]): number {
  const seconds =
    Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0) + Number(`0${parts[4] ?? ".0"}`);
  return parts[0] === "-" ? -seconds : seconds;
}

/** `1:02:03.5`; fractions of a second that decimal clock notation would blur are written as plain seconds. */
export function formatDuration(seconds: number): string {
  const rest = Math.abs(seconds);
  const whole = Math.floor(rest);
  const text = `${seconds < 0 ? "-" : ""}${Math.floor(whole / 3600)}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}${fractionOf(rest)}`;
  return readDuration(text) === seconds ? text : String(seconds);
}

function fractionOf(seconds: number): string {
  const digits = (seconds % 1).toFixed(9).replace(/0+$/, "");
  return digits.length > 2 && digits.startsWith("0.") ? digits.slice(1) : "";
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
