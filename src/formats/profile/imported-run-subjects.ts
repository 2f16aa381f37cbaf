import type { ParsedRun } from "../../core/experiments/index.ts";
import { jsonObject, type JsonObject, formatUnit, formatValue, type Value } from "../../core/values/index.ts";
import { type Table, valueAt } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Subject } from "./build-profile.ts";

/** Names with a fixed meaning in profile rows. */
const reservedNames = new Set(["uid", "type", "subtype", "amount", "order", "trace", "snapshot", "better"]);

/** A value of a row or of its run. */
interface Cell {
  readonly variable: Variable;
  readonly value: Value;
}

/**
 * One profile row per numeric result of each row; the name of the result is the subtype. Numeric parameters become
 * columns, other values properties, and `order` the number of the call. The uid is the value of the variable `named`,
 * or `cmd` if there is none.
 */
export function subjectsOf(cmd: string, calls: readonly (readonly ParsedRun[])[], named?: string): Subject[] {
  const groups = new Map<string, Group>();
  for (const [at, runs] of calls.entries())
    for (const cells of runs.flatMap(rowsOfRun))
      for (const result of cells.filter(isAmount)) addResult(groups, cmd, result, cells, at + 1, named);
  return [...groups.values()].map((group) => group.subject());
}

/** Units of the results for a profile header; `mixed` has a unit only if all results agree. */
export function unitsOf(calls: readonly (readonly ParsedRun[])[]): Record<string, string> {
  const results = calls.flatMap((runs) => runs.flatMap(rowsOfRun)).flatMap((cells) => cells.filter(isAmount));
  const units = new Map(results.map(({ variable }) => [`mixed(${variable.name})`, unitOf(variable)]));
  const [unit, ...others] = new Set(units.values());
  return { ...(unit === undefined || others.length > 0 ? {} : { mixed: unit }), ...Object.fromEntries(units) };
}

function unitOf({ type, unit }: Variable): string {
  return type === "duration" ? "s" : formatUnit(unit);
}

function isNumeric({ type }: Variable): boolean {
  return type === "integer" || type === "float" || type === "duration";
}

function isAmount({ variable, value }: Cell): boolean {
  return variable.role === "result" && isNumeric(variable) && value !== null;
}

/** Each row with the values of its run; the run alone if it has no rows. */
function rowsOfRun({ once, rows }: ParsedRun): Cell[][] {
  const shared = cellsAt(once, 0);
  return rows === null ? [shared] : Array.from({ length: rows.length }, (_, row) => [...cellsAt(rows, row), ...shared]);
}

function cellsAt({ variables, columns }: Table, row: number): Cell[] {
  return variables.flatMap((variable, at) => {
    const column = columns[at];
    return column === undefined || column.kind === "interned"
      ? []
      : [{ variable, value: valueAt(column, row, variable.type) }];
  });
}

function addResult(
  groups: Map<string, Group>,
  cmd: string,
  result: Cell,
  cells: readonly Cell[],
  order: number,
  named?: string,
): void {
  const name = cells.find(({ variable, value }) => variable.name === named && value !== null);
  const isColumn = ({ variable }: Cell): boolean => variable.role === "parameter" && isNumeric(variable);
  const parameters = cells.filter((cell) => cell.value !== null && !isAmount(cell) && cell !== name);
  const columns = parameters.filter(isColumn);
  const texts = parameters.filter((cell) => !isColumn(cell));
  const direction = result.variable.better === undefined ? {} : { better: result.variable.better };
  const properties = {
    ...Object.fromEntries(texts.map(textOf)),
    ...direction,
    subtype: result.variable.name,
    type: "mixed",
    uid: name === undefined ? cmd : textOf(name)[1],
  };
  const key = JSON.stringify([properties, columns.map(({ variable }) => variable.name)]);
  let group = groups.get(key);
  if (group === undefined) groups.set(key, (group = new Group(jsonObject(properties), result.variable, columns)));
  group.add(result, columns, order);
}

function textOf({ variable, value }: Cell): [string, string] {
  return [nameOf(variable), formatValue(value, variable.type)];
}

function nameOf({ name }: Variable): string {
  return reservedNames.has(name.toLowerCase()) ? `${name}-of-output` : name;
}

/** The rows of one subject. */
class Group {
  readonly #properties: JsonObject;
  readonly #variables: readonly Variable[];
  readonly #cells: number[][];
  readonly #orders: number[] = [];

  constructor(properties: JsonObject, result: Variable, columns: readonly Cell[]) {
    this.#properties = properties;
    this.#variables = [result, ...columns.map(({ variable }) => variable)];
    this.#cells = this.#variables.map(() => []);
  }

  add(result: Cell, columns: readonly Cell[], order: number): void {
    [result, ...columns].forEach(({ value }, at) => this.#cells[at]?.push(Number(value)));
    this.#orders.push(order);
  }

  subject(): Subject {
    const columns = this.#variables.map((variable, at) => ({
      name: at === 0 ? "amount" : nameOf(variable),
      type: variable.type === "integer" ? ("integer" as const) : ("float" as const),
      values: this.#cells[at] ?? [],
    }));
    return {
      properties: this.#properties,
      columns: [...columns, { name: "order", type: "integer", values: this.#orders }],
    };
  }
}
