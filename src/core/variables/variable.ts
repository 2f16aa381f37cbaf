import { InvalidValue } from "../values/invalid-value.ts";
import type { Unit } from "../values/unit.ts";
import { readValue, type DataType, type Value } from "../values/value.ts";

/** A measured quantity (result) or a condition it was measured under (parameter). */
export interface Variable {
  readonly name: string;
  readonly role: "parameter" | "result";
  /** once: one content per run. multiple: a column of the run's data sets. */
  readonly occurrence: "once" | "multiple";
  readonly type: DataType;
  /** Size in bytes for integers (2, 4, 8); absent means 8. */
  readonly size?: 2 | 4 | 8;
  /** Characters that a string or text may have; absent: any number. perfbase's strings have 256. */
  readonly longest?: number;
  readonly unit?: Unit;
  /** undefined: content is mandatory; null: content may be missing; otherwise the content used when it is missing. */
  readonly default?: Value;
  /** The closed list of allowed contents, when there is one. */
  readonly valid?: readonly Value[];
  readonly synopsis?: string;
  readonly description?: string;
  /** Contents of a type other than integer and float that are numbers all the same (perfbase's `is_numeric`). */
  readonly numeric?: true;
  /** For results: which direction is an improvement. */
  readonly better?: "lower" | "higher";
}

/** Types whose contents are counted or measured: numbers, with units that are converted. */
export function hasUnits(type: DataType): boolean {
  return type === "integer" || type === "float";
}

/** Durations may name a unit, too, as perfbase's do; their contents are seconds all the same. */
export function mayHaveUnit(type: DataType): boolean {
  return hasUnits(type) || type === "duration";
}

/**
 * What a text means as content of the variable; like `readValue`, but not longer than it may be. Characters are code
 * points.
 */
export function readVariableValue(
  text: string,
  variable: Pick<Variable, "type" | "size" | "longest">,
): Exclude<Value, null> | InvalidValue {
  const { longest = Infinity } = variable;
  if (text.length > longest && Array.from(text).length > longest)
    return new InvalidValue(`it is longer than ${longest} characters`);
  return readValue(text, variable.type, variable.size);
}

/** Variables that one experiment may have; PostgreSQL's tables have room for little more. */
export const mostVariables = 1000;

/** The longest name of a variable, an experiment or a run's label. */
const longestName = 128;

/**
 * Letters of any script, digits, `_`, `.` and `-`; begins with a letter or `_`, so that a name is never a number or an
 * option.
 */
export function isName(text: string): boolean {
  return text.length <= longestName && /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(text);
}

/** The variable of that name, compared without regard to case. */
export function findVariable(variables: readonly Variable[], name: string): Variable | undefined {
  const wanted = name.toLowerCase();
  return variables.find((variable) => variable.name.toLowerCase() === wanted);
}
