import { isPlain, pickRows, concatTables, numberColumn, columnKind } from "../../../core/tables/index.ts";
import type { CombinerElement } from "../../../core/experiments/index.ts";
import { formatUnit, type Conversion } from "../../../core/values/index.ts";
import { allRows } from "../groups.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import { valueOf, type Vector, type VectorColumn, type FilterLabel } from "../vector.ts";
import { mergedChronology, sharedFilterLabels } from "./matching.ts";
import { refuse, takesOnly, type Operator } from "./operator.ts";
import { conversionTo, converted, staysWhole } from "./quantity.ts";

/** Concatenates the rows of all inputs. */
export const union: Operator = {
  name: "null",
  apply(element, inputs, { compat }) {
    takesOnly(element, []);
    return { ...appended(element, inputs, compat), from: "operator" };
  },
};

/**
 * Concatenates vectors with the same columns, in the units and with the names of the first; labels are those that all
 * share (perfbase: those of the first).
 */
export function appended(element: { readonly id: string }, inputs: readonly Vector[], compat?: "perfbase"): Vector {
  const [first] = inputs;
  if (first === undefined) throw refuse(element, "it has no input");
  const aligned = inputs.map((input) => ({
    length: input.length,
    columns: alignedColumns(element, first, input, compat),
  }));
  const variables = first.columns.map(({ variable }, at) =>
    joinedVariable(
      variable,
      aligned.map(({ columns }) => columns[at]?.variable),
    ),
  );
  const { columns, length } = concatTables(
    aligned.map((each) => ({ variables, columns: each.columns.map(({ column }) => column), length: each.length })),
  );
  return {
    ...first,
    origin: element.id,
    columns: first.columns.map((column, at): VectorColumn => {
      const joined = columns[at];
      return joined && isPlain(joined)
        ? { ...column, variable: variables[at] ?? column.variable, column: joined }
        : column;
    }),
    runs: Int32Array.from(inputs.flatMap((input) => [...input.runs])),
    chronology: mergedChronology(inputs),
    length,
    labels: compat === "perfbase" ? first.labels : sharedFilterLabels(inputs),
  };
}

/** Integers combined with floats are floats. */
function joinedVariable(variable: Variable, others: readonly (Variable | undefined)[]): Variable {
  return variable.type === "integer" && others.some((other) => other?.type === "float")
    ? { ...variable, type: "float" }
    : variable;
}

function alignedColumns(
  element: { readonly id: string },
  first: Vector,
  other: Vector,
  compat?: "perfbase",
): readonly VectorColumn[] {
  if (first === other) return first.columns;
  if (first.columns.length !== other.columns.length) {
    const columns = (vector: Vector): string => vector.columns.map((column) => column.display).join(", ");
    throw refuse(
      element,
      `'${first.origin}' has the columns ${columns(first)}, '${other.origin}' ${columns(other)}`,
      "combine inputs with the same columns",
    );
  }
  return first.columns.map((column, at) => {
    const counterpart = other.columns[at];
    if (
      counterpart === undefined ||
      counterpart.variable.role !== column.variable.role ||
      !areAlike(column.variable, counterpart.variable)
    )
      throw refuse(
        element,
        `'${column.display}' of '${first.origin}' and '${counterpart?.display}' of '${other.origin}' ` +
          "have different roles or types",
      );
    return inUnitOf(column, counterpart, other.length, compat);
  });
}

function areAlike(a: Variable, b: Variable): boolean {
  if (a.type === b.type || (hasUnits(a.type) && hasUnits(b.type))) return true;
  return columnKind(a.type) === "text" && columnKind(b.type) === "text" && a.type !== "version" && b.type !== "version";
}

function inUnitOf(
  first: VectorColumn,
  other: VectorColumn,
  length: number,
  compat: "perfbase" | undefined,
): VectorColumn {
  if (formatUnit(first.variable.unit) === formatUnit(other.variable.unit)) return other;
  return inUnit(other, conversionTo(first, other, compat), length);
}

function inUnit(column: VectorColumn, factor: Conversion, length: number): VectorColumn {
  const values = Array.from({ length }, (_, row) => {
    const value = valueOf(column, row);
    return typeof value === "number" || typeof value === "bigint" ? converted(value, factor) : value;
  });
  const type = column.variable.type === "integer" && !staysWhole(factor) ? "float" : column.variable.type;
  return { ...column, variable: { ...column.variable, type }, column: numberColumn(values) };
}

/** Combines vectors: side by side (merge: by row number, as long as the shortest) or concatenated (append). */
export function combine(element: CombinerElement, inputs: readonly Vector[], compat?: "perfbase"): Vector {
  const stripped = inputs.map((input) => ({
    ...input,
    columns: input.columns.filter((column) => !isOmitted(element, input, column)),
  }));
  const combined = element.datasets === "append" ? appended(element, stripped, compat) : merged(element, stripped);
  const columns = element.mkparam === true ? firstResultAsParameter(combined.columns) : combined.columns;
  const labels = combined.labels.filter((label) => label.common !== true);
  return { ...combined, columns, labels, origin: element.id, from: "combiner" };
}

function isOmitted({ omit, parameters }: CombinerElement, input: Vector, { variable, display }: VectorColumn): boolean {
  if (parameters === "none" && variable.role === "parameter") return true;
  const origin = input.origin.replace(/~.*$/, "");
  return omit.some(
    (each) =>
      (each.input === undefined || each.input === origin) && (each.name === variable.name || each.name === display),
  );
}

/** Column names contain their input. A parameter of several inputs occurs once, unless all are requested. */
function merged(element: CombinerElement, inputs: readonly Vector[]): Vector {
  const [first] = inputs;
  if (first === undefined) throw refuse(element, "it has no input");
  const length = Math.min(...inputs.map((input) => input.length));
  const rows = allRows(length);
  const isOnly = inputs.length === 1;
  const columns = inputs.flatMap((input, at) =>
    input.columns.map((column) => mergedColumn(column, isOnly ? undefined : input, at, rows)),
  );
  const parameters = columns.filter(({ variable }) => variable.role === "parameter");
  const kept = element.parameters === "all" ? parameters : firstOfEach(parameters);
  return {
    ...first,
    columns: [
      ...kept.map(({ source: _, ...column }) => column),
      ...columns.filter(({ variable }) => variable.role === "result").map(({ source: _, ...column }) => column),
    ],
    runs: new Int32Array(length).fill(-1),
    chronology: mergedChronology(inputs),
    length,
    labels: distinctLabels(inputs.flatMap((input) => input.labels)),
  };
}

interface MergedColumn extends VectorColumn {
  /** The name of the variable in its input. */
  readonly source: string;
}

/** Names of a single input stay. */
function mergedColumn(
  { variable, display, column, positions }: VectorColumn,
  input: Vector | undefined,
  at: number,
  rows: Int32Array,
): MergedColumn {
  const kept = { column: pickRows(column, rows), source: variable.name, ...(positions ? { positions } : {}) };
  if (input === undefined) return { ...kept, variable, display };
  const name = variable.role === "result" ? `${variable.name}_${at}` : variable.name;
  return { ...kept, variable: { ...variable, name }, display: `${display}|${input.origin}` };
}

function firstOfEach(columns: readonly MergedColumn[]): MergedColumn[] {
  return columns.filter((column, at) => columns.findIndex((each) => each.source === column.source) === at);
}

function distinctLabels(labels: readonly FilterLabel[]): FilterLabel[] {
  return labels.filter((label, at) => labels.findIndex((each) => each.text === label.text) === at);
}

function firstResultAsParameter(columns: readonly VectorColumn[]): VectorColumn[] {
  const first = columns.find(({ variable }) => variable.role === "result");
  return columns.map((column) =>
    column === first ? { ...column, variable: { ...column.variable, role: "parameter" } } : column,
  );
}
