import { Failure } from "../../core/failures/failure.ts";
import { Misfit } from "../../core/values/invalid-value.ts";
import { readFloat, readInteger } from "../../core/values/parse-number.ts";
import { conversion, convert, convertWhole, formatUnit, parseUnit, type Conversion } from "../../core/values/unit.ts";
import { parseValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/** An exponent is never taken for a unit: `1e400` is a number that is too large. */
const numberWithUnit = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?![eE][+-]?\d)([^\d\s.].*)$/;
const asItStands: Conversion = { times: 1, over: 1 };

/** A number as a user writes it, and what makes it one of the variable's unit. */
interface Measured {
  readonly number: number;
  readonly factor: Conversion;
}

/**
 * A content that a user writes to be stored: `42`, or with a unit of the same kind, `1KiByte`, which is converted to
 * the variable's. Fails with `bad-content`, `unknown-unit` or `unit-mismatch`.
 */
export function parseContent(text: string, variable: Variable): Exclude<Value, null> {
  const measured = readMeasured(text, variable);
  if (measured === undefined) return parseValue(text, variable);
  return variable.type === "integer" ? parseWhole(text, measured, variable) : convert(measured.number, measured.factor);
}

/**
 * Like `parseContent`, for a content to compare with: in the variable's unit it may be a fraction of a whole number.
 */
export function parseBound(text: string, variable: Variable): Exclude<Value, null> {
  const measured = readMeasured(text, variable);
  if (measured === undefined) return parseValue(text, variable);
  const { number, factor } = measured;
  return (variable.type === "integer" ? convertWhole(number, factor) : undefined) ?? convert(number, factor);
}

/** undefined: the text is read as it stands, without a unit. */
function readMeasured(text: string, variable: Variable): Measured | undefined {
  const { type, unit } = variable;
  if (unit === undefined || (type !== "integer" && type !== "float")) return undefined;
  const plain = readFloat(text);
  if (!(plain instanceof Misfit))
    return isWholeInPowers(text, plain, type) ? { number: plain, factor: asItStands } : undefined;
  const [, number, suffix] = numberWithUnit.exec(text) ?? [];
  if (number === undefined || suffix === undefined) return undefined;
  return {
    number: Number(parseValue(number, { ...variable, type: "float" })),
    factor: conversion(parseUnit(suffix), unit),
  };
}

/** `1e3` for an integer: no digits alone, but a whole number nevertheless. */
function isWholeInPowers(text: string, value: number, type: "integer" | "float"): boolean {
  return type === "integer" && Number.isSafeInteger(value) && readInteger(text) instanceof Misfit;
}

function parseWhole(text: string, { number, factor }: Measured, variable: Variable): Exclude<Value, null> {
  const whole = convertWhole(number, factor);
  const value = Number.isSafeInteger(whole) ? readInteger(String(whole), variable.size) : undefined;
  if (value !== undefined && !(value instanceof Misfit)) return value;
  const problem =
    whole === undefined
      ? `it is no whole number of ${formatUnit(variable.unit)}`
      : (value?.problem ?? "it is too large to be converted exactly");
  throw new Failure("bad-content", {
    value: text.slice(0, 80),
    variable: variable.name,
    type: variable.type,
    problem,
  });
}
