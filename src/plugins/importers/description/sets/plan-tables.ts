import type { TableLocation, TableValue } from "../../../../formats/descriptions/input/input-description.ts";
import type { Variable } from "../../../../core/variables/variable.ts";
import type { Binding } from "../binding.ts";
import { anyMarker } from "../row-mark.ts";
import { TableColumn } from "../table-column.ts";
import { TabularReader } from "../table-reader.ts";

/** A column to read; columns whose values the user fixed are omitted. */
export interface Column {
  readonly table: TableLocation;
  readonly value: TableValue;
}

/** Groups columns into tables; `variables` are the columns of the batch. */
export function tablesOf(
  binding: Binding,
  columns: readonly Column[],
  variables: readonly Variable[],
  foreign: () => void,
): TabularReader[] {
  return [...new Set(columns.map((column) => column.table))].map((table) => {
    const own = withColumnNumbers(binding, table).filter((_, at) =>
      columns.some(({ value }) => value === table.values[at]),
    );
    const read = own.map((value) => columnOf(binding, table, value, variables));
    return new TabularReader(table, read, anyMarker(table.rows), foreign);
  });
}

/** The columns of a table with absolute positions. */
function withColumnNumbers(binding: Binding, table: TableLocation): TableValue[] {
  const { rows, start, separator, blanks, columns = Number.POSITIVE_INFINITY } = table;
  if (rows.length === 0 && start > 1) throw binding.error(table.origin, "only a table with a start row can skip lines");
  if (separator !== undefined && blanks !== undefined)
    throw binding.error(table.origin, "blanks and a separator exclude each other");
  const numbers: (number | undefined)[] = [0];
  return table.values.map((value, at) => {
    const number = columnNumber(value, numbers[at]);
    numbers.push(number);
    if (number === undefined) {
      if (value.position.kind === "relative")
        throw binding.error(value.origin, "the position is relative to a column without a known number");
      if (value.typed && separator !== undefined)
        throw binding.error(value.origin, "typed entries cannot be counted between separators");
      return value;
    }
    if (number < 1 || number > columns) throw binding.error(value.origin, `the table has no entry ${number}`);
    return { ...value, position: { kind: "number", number } };
  });
}

function columnOf(
  binding: Binding,
  { blanks }: TableLocation,
  value: TableValue,
  variables: readonly Variable[],
): TableColumn {
  const variable = binding.variable(value);
  if (variable.occurrence === "once") {
    throw binding.error(value.origin, `'${variable.name}' is once per run, a table column has many values`, {
      advice: "use NAMED or EXPL, or occurrence=multiple",
    });
  }
  const cut = blanks === undefined ? value : { ...value, blanks };
  return new TableColumn(cut, binding.reader(variable, cut, value.origin), variables.indexOf(variable));
}

/** The number of the column; undefined when it is only known once the table is read. */
function columnNumber({ position, typed }: TableValue, before: number | undefined): number | undefined {
  if (typed || position.kind === "keyword") return undefined;
  if (position.kind === "number") return position.number;
  return before === undefined ? undefined : before + position.offset;
}
