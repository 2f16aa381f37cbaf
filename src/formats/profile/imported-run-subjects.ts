import type { FoundRun } from "../../core/experiments/parsed-run.ts";
import { jsonObject, type JsonObject } from "../../core/values/json.ts";
import { type Table, valueAt } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Subject } from "./build-profile.ts";

/** Names that rows of profiles have for themselves. */
const taken = new Set(["uid", "type", "subtype", "amount", "order", "trace", "snapshot", "better"]);

/** A content of a data set, or of the run it belongs to. */
interface Content {
  readonly variable: Variable;
  readonly value: Value;
}

/**
 * A row for each numeric result of each data set, its name being the subtype. Numeric parameters are columns, what else
 * is there are properties; `order` counts the calls of the command. What they are of is `cmd`, or the content of the
 * variable `named` where there is one.
 */
export function subjectsOf(cmd: string, calls: readonly (readonly FoundRun[])[], named?: string): Subject[] {
  const groups = new Map<string, Group>();
  for (const [at, runs] of calls.entries())
    for (const contents of runs.flatMap(dataSets))
      for (const result of contents.filter(isAmount)) add(groups, cmd, result, contents, at + 1, named);
  return [...groups.values()].map((group) => group.subject());
}

/** Units of the results that were found, as headers have them; that of `mixed` is there when they agree. */
export function unitsOf(calls: readonly (readonly FoundRun[])[]): Record<string, string> {
  const results = calls.flatMap((runs) => runs.flatMap(dataSets)).flatMap((contents) => contents.filter(isAmount));
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

function isAmount({ variable, value }: Content): boolean {
  return variable.role === "result" && isNumeric(variable) && value !== null;
}

/** Each data set with the contents of its run; the run alone where it has none. */
function dataSets({ once, rows }: FoundRun): Content[][] {
  const shared = contentsAt(once, 0);
  return rows === null
    ? [shared]
    : Array.from({ length: rows.length }, (_, row) => [...contentsAt(rows, row), ...shared]);
}

function contentsAt({ variables, columns }: Table, row: number): Content[] {
  return variables.flatMap((variable, at) => {
    const column = columns[at];
    return column === undefined || column.kind === "interned"
      ? []
      : [{ variable, value: valueAt(column, row, variable.type) }];
  });
}

function add(
  groups: Map<string, Group>,
  cmd: string,
  result: Content,
  contents: readonly Content[],
  order: number,
  named?: string,
): void {
  const name = contents.find(({ variable, value }) => variable.name === named && value !== null);
  const isColumn = ({ variable }: Content): boolean => variable.role === "parameter" && isNumeric(variable);
  const told = contents.filter((content) => content.value !== null && !isAmount(content) && content !== name);
  const columns = told.filter(isColumn);
  const texts = told.filter((content) => !isColumn(content));
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

function textOf({ variable, value }: Content): [string, string] {
  return [nameOf(variable), formatValue(value, variable.type)];
}

function nameOf({ name }: Variable): string {
  return taken.has(name.toLowerCase()) ? `${name}-of-output` : name;
}

/** The rows of one subject. */
class Group {
  readonly #properties: JsonObject;
  readonly #variables: readonly Variable[];
  readonly #cells: number[][];
  readonly #orders: number[] = [];

  constructor(properties: JsonObject, result: Variable, columns: readonly Content[]) {
    this.#properties = properties;
    this.#variables = [result, ...columns.map(({ variable }) => variable)];
    this.#cells = this.#variables.map(() => []);
  }

  add(result: Content, columns: readonly Content[], order: number): void {
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
