import { Failure } from "../../core/failures/failure.ts";
import { flatText } from "../../core/values/flatten.ts";
import { isList, isObject, JsonNumber, type Json } from "../../core/values/json.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { indexOfVariable, type Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { cellsOf } from "./cells.ts";
import { contentsOf } from "./selected-rows.ts";
import { peakOf, rowsOfOneQuantity, statesBy, tellsStates } from "./quantities.ts";

const stackVariable: Variable = { name: "stack", role: "parameter", occurrence: "multiple", type: "text" };

/**
 * The stacks of a run's rows with the sums of a column, outermost call first, `;` between frames: what flame graphs are
 * drawn from. A frame is `main()~a.c~12`, or a function alone. What was freed, and rows without a content, are passed
 * over; rows without a trace are their uid alone. Perun puts the uid in front of the trace, and tells equal stacks as
 * often as they come. Only what adds up is added: rows of one quantity (`wanted`: of this subtype), of a heap at some
 * moments those of its peak, and of amounts with all calls the `exclusive` ones; Perun adds all. Fails with
 * `unknown-column`, `statistic-not-possible`, `several-quantities`, `no-such-subtype`.
 */
export function foldedStacks(data: Table, of: string, isPerun: boolean, wanted?: string): Table {
  const content = contentsOf(data, of);
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
    : rowsToAdd(data, wanted, (each) => Number(content(each)))) {
    const amount = own(row) ?? content(row);
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

/** Rows whose amounts add up, of a heap at some moments those of its peak. */
export function rowsToAdd(data: Table, wanted: string | undefined, amount: (row: number) => number): Uint32Array {
  const rows = rowsOfOneQuantity(data, wanted);
  return tellsStates(data, rows) ? peakOf(data, statesBy(data, rows, "heap"), amount) : rows;
}

/** What a function costs by itself, where the amount is what it costs with all it calls: that is so without a trace. */
export function exclusiveOf(data: Table): (row: number) => number | null {
  const column = data.columns[data.variables.findIndex(({ name }) => name === "exclusive")];
  const trace = cellsOf(data, "trace");
  if (column?.kind !== "number") return () => null;
  return (row) => (column.missing?.[row] === 1 || trace.at(row) !== undefined ? null : (column.values[row] ?? null));
}

/**
 * A uid that is in the trace is not told twice; nor is one that only leaves out in which line the innermost call is, or
 * in which module.
 */
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

/** What separates frames and lines cannot be in one. */
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
