import { Failure } from "../failures/index.ts";
import { variableOf, variablesOf, type Experiment } from "./experiment.ts";
import {
  constantColumn,
  valueAt,
  type Column,
  type NumberColumn,
  type Table,
  type TextColumn,
} from "../tables/index.ts";
import {
  badValue,
  conversion,
  convert,
  convertInteger,
  formatUnit,
  sameDimension,
  type Conversion,
  formatValue,
  type Value,
  type Values,
} from "../values/index.ts";
import type { Variable } from "../variables/index.ts";

/** Handling of missing values without default: refuse the input, or store null. */
export type Absence = "refuse" | "null";

/**
 * The once values of a run, conformed to the experiment: every once variable, in its order and spelling, with defaults.
 * Missing values are not checked. Fails with `unknown-variable`, `content-not-allowed` or `content-too-long`.
 */
export function conformOnce(values: Values, experiment: Experiment): Values {
  const given = new Map([...values].map(([name, value]) => [variableOf(experiment, name).name, value]));
  const conformed = new Map<string, Value>();
  for (const variable of variablesOf(experiment, "once")) {
    const filled = given.get(variable.name) ?? variable.default ?? null;
    if (filled !== null) checkAllowed(filled, variable);
    conformed.set(variable.name, filled === 0 ? 0 : filled);
  }
  return conformed;
}

/** The allowed values, which `conformOnce` accepts. Fails with `unknown-variable`. */
export function allowedOnce(values: Values, experiment: Experiment): Values {
  return new Map(
    [...values].filter(([name, value]) => value === null || refusal(value, variableOf(experiment, name)) === undefined),
  );
}

/**
 * Rows conformed to the experiment: all its `multiple` variables in its order, numbers in its units, defaults for
 * missing cells. A parameter without default must have a value in every row; a result may be missing. Fails with
 * `unknown-variable`, `unit-mismatch`, `missing-content` or `content-not-allowed`.
 */
export function conformTable(table: Table, experiment: Experiment, missing: Absence = "refuse"): Table {
  const given = new Map(table.variables.map((variable, at) => [variableOf(experiment, variable.name).name, at]));
  const variables = variablesOf(experiment, "multiple");
  const columns = variables.map((variable) => {
    const at = given.get(variable.name);
    const column = at === undefined ? undefined : table.columns[at];
    if (column === undefined || column.kind === "interned")
      return withoutSignedZeros(absentColumn(variable, table.length, missing));
    const converted = convertColumn(column, table.variables[at ?? 0]?.unit, variable);
    return withoutSignedZeros(conformColumn(converted, variable, table.length, missing));
  });
  return { variables, columns, length: table.length };
}

/**
 * Updates of rows, conformed to the experiment: only the given variables, in their order, without defaults. Fails with
 * `unknown-variable`, `unit-mismatch`, `content-not-allowed` or `content-too-long`.
 */
export function conformUpdate(table: Table, experiment: Experiment): Table {
  const variables = table.variables.map(({ name }) => variableOf(experiment, name));
  const columns = table.columns.map((column, at): Column => {
    const variable = variables[at];
    if (column.kind === "interned" || variable === undefined) return column;
    const converted = convertColumn(column, table.variables[at]?.unit, variable);
    checkColumn(converted, variable, table.length);
    return withoutSignedZeros(converted);
  });
  return { variables, columns, length: table.length };
}

/** Zeros lose their sign: databases keep it or not, depending on how they compress the other values. */
function withoutSignedZeros(column: Column): Column {
  if (column.kind !== "number" || !hasSignedZero(column.values)) return column;
  return { ...column, values: column.values.map((value) => value + 0) };
}

/** A loop, because a call for each value takes ten times as long. */
function hasSignedZero(values: Float64Array): boolean {
  for (let at = 0; at < values.length; at++) if (values[at] === 0 && Object.is(values[at], -0)) return true;
  return false;
}

function absentColumn(variable: Variable, length: number, missing: Absence): Column {
  if (length > 0 && isRequired(variable, missing))
    throw new Failure("missing-content", { variable: variable.name, row: 1 });
  return constantColumn(variable, variable.default ?? null, length);
}

function isRequired(variable: Variable, missing: Absence): boolean {
  return missing === "refuse" && variable.role === "parameter" && variable.default === undefined;
}

function convertColumn(
  column: NumberColumn | TextColumn,
  from: Variable["unit"],
  variable: Variable,
): NumberColumn | TextColumn {
  if (column.kind === "text" || !from || !variable.unit) return column;
  if (!sameDimension(from, variable.unit)) {
    throw new Failure("unit-mismatch", {
      variable: variable.name,
      from: formatUnit(from) || "no unit",
      to: formatUnit(variable.unit) || "no unit",
    });
  }
  const factor = conversion(from, variable.unit);
  return factor.times === 1 && factor.over === 1 ? column : scaled(column, factor, variable);
}

function scaled(column: NumberColumn, factor: Conversion, variable: Variable): NumberColumn {
  const values = column.values.map((value, row) => {
    if (column.missing?.[row] === 1) return 0;
    return variable.type === "integer" ? scaledInteger(value, factor, variable) : convert(value, factor);
  });
  return { ...column, values, exact: null };
}

function scaledInteger(value: number, factor: Conversion, variable: Variable): number {
  const whole = convertInteger(value, factor);
  const { size = 8 } = variable;
  const bound = 2 ** (8 * size - 1);
  if (whole !== undefined && whole >= -bound && whole < bound) return whole;
  const unit = formatUnit(variable.unit);
  const problem =
    whole === undefined ? `in ${unit} it is no whole number` : `in ${unit} it does not fit into ${size} bytes`;
  throw badValue(String(convert(value, factor)), variable, problem);
}

function conformColumn(
  column: NumberColumn | TextColumn,
  variable: Variable,
  length: number,
  missing: Absence,
): Column {
  const gap = firstMissing(column, length);
  if (gap >= 0 && isRequired(variable, missing))
    throw new Failure("missing-content", { variable: variable.name, row: gap + 1 });
  const full =
    gap >= 0 && variable.default !== undefined && variable.default !== null ? filled(column, variable, length) : column;
  checkColumn(full, variable, length);
  return full;
}

function firstMissing(column: NumberColumn | TextColumn, length: number): number {
  if (column.kind === "number") return column.missing ? column.missing.subarray(0, length).indexOf(1) : -1;
  return column.codes.subarray(0, length).indexOf(-1);
}

function filled(column: NumberColumn | TextColumn, variable: Variable, length: number): NumberColumn | TextColumn {
  const spare = constantColumn(variable, variable.default ?? null, length);
  if (column.kind === "number" && spare.kind === "number") {
    const exact = new Map([
      ...(column.exact ?? []),
      ...[...(spare.exact ?? [])].filter(([row]) => column.missing?.[row] === 1),
    ]);
    const values = column.values.map((value, row) =>
      column.missing?.[row] === 1 ? (spare.values[row] ?? value) : value,
    );
    return { kind: "number", values, missing: null, exact: exact.size > 0 ? exact : null };
  }
  if (column.kind !== "text" || spare.kind !== "text") return column;
  const dictionary = [...column.dictionary, ...spare.dictionary];
  return { kind: "text", dictionary, codes: column.codes.map((code) => (code < 0 ? column.dictionary.length : code)) };
}

/** Texts are checked once per distinct value, numbers by row. */
function checkColumn(column: NumberColumn | TextColumn, variable: Variable, length: number): void {
  if (!variable.valid && variable.longest === undefined) return;
  if (column.kind === "text") {
    for (const text of column.dictionary) checkAllowed(text, variable);
    return;
  }
  if (!variable.valid) return;
  for (let row = 0; row < length; row++) {
    const value = valueAt(column, row, variable.type);
    if (value !== null) checkAllowed(value, variable);
  }
}

/** Fails with `content-too-long`, or with `content-not-allowed` if the variable restricts its values. */
function checkAllowed(value: Value, variable: Variable): void {
  const refused = refusal(value, variable);
  if (refused !== undefined) throw refused;
}

/** Why a value is not allowed; undefined if it is. */
function refusal(value: Value, variable: Variable): Failure | undefined {
  const tooLong = typeof value === "string" ? lengthRefusal(value, variable) : undefined;
  if (tooLong !== undefined || !variable.valid || variable.valid.includes(value)) return tooLong;
  const text = formatValue(value, variable.type);
  // Different values may have the same text, such as 1 and 1n: perfbase compares texts.
  const valid = variable.valid.map((each) => formatValue(each, variable.type));
  if (valid.includes(text)) return undefined;
  return new Failure("content-not-allowed", {
    variable: variable.name,
    value: text.slice(0, 80),
    valid: valid.join(", "),
  });
}

function lengthRefusal(text: string, { name, longest }: Variable): Failure | undefined {
  if (longest === undefined || text.length <= longest) return undefined;
  let characters = 0;
  for (const _ of text) characters += 1;
  if (characters <= longest) return undefined;
  return new Failure("content-too-long", { variable: name, value: text.slice(0, 40), characters, longest });
}
