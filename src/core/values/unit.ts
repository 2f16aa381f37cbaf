import { Failure, isFailure } from "../failures/index.ts";
import { nearest } from "../text/index.ts";
import { baseOf, findPrefixed, prefixOf, unitNames } from "./base-units.ts";

/** A base unit with a prefix and an exponent: `KiByte` is `{ base: "Byte", prefix: "Ki", exponent: 1 }`. */
export interface UnitFactor {
  readonly base: string;
  readonly prefix: string;
  readonly exponent: number;
}

/** A product of powers of (prefixed) base units; no factors means dimensionless. Printed as `MiByte/s`, `1/s`. */
export interface Unit {
  readonly factors: readonly UnitFactor[];
}

const dimensionless: Unit = { factors: [] };

/** Converts numbers of one unit to another: `value * times / over`, exact if one of the two is 1. */
export interface Conversion {
  readonly times: number;
  readonly over: number;
}

/** Larger exponents would overflow the factors. */
const largestExponent = 9;
const longestUnit = 200;

/**
 * Reads `MiByte/s`, `1/s`, `Byte/(s*process)`, `m^2`; an empty text, `1` and `none` are dimensionless.
 * Fails with `unknown-unit`.
 */
export function parseUnit(text: string): Unit {
  return readUnit(text, (word) => nearest(word.slice(0, 40), unitNames()).join(", "));
}

/** Like `parseUnit`; undefined if the text is no unit. */
export function findUnit(text: string): Unit | undefined {
  try {
    return readUnit(text, () => "");
  } catch (error) {
    if (isFailure(error, "unknown-unit")) return undefined;
    throw error;
  }
}

/** `suggest`: units with names like a word; comparing it with all of them takes a hundred times as long as reading. */
function readUnit(text: string, suggest: Reader["suggest"]): Unit {
  const trimmed = text.trim();
  if (trimmed === "") return dimensionless;
  if (trimmed.length > longestUnit)
    throw unknownUnit({ suggest }, trimmed.slice(0, 40), "the text is too long for a unit");
  const words = trimmed.match(/[*/()]|\^\s*[+-]?\d+|[^*/()^\s]+|\S/g) ?? [];
  const reader = { words, at: 0, text: trimmed, suggest };
  const unit = readProduct(reader, 0);
  if (reader.at < words.length) throw unknownUnit(reader, trimmed, `'${words[reader.at]}' is not expected there`);
  return unit;
}

interface Reader {
  readonly words: readonly string[];
  at: number;
  readonly text: string;
  readonly suggest: (word: string) => string;
}

function readProduct(reader: Reader, depth: number): Unit {
  let unit = readPower(reader, depth);
  for (;;) {
    const operator = reader.words[reader.at];
    if (operator !== "*" && operator !== "/") return unit;
    reader.at += 1;
    const next = readPower(reader, depth);
    unit = operator === "*" ? multiply(unit, next) : divide(unit, next);
  }
}

function readPower(reader: Reader, depth: number): Unit {
  const word = reader.words[reader.at];
  reader.at += 1;
  if (word === undefined) throw unknownUnit(reader, reader.text, "it ends where a unit should follow");
  const unit = word === "(" ? readGroup(reader, depth) : readWord(word, reader);
  const exponent = reader.words[reader.at];
  if (!exponent?.startsWith("^") || exponent.length === 1) return unit;
  reader.at += 1;
  return power(unit, Number(exponent.slice(1)));
}

function readGroup(reader: Reader, depth: number): Unit {
  if (depth > 20) throw unknownUnit(reader, reader.text, "its parentheses are nested too deep");
  const unit = readProduct(reader, depth + 1);
  if (reader.words[reader.at] !== ")") throw unknownUnit(reader, reader.text, "a closing parenthesis is missing");
  reader.at += 1;
  return unit;
}

function readWord(word: string, reader: Reader): Unit {
  if (word === "1") return dimensionless;
  const rate = rateOf(word);
  if (rate) return divide(readWord(rate, reader), readWord("s", reader));
  const found = findPrefixed(word);
  if (!found)
    throw unknownUnit(reader, word, word === reader.text ? "no such unit" : `no such unit, in '${reader.text}'`);
  if (found.base.name === "none") return dimensionless;
  return { factors: [{ base: found.base.name, prefix: found.prefix, exponent: 1 }] };
}

/** The unit per second of `GFLOPS`, `Mbps` (bits) and `MBps` (bytes). */
function rateOf(word: string): string | undefined {
  const match = /^([KMGTPkmunp]i?)?(?:(flops)|([bB])ps)$/.exec(word.replace(/flops$/i, "flops"));
  if (!match) return undefined;
  return `${match[1] ?? ""}${match[2] ? "FlOP" : match[3] === "b" ? "bit" : "Byte"}`;
}

function unknownUnit({ suggest }: Pick<Reader, "suggest">, word: string, problem: string): Failure {
  return new Failure("unknown-unit", { unit: word, problem, near: suggest(word) });
}

/** `MiByte/s`; "1/s" without a numerator; "" if dimensionless. */
export function formatUnit(unit: Unit | undefined): string {
  const factors = unit?.factors ?? [];
  const above = factors.filter((factor) => factor.exponent > 0).map(formatFactor);
  const below = factors
    .filter((factor) => factor.exponent < 0)
    .map((factor) => formatFactor({ ...factor, exponent: -factor.exponent }));
  if (above.length === 0 && below.length === 0) return "";
  return [above.join("*") || "1", ...below].join("/");
}

function formatFactor(factor: UnitFactor): string {
  return `${factor.prefix}${factor.base}${factor.exponent === 1 ? "" : `^${factor.exponent}`}`;
}

export function multiply(a: Unit, b: Unit): Unit {
  return normal([...a.factors, ...b.factors]);
}

export function divide(a: Unit, b: Unit): Unit {
  return multiply(a, power(b, -1));
}

/** Fails with `unknown-unit` when an exponent leaves -9..9. */
export function power(unit: Unit, exponent: number): Unit {
  return normal(unit.factors.map((factor) => ({ ...factor, exponent: factor.exponent * exponent })));
}

/** Canonical form: equal factors combined, cancelled ones dropped, numerators first. */
function normal(factors: readonly UnitFactor[]): Unit {
  const joined = new Map<string, UnitFactor>();
  for (const factor of factors) {
    const key = `${factor.prefix} ${factor.base}`;
    joined.set(key, { ...factor, exponent: factor.exponent + (joined.get(key)?.exponent ?? 0) });
  }
  const kept = [...joined.values()].filter((factor) => factor.exponent !== 0);
  const unit = {
    factors: [...kept.filter((factor) => factor.exponent > 0), ...kept.filter((factor) => factor.exponent < 0)],
  };
  if (kept.some((factor) => Math.abs(factor.exponent) > largestExponent))
    throw unknownUnit({ suggest: () => "" }, formatUnit(unit), "an exponent is out of range");
  return unit;
}

/** True when numbers of one unit can be converted to the other. */
export function sameDimension(a: Unit | undefined, b: Unit | undefined): boolean {
  return a === b || dimensionKey(a) === dimensionKey(b);
}

const dimensionKeys = new WeakMap<Unit, string>();

function dimensionKey(unit: Unit | undefined): string {
  if (!unit) return "";
  const known = dimensionKeys.get(unit);
  if (known !== undefined) return known;
  const key = newDimensionKey(unit);
  dimensionKeys.set(unit, key);
  return key;
}

function newDimensionKey(unit: Unit): string {
  const sum = new Map<string, number>();
  for (const factor of unit.factors) {
    for (const [name, exponent] of Object.entries(baseOf(factor.base).dimension)) {
      sum.set(name, (sum.get(name) ?? 0) + exponent * factor.exponent);
    }
  }
  return [...sum]
    .filter(([, exponent]) => exponent !== 0)
    .map(([name, exponent]) => `${name}^${exponent}`)
    .sort()
    .join(" ");
}

/** Fails with `unit-mismatch` if the units have different dimensions. */
export function conversion(from: Unit | undefined, to: Unit | undefined): Conversion {
  if (!sameDimension(from, to)) {
    throw new Failure("unit-mismatch", { from: formatUnit(from) || "no unit", to: formatUnit(to) || "no unit" });
  }
  const [a, b] = [size(from), size(to)];
  return reduced(a.times * b.over, a.over * b.times);
}

/** The factor from `from` to `to`; less exact than `conversion`. Fails with `unit-mismatch`. */
export function convertFactor(from: Unit | undefined, to: Unit | undefined): number {
  const { times, over } = conversion(from, to);
  return times / over;
}

export function convert(value: number, { times, over }: Conversion): number {
  return over === 1 ? value * times : (value * times) / over;
}

/** Relative tolerance for integers from decimal fractions: 2.01 GByte are 2010000000 Byte. */
const rounding = 4 * Number.EPSILON;

/** `value` in the other unit if it is an integer there, else undefined. Integers are compared without tolerance. */
export function convertInteger(value: number, factor: Conversion): number | undefined {
  const product = value * factor.times;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(product))
    return product % factor.over === 0 ? product / factor.over + 0 : undefined;
  const converted = convert(value, factor);
  const near = Math.round(converted);
  return Math.abs(converted - near) <= rounding * Math.abs(near) ? near + 0 : undefined;
}

function size(unit: Unit | undefined): Conversion {
  let [times, over] = [1, 1];
  for (const factor of unit?.factors ?? []) {
    const [base, prefix] = [baseOf(factor.base), prefixOf(factor.prefix)];
    const up = (base.times * prefix.times) ** Math.abs(factor.exponent);
    const down = (base.over * prefix.over) ** Math.abs(factor.exponent);
    [times, over] = factor.exponent > 0 ? [times * up, over * down] : [times * down, over * up];
  }
  return { times, over };
}

function reduced(times: number, over: number): Conversion {
  if (times >= over && times % over === 0) return { times: times / over, over: 1 };
  if (over % times === 0) return { times: 1, over: over / times };
  return { times, over };
}
