import { InvalidValue, numberScanner, type NumberSyntax } from "../../../core/values/index.ts";

const outside = /^[^-+.0-9eE]+/;
const number = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|[dD]([+-]\d+)|(?<=\.\d*)[dD](\d+))?/;
/** What follows the first of several groups of digits. */
const moreDigits = /^[,']\d{3}(?!\d)/;
/** Digits after a comma that follows a point and three digits: `1.234,5`. */
const decimalComma = /^,\d+(?![\d.])/;
const otherNotation = "it is not written as decimal= and thousands= say";
/** What follows the number in `1.#INF`. */
const notFinite = /^\.?#(?:INF|IND|QNAN|SNAN|NAN)/;
const hexadecimal = /^[xX][\da-fA-F]+(?!\w)/;

/** Numbers are searched in this many leading characters. */
const longestText = 4096;

/** A number in a text, from `start` to before `end`. `digits` are in the notation of `readFloat`. */
export interface NumberInText {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first number in a text; undefined when there is none. Surrounding text is ignored, and a lone comma is a decimal
 * point unless the syntax is given. A number with separators of thousands that the syntax does not have is invalid.
 */
export function extractNumber(text: string, syntax: NumberSyntax = {}): NumberInText | InvalidValue | undefined {
  const isGiven = syntax.decimal !== undefined || syntax.thousands !== undefined;
  const searched = text.slice(0, longestText);
  const scan = isGiven ? numberScanner(syntax) : scanPlain;
  const pointed = isGiven ? searched : withPoint(searched);
  for (let rest = startAt(pointed); rest !== ""; rest = startAt(rest.slice(1))) {
    const found = scan(rest);
    if (!found) {
      if (isGiven && /^[+-]?\d/.test(rest)) return new InvalidValue(otherNotation);
      continue;
    }
    const start = pointed.length - rest.length;
    const end = start + found.end;
    const after = pointed.slice(end);
    const problem = isGiven ? givenProblem(after) : notationProblem(found.digits, after);
    if (problem !== undefined) return new InvalidValue(problem);
    if (notFinite.test(after)) return undefined;
    return { digits: found.digits, start, end };
  }
  return undefined;
}

function givenProblem(after: string): string | undefined {
  return /^[.,]\d/.test(after) ? otherNotation : undefined;
}

/** Why a number is not read up to its first foreign character. */
function notationProblem(digits: string, after: string): string | undefined {
  if (moreDigits.test(after)) return "it has separators of thousands; give thousands=";
  if (/\d\.\d{3}$/.test(digits) && decimalComma.test(after)) return "it has a decimal comma; give decimal=";
  if (digits.includes(".") && /^[+-]\d{3}(?![\d.])/.test(after)) return "its exponent has no letter";
  if (digits.includes(".") && /^\.\d/.test(after)) return "it has two decimal points";
  return /^[+-]?0$/.test(digits) && hexadecimal.test(after) ? "it is hexadecimal" : undefined;
}

function startAt(text: string): string {
  return text.replace(outside, "");
}

function scanPlain(text: string): Omit<NumberInText, "start"> | undefined {
  const [all, mantissa = "", ...powers] = number.exec(text) ?? [];
  if (all === undefined) return undefined;
  const power = powers.find((each) => each !== undefined);
  const digits = mantissa.endsWith(".") ? mantissa.slice(0, -1) : mantissa;
  return { digits: power === undefined ? digits : `${digits}e${power}`, end: all.length };
}

/** A lone comma is a decimal point, and a minus sign of typography one of ASCII. */
function withPoint(written: string): string {
  const text = written.includes("\u2212") ? written.replaceAll(/(?<![\d.])\u2212(?=\.?\d)/g, "-") : written;
  const at = text.indexOf(",");
  return at >= 0 && !text.includes(".") && !text.includes(",", at + 1)
    ? `${text.slice(0, at)}.${text.slice(at + 1)}`
    : text;
}
