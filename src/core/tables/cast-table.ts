import { Failure } from "../failures/failure.ts";
import { findVariable, readVariableValue, type Variable } from "../variables/variable.ts";
import { InvalidValue } from "../values/invalid-value.ts";
import { numberColumn, textColumn } from "./table-builder.ts";
import { columnKind, valueAt, type Column, type NumberColumn, type Table, type TextColumn } from "./table.ts";
import { formatValue, type DataType, type Value, type Values } from "../values/value.ts";

/**
 * A table whose contents have the types that variables of the same names have there: numbers become texts, texts that
 * are numbers become such. Variables that are not among `wanted` stay as they are. Fails with `content-does-not-fit`.
 */
export function castTable(table: Table, wanted: readonly Variable[]): Table {
  const targets = table.variables.map(({ name }) => findVariable(wanted, name));
  const differs = (variable: Variable, at: number): boolean =>
    targets[at] !== undefined && targets[at].type !== variable.type;
  if (!table.variables.some(differs)) return table;
  const columns = table.columns.map((column, at): Column => {
    const [given, target] = [table.variables[at]!, targets[at]];
    return target === undefined || column.kind === "interned" || !differs(given, at)
      ? column
      : castColumn(column, table.length, given.type, target);
  });
  const variables = table.variables.map((variable, at) =>
    differs(variable, at) ? { ...variable, type: targets[at]!.type } : variable,
  );
  return { variables, columns, length: table.length };
}

/** The same for contents of a whole run, whose types `declared` tells. Fails with `content-does-not-fit`. */
export function castValues(values: Values, declared: readonly Variable[], wanted: readonly Variable[]): Values {
  return new Map(
    [...values].map(([name, value]) => {
      const [given, target] = [findVariable(declared, name), findVariable(wanted, name)];
      const isSame = given === undefined || target === undefined || given.type === target.type;
      return [name, isSame ? value : castValue(value, given.type, target)] as const;
    }),
  );
}

function castColumn(column: NumberColumn | TextColumn, length: number, from: DataType, target: Variable): Column {
  const known = new Map<Value, Value>();
  const cells = Array.from({ length }, (_, row) => {
    const value = valueAt(column, row, from);
    let cell = known.get(value);
    if (cell === undefined) known.set(value, (cell = castValue(value, from, target)));
    return cell;
  });
  return columnKind(target.type) === "text" ? textColumn(cells as (string | null)[]) : numberColumn(cells);
}

function castValue(value: Value, from: DataType, target: Variable): Value {
  if (value === null) return null;
  const text = formatValue(value, from);
  const content = readVariableValue(text, target);
  if (!(content instanceof InvalidValue)) return content;
  throw new Failure("content-does-not-fit", {
    value: text.slice(0, 80),
    variable: target.name,
    type: target.type,
    problem: content.problem,
  });
}
