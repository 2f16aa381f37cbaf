import { formatValue, type DataType, type Value } from "../../core/values/index.ts";

/** Formats a value as perfbase does: like Python's `str`, missing ones as `None`. */
export function displayText(value: Value, type: DataType): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return String(value);
  switch (type) {
    case "float":
      return floatText(value);
    case "duration":
      return intervalText(value);
    case "boolean":
      return value === 0 ? "False" : "True";
    case "timestamp":
      return formatValue(value, type).replace("T", " ").replace(/Z$/, "");
    default:
      return formatValue(value, type);
  }
}

/** Twelve significant digits, always recognizable as a float: `4.0`, `16.6666666667`, `1e-05`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [mantissa = "", power = "0"] = value.toExponential(11).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 12) {
    const sign = exponent < 0 ? "-" : "+";
    return `${withoutZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const text = withoutZeros(value.toFixed(11 - exponent));
  const signed = Object.is(value, -0) ? `-${text}` : text;
  return signed.includes(".") ? signed : `${signed}.0`;
}

function withoutZeros(digits: string): string {
  return digits.includes(".") ? digits.replace(/0+$/, "").replace(/\.$/, "") : digits;
}

/** `h:mm:ss`, with six fractional digits unless zero, after the days. */
function intervalText(seconds: number): string {
  if (!Number.isFinite(seconds)) return String(seconds);
  const whole = Math.round(Math.abs(seconds) * 1e6);
  const sign = seconds < 0 && whole > 0 ? "-" : "";
  const rest = Math.floor(whole / 1e6);
  const days = Math.floor(rest / 86_400);
  const two = (number: number): string => String(number).padStart(2, "0");
  const fraction = whole % 1e6 === 0 ? "" : `.${String(whole % 1e6).padStart(6, "0")}`;
  const clock = `${Math.floor(rest / 3600) % 24}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}${fraction}`;
  return days === 0 ? `${sign}${clock}` : `${sign}${days} day${days === 1 ? "" : "s"}, ${clock}`;
}
