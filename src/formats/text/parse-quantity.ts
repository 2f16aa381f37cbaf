/** Powers of ten of the units up to a second; seconds of the longer units follow. */
const exponents: ReadonlyMap<string, number> = new Map([
  ["ps", -12],
  ["ns", -9],
  ["us", -6],
  ["\u00b5s", -6],
  ["\u03bcs", -6],
  ["ms", -3],
  ["s", 0],
]);
const times: ReadonlyMap<string, number> = new Map([
  ["m", 60],
  ["min", 60],
  ["h", 3600],
]);

/**
 * Parses a number printed for people, with optional commas between thousands. NaN for anything else and for numbers
 * beyond the range of a double.
 */
export function printedNumber(text: string): number {
  return scaledNumber(text, 0);
}

/**
 * A printed number times a power of ten, correctly rounded: `108.6` ns are 1.086e-7, which a division misses. NaN like
 * `printedNumber`.
 */
export function scaledNumber(text: string, exponent: number): number {
  const [, digits, own = "0"] = /^([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+))(?:[eE]([+-]?\d{1,4}))?$/.exec(text) ?? [];
  const value = digits === undefined ? Number.NaN : Number(`${digits.replaceAll(",", "")}e${Number(own) + exponent}`);
  return Number.isFinite(value) ? value : Number.NaN;
}

/**
 * A finite number times a power of ten as text with the same digits. Scaling the text by the opposite power with
 * `scaledNumber` gives the number back.
 */
export function shiftedText(value: number, exponent: number): string {
  const [, sign = "", whole = "", fraction = "", own = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, "");
  // Number of digits before the decimal point.
  const point = digits.length - fraction.length + Number(own) + exponent;
  const plain = digits.replace(/0+$/, "");
  if (plain === "") return `${sign}0`;
  if (point > 21 || point < -6) return `${sign}${plain[0]}${plain.length > 1 ? `.${plain.slice(1)}` : ""}e${point - 1}`;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${plain}`;
  return plain.length <= point
    ? `${sign}${plain.padEnd(point, "0")}`
    : `${sign}${plain.slice(0, point)}.${plain.slice(point)}`;
}

/** A printed duration in seconds; NaN if the number or the unit is invalid. */
export function printedSeconds(amount: string, unit: string): number {
  const exponent = exponents.get(unit);
  return exponent === undefined
    ? printedNumber(amount) * (times.get(unit) ?? Number.NaN)
    : scaledNumber(amount, exponent);
}

const decimal = ["", "k", "m", "g", "t", "p"] as const;

/** A printed number with a decimal (`k`, `M`, `G`) or binary (`Ki`, `Mi`, `Gi`) prefix; NaN if it is invalid. */
export function prefixedNumber(amount: string, prefix: string): number {
  const [, letter = prefix.toLowerCase(), isBinary] = /^([kmgtp])(i)$/.exec(prefix.toLowerCase()) ?? [];
  const power = decimal.indexOf(letter as "k");
  if (power < 0) return Number.NaN;
  return isBinary === undefined ? scaledNumber(amount, 3 * power) : printedNumber(amount) * 1024 ** power;
}

const countables =
  "byte|call|client|connection|core|cycle|error|event|failure|file|item|iteration|job|loop|message|node|" +
  "op(?:eration)?|packet|process(?:or)?|record|request|retr(?:y|ie)|row|run|sample|socket|task|test|thread|" +
  "transaction|user|warning|worker";
const pluralMark = new RegExp(String.raw`(?:${countables})\(s\)`, "i");

/** Whether `(s)` marks a plural, as in `client(s)`; in `time(s)` it is a unit. */
export function hasPluralMark(heading: string): boolean {
  return pluralMark.test(heading);
}
