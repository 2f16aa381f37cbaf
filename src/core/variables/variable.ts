import { InvalidValue, type Unit, readValue, type DataType, type Value } from "../values/index.ts";

/** A measured quantity (result) or a condition it was measured under (parameter). */
export interface Variable {
  readonly name: string;
  readonly role: "parameter" | "result";
  /** once: one value per run. multiple: a column of the run's rows. */
  readonly occurrence: "once" | "multiple";
  readonly type: DataType;
  /** Size in bytes for integers (2, 4, 8); absent means 8. */
  readonly size?: 2 | 4 | 8;
  /** Maximum characters of a string or text; absent: unlimited. perfbase's strings have 256. */
  readonly longest?: number;
  readonly unit?: Unit;
  /** undefined: a value is mandatory; null: it may be missing; otherwise the value used if it is missing. */
  readonly default?: Value;
  /** The allowed values, if restricted. */
  readonly valid?: readonly Value[];
  readonly synopsis?: string;
  readonly description?: string;
  /** Values of a type other than integer and float are numbers (perfbase's `is_numeric`). */
  readonly numeric?: true;
  /** For results: which direction is an improvement. */
  readonly better?: "lower" | "higher";
}

/** Types whose values are numbers with convertible units. */
export function hasUnits(type: DataType): boolean {
  return type === "integer" || type === "float";
}

/** Like `hasUnits`; durations may also have a unit, as in perfbase, but their values are in seconds. */
export function mayHaveUnit(type: DataType): boolean {
  return hasUnits(type) || type === "duration";
}

/** Like `readValue`, for a variable with its maximum length. Characters are code points. */
export function readVariableValue(
  text: string,
  variable: Pick<Variable, "type" | "size" | "longest">,
): Exclude<Value, null> | InvalidValue {
  const { longest = Infinity } = variable;
  if (text.length > longest && Array.from(text).length > longest)
    return new InvalidValue(`it is longer than ${longest} characters`);
  return readValue(text, variable.type, variable.size);
}

/** Maximum variables of an experiment; PostgreSQL's tables allow little more. */
export const mostVariables = 1000;

/** Maximum length of the name of a variable or experiment, or of a run's label. */
const longestName = 128;

/**
 * Names have letters of any script, digits, `_`, `.` and `-`, and start with a letter or `_`: never a number or option.
 */
export function isName(text: string): boolean {
  return text.length <= longestName && /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(text);
}

/** The variable of that name, compared case-insensitively. */
export function findVariable(variables: readonly Variable[], name: string): Variable | undefined {
  const wanted = name.toLowerCase();
  return variables.find((variable) => variable.name.toLowerCase() === wanted);
}
