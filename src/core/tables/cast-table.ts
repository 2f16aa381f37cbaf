import { Failure } from "../failures/index.ts";
import { InvalidValue, formatValue, type DataType, type Value, type Values } from "../values/index.ts";
import { type Variable, findVariable, readVariableValue } from "../variables/index.ts";
import { numberColumn, textColumn } from "./table-builder.ts";
import { type Column, type NumberColumn, type Table, columnKind, valueAt, type TextColumn } from "./table.ts";

/**
 * Casts columns to the types of the `wanted` variables of the same names: numbers to texts, numeric texts to numbers.
 * Other columns are unchanged. Fails with `content-does-not-fit`.
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

/** Like `castTable`, for the values of a run with the types of `declared`. Fails with `content-does-not-fit`. */
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
  const cast = readVariableValue(text, target);
  if (!(cast instanceof InvalidValue)) return cast;
  throw new Failure("content-does-not-fit", {
    value: text.slice(0, 80),
    variable: target.name,
    type: target.type,
    problem: cast.problem,
  });
}
