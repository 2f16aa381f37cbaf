import { Failure } from "../../core/failures/index.ts";
import { flatText, isList, isObject, JsonNumber, type Json } from "../../core/values/index.ts";
import { tableOf, indexOfVariable, type Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { cellsOf } from "./cells.ts";
import { valuesOf } from "./selected-rows.ts";
import { peakOf, rowsOfOneQuantity, statesBy, isHeapState } from "./quantities.ts";

const stackVariable: Variable = { name: "stack", role: "parameter", occurrence: "multiple", type: "text" };

/**
 * The stacks of a run's rows with the sums of a column, outermost call first, `;` between frames: the input of flame
 * graphs. A frame is `main()~a.c~12`, or a function alone. Ignores freed memory and missing values; rows without a
 * trace are their uid alone. Perun puts the uid before the trace, and repeats equal stacks. Adds only additive values:
 * rows of one quantity (`wanted`: of this subtype), the peak of heap states, and `exclusive` amounts instead of
 * inclusive ones; Perun adds all. Fails with `unknown-column`, `statistic-not-possible`, `several-quantities`,
 * `no-such-subtype`.
 */
export function foldedStacks(data: Table, of: string, isPerun: boolean, wanted?: string): Table {
  const value = valuesOf(data, of);
  const variable = data.variables[indexOfVariable(data, of)]!;
  if (variable.type !== "integer" && variable.type !== "float")
    throw new Failure("statistic-not-possible", { statistic: "sum", variable: of, type: variable.type });
  const [uid, trace, subtype] = [cellsOf(data, "uid"), cellsOf(data, "trace"), cellsOf(data, "subtype")];
  const stacks = new Map<string, string>();
  const sums = new Map<string, number>();
  const each: [string, number][] = [];
  const own = of === "amount" && !isPerun ? exclusiveOf(data) : () => null;
  for (const row of isPerun && wanted === undefined
    ? everyRow(data)
    : rowsToAdd(data, wanted, (each) => Number(value(each)))) {
    const amount = own(row) ?? value(row);
    if (amount === null || subtype.at(row) === "free") continue;
    const key = `${uid.code(row)} ${trace.code(row)}`;
    const stack = stacks.get(key) ?? stackOf(uid.at(row), trace.at(row), isPerun);
    stacks.set(key, stack);
    if (stack === "") continue;
    if (isPerun) each.push([stack, Number(amount)]);
    else sums.set(stack, (sums.get(stack) ?? 0) + Number(amount));
  }
  return tableOf([stackVariable, { ...variable, role: "result" }], isPerun ? each : [...sums]);
}

function everyRow({ length }: Table): Uint32Array {
  return Uint32Array.from({ length }, (_, row) => row);
}

/** Rows with additive amounts; of heap states, those of the peak. */
export function rowsToAdd(data: Table, wanted: string | undefined, amount: (row: number) => number): Uint32Array {
  const rows = rowsOfOneQuantity(data, wanted);
  return isHeapState(data, rows) ? peakOf(data, statesBy(data, rows, "heap"), amount) : rows;
}

/** The self cost of a function where the amount is inclusive, which is so without a trace. */
export function exclusiveOf(data: Table): (row: number) => number | null {
  const column = data.columns[data.variables.findIndex(({ name }) => name === "exclusive")];
  const trace = cellsOf(data, "trace");
  if (column?.kind !== "number") return () => null;
  return (row) => (column.missing?.[row] === 1 || trace.at(row) !== undefined ? null : (column.values[row] ?? null));
}

/** Omits a uid that is in the trace, or that equals the innermost call without its line or module. */
function stackOf(uid: Json | undefined, trace: Json | undefined, isPerun: boolean): string {
  const frames = isList(trace) ? trace : [];
  const calls = frames.map(frameText).toReversed();
  const name = functionOf(frames[0]);
  const isInnermost = name !== undefined && (functionOf(uid) ?? uid) === name;
  const inner = uid === undefined || (isInnermost && !isPerun) ? [] : [frameText(uid)];
  if (isPerun) return [...inner, ...calls].join(";");
  return [...calls, ...inner.filter((frame) => !calls.includes(frame))].join(";");
}

export function functionOf(frame: Json | undefined): Json | undefined {
  return isObject(frame) ? frame.get("function") : undefined;
}

/** Replaces the separators of frames and lines. */
function frameText(frame: Json): string {
  return textOf(frame)
    .replaceAll(";", ",")
    .replaceAll(/[\r\n]+/g, " ");
}

function textOf(frame: Json): string {
  if (!isObject(frame)) return flatText(frame);
  const [name, source, line] = [frame.get("function"), frame.get("source"), frame.get("line")];
  if (typeof name === "string" && typeof source === "string")
    return `${name}()~${source}~${line instanceof JsonNumber ? line.text : ""}`;
  const alone = [name, frame.get("func")].find((each) => typeof each === "string");
  return alone === undefined ? flatText(frame) : alone;
}
