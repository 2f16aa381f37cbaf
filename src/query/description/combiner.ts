import type { CombinerElement } from "../../core/experiments/query-description.ts";
import { chronologyOf } from "./operators/matching.ts";
import { refuse } from "./operators/operator.ts";
import { appended } from "./operators/union.ts";
import { pickRows, type FilterLabel, type Vector, type VectorColumn } from "./vector.ts";

/** Puts vectors side by side (merge: row by row, as long as the shortest) or one below the other (append). */
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

/** Columns say which input they are from. A parameter that several inputs have comes once, unless all are asked for. */
function merged(element: CombinerElement, inputs: readonly Vector[]): Vector {
  const [first] = inputs;
  if (first === undefined) throw refuse(element, "it has no input");
  const length = Math.min(...inputs.map((input) => input.length));
  const rows = Array.from({ length }, (_, row) => row);
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
    chronology: chronologyOf(inputs),
    length,
    labels: distinctLabels(inputs.flatMap((input) => input.labels)),
  };
}

interface MergedColumn extends VectorColumn {
  /** The name that the variable had in its input. */
  readonly source: string;
}

/** Without an input to tell apart from others the names stay as they are. */
function mergedColumn(
  { variable, display, column, places }: VectorColumn,
  input: Vector | undefined,
  at: number,
  rows: readonly number[],
): MergedColumn {
  const kept = { column: pickRows(column, rows), source: variable.name, ...(places ? { places } : {}) };
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
