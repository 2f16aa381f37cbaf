/**
 * A number as C's `%g` and Python's `format(x, "g")` print it: six significant digits without trailing zeros, exact,
 * ties to the even digit; `nan`, `inf`.
 */
export function generalFormat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const [digits, exponent] = roundedDigits(Math.abs(value), 6);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (exponent >= -4 && exponent < 6) return sign + withoutZeros(pointed(digits, exponent));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${sign}${withoutZeros(pointed(digits, 0))}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** A number of at least 1 with one decimal, exact, ties to the even digit (C's `%.1f`). */
export function oneDecimal(value: number): string {
  const whole = Math.floor(Math.log10(Math.max(1, Math.trunc(value)))) + 1;
  const [digits, exponent] = roundedDigits(value, whole + 1);
  // Rounding 9.96 adds a digit.
  return pointed(digits.padEnd(exponent + 2, "0"), exponent);
}

/** The leading `count` digits of a finite number of at least 0, and the decimal exponent of the first. */
function roundedDigits(value: number, count: number): [digits: string, exponent: number] {
  // Rounds ties up.
  const [mantissa = "", exponent = ""] = value.toExponential(count - 1).split("e");
  const [exact = "", own = ""] = value.toExponential(20).split("e");
  const all = exact.replace(".", "");
  // A double next to a tie differs from it before the twentieth digit.
  const isTie = /^50*$/.test(all.slice(count));
  const isEven = "02468".includes(all[count - 1] ?? "");
  return isTie && isEven ? [all.slice(0, count), Number(own)] : [mantissa.replace(".", ""), Number(exponent)];
}

/** Digits with a point after the digit of 10^0. */
function pointed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1);
  return exponent + 1 < digits.length ? `${whole}.${digits.slice(exponent + 1)}` : whole;
}

function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
