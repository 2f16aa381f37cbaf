import {
  badValue,
  InvalidValue,
  readFloat,
  readInteger,
  readValue,
  scanDuration,
  conversion,
  convert,
  convertInteger,
  formatUnit,
  parseUnit,
  type Conversion,
  parseValue,
  type Value,
} from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** An exponent is never a unit: `1e400` is a number that is too large. */
const numberWithUnit = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?![eE][+-]?\d)([^\d\s.].*)$/;
const unchanged: Conversion = { times: 1, over: 1 };

/** A number as written, and its conversion to the unit of the variable. */
interface Measured {
  readonly number: number;
  readonly factor: Conversion;
}

/**
 * Parses an input value to store: `42`, or with a unit of the same dimension, `1KiByte`, which is converted to that of
 * the variable. Fails with `bad-content`, `unknown-unit` or `unit-mismatch`.
 */
export function parseInputValue(text: string, variable: Variable): Exclude<Value, null> {
  const measured = readMeasured(text, variable);
  if (measured === undefined) return amountOfTime(text, variable) ?? parseValue(text, variable);
  return variable.type === "integer" ? parseWhole(text, measured, variable) : convert(measured.number, measured.factor);
}

/** Like `parseInputValue`, for a value to compare with: integers may become fractions in the variable's unit. */
export function parseBound(text: string, variable: Variable): Exclude<Value, null> {
  const measured = readMeasured(text, variable);
  if (measured === undefined) return amountOfTime(text, variable) ?? parseValue(text, variable);
  const { number, factor } = measured;
  return (variable.type === "integer" ? convertInteger(number, factor) : undefined) ?? convert(number, factor);
}

/** The seconds of `1 h`, `90s` or `5 min 3 s` for a duration; undefined: the text has another notation. */
function amountOfTime(text: string, { type }: Variable): number | undefined {
  if (type !== "duration" || !(readValue(text, type) instanceof InvalidValue)) return undefined;
  const amount = scanDuration(text);
  return amount instanceof InvalidValue || amount.end < text.length ? undefined : amount.seconds;
}

/** undefined: the text has no unit. */
function readMeasured(text: string, variable: Variable): Measured | undefined {
  const { type, unit } = variable;
  if (unit === undefined || (type !== "integer" && type !== "float")) return undefined;
  const plain = readFloat(text);
  if (!(plain instanceof InvalidValue))
    return isWholeInPowers(text, plain, type) ? { number: plain, factor: unchanged } : undefined;
  const [, number, suffix] = numberWithUnit.exec(text) ?? [];
  if (number === undefined || suffix === undefined) return undefined;
  return {
    number: Number(parseValue(number, { ...variable, type: "float" })),
    factor: conversion(parseUnit(suffix), unit),
  };
}

/** `1e3` for an integer: not only digits, but still an integer. */
function isWholeInPowers(text: string, value: number, type: "integer" | "float"): boolean {
  return type === "integer" && Number.isSafeInteger(value) && readInteger(text) instanceof InvalidValue;
}

function parseWhole(text: string, { number, factor }: Measured, variable: Variable): Exclude<Value, null> {
  const whole = convertInteger(number, factor);
  const value = Number.isSafeInteger(whole) ? readInteger(String(whole), variable.size) : undefined;
  if (value !== undefined && !(value instanceof InvalidValue)) return value;
  const problem =
    whole === undefined
      ? `it is not an integer number of ${formatUnit(variable.unit)}`
      : (value?.problem ?? "it is too large to be converted exactly");
  throw badValue(text, variable, problem);
}
