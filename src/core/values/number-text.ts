import { InvalidValue } from "./invalid-value.ts";

/** How numbers are written in a text. */
export interface NumberSyntax {
  /** The decimal sign; default: a point. */
  readonly decimal?: "." | ",";
  /** Separator of groups of three digits; default: none. A no-break space stands for every such space. */
  readonly thousands?: string;
}

/** A number at the beginning of a text. `digits` are in the notation of `readFloat`; `end` is the offset after it. */
export interface ScannedNumber {
  readonly digits: string;
  readonly end: number;
}

/** Signs that may separate groups of digits. */
export const thousandsSigns: readonly string[] = [",", ".", "'", "\u2019", "_", " ", "\u00a0"];

/** The no-break spaces between digits: wide, narrow and thin. */
export const noBreakSpaces = "\u00a0\u202f\u2009";

type NumberScanner = (text: string) => ScannedNumber | undefined;

const scanners = new Map<string, NumberScanner>();

/** Returns the reader of numbers at the beginning of a text; it returns undefined if there is none. */
export function numberScanner({ decimal = ".", thousands }: NumberSyntax): NumberScanner {
  const key = `${decimal}${thousands ?? ""}`;
  const known = scanners.get(key) ?? scannerOf(decimal, thousands);
  scanners.set(key, known);
  return known;
}

function scannerOf(decimal: string, thousands: string | undefined): NumberScanner {
  const sign = thousands === undefined ? undefined : thousands === "\u00a0" ? `[${noBreakSpaces}]` : `[${thousands}]`;
  const point = `\\${decimal}`;
  const whole = sign === undefined ? "\\d+" : `\\d{1,3}(?:${sign}\\d{3})+(?!\\d)|\\d+`;
  const exponent = "[eE][+-]?\\d+";
  const pattern = new RegExp(
    `^([+-]?)(?:(${whole})${point}(\\d*)(?:[eEdD]([+-]?\\d+))?|${point}(\\d+)(?:[eEdD]([+-]?\\d+))?|` +
      `(${whole})(${exponent}|[dD][+-]\\d+)?)`,
  );
  const more = new RegExp(sign === undefined ? `^${point}\\d` : `^(?:${thousands === " " ? "" : sign}\\d|${point}\\d)`);
  const separators = sign === undefined ? undefined : new RegExp(sign, "g");
  return (text) => {
    const match = pattern.exec(text);
    if (!match || more.test(text.slice(match[0].length))) return undefined;
    const [all, minus = "", first, fraction, power, bare, barePower, integer, integerPower] = match;
    const digits = (first ?? integer ?? "").replaceAll(separators ?? /$^/g, "");
    const exponents = power ?? barePower ?? integerPower?.slice(1);
    const decimals = fraction ?? bare;
    const written = `${minus}${digits}${decimals === undefined ? "" : `.${decimals}`}`;
    return { digits: exponents === undefined ? written : `${written}e${exponents}`, end: all.length };
  };
}

const locales: Readonly<Record<string, Required<NumberSyntax>>> = {
  en: { decimal: ".", thousands: "," },
  de: { decimal: ",", thousands: "." },
  es: { decimal: ",", thousands: "." },
  it: { decimal: ",", thousands: "." },
  nl: { decimal: ",", thousands: "." },
  pt: { decimal: ",", thousands: "." },
  da: { decimal: ",", thousands: "." },
  tr: { decimal: ",", thousands: "." },
  fr: { decimal: ",", thousands: "\u00a0" },
  cs: { decimal: ",", thousands: "\u00a0" },
  fi: { decimal: ",", thousands: "\u00a0" },
  nb: { decimal: ",", thousands: "\u00a0" },
  pl: { decimal: ",", thousands: "\u00a0" },
  ru: { decimal: ",", thousands: "\u00a0" },
  sv: { decimal: ",", thousands: "\u00a0" },
  "de-CH": { decimal: ".", thousands: "\u2019" },
};

/** The names of `numberSyntaxOf`. */
export const localeNames: readonly string[] = Object.keys(locales);

/** How a language writes numbers; undefined for other languages. */
export function numberSyntaxOf(locale: string): Required<NumberSyntax> | undefined {
  return Object.hasOwn(locales, locale) ? locales[locale] : undefined;
}

/** Why the signs cannot be used together; undefined if they can. */
export function syntaxProblem({ decimal = ".", thousands }: NumberSyntax): InvalidValue | undefined {
  return decimal === thousands ? new InvalidValue("decimal and thousands are the same sign") : undefined;
}
