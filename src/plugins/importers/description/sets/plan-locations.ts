import type { Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type {
  DerivedLocation,
  ExplicitLocation,
  FilenameLocation,
  FixedLocation,
  NamedLocation,
  Origin,
  TableLocation,
  TableValue,
} from "../../../../formats/descriptions/index.ts";
import type { Binding } from "../binding.ts";
import { explicitFinder } from "../explicit-finder.ts";
import { extractNumber } from "../extract-number.ts";
import { filenameReader } from "../filename-reader.ts";
import type { Finder } from "../finder.ts";
import { anyMarker } from "../row-mark.ts";
import { TableColumn } from "../table-column.ts";
import { TabularReader } from "../table-reader.ts";
import { ValueReader, UnfitNumber, type PresentValue } from "../value-reader.ts";
import { namedFinder } from "./named-finder.ts";

export type Single = SearchedLocation | FixedLocation | FilenameLocation;
/** A location of values of one variable. */
export type Located =
  | Single
  | DerivedLocation
  | {
      readonly kind: "column";
      readonly table: TableLocation;
      readonly name: string;
      readonly value: TableValue;
      readonly origin: Origin;
    };

/** A single value that is searched in lines. */
export type SearchedLocation = NamedLocation | ExplicitLocation;

export function finderOf(binding: Binding, location: SearchedLocation, reader: ValueReader): Finder {
  if (location.kind === "explicit") return explicitFinder(location, reader);
  checkNamed(binding, location, reader.variable);
  return namedFinder(location, reader);
}

/** Fails with `description-error` when the variable's type does not allow the location. */
function checkNamed(binding: Binding, location: NamedLocation, { name, type }: Variable): void {
  const { mode, lines, block, leads } = location;
  const [isNumber, isText] = [type === "integer" || type === "float", type === "string" || type === "text"];
  const several = lines !== undefined || block !== undefined;
  const refuse = (problem: string): Failure =>
    binding.error(location.origin, `'${name}' is of type ${type}, ${problem}`);
  if ((mode === "count" || mode === "accumulate") && !isNumber) throw refuse(`only numbers can ${mode}`);
  if (mode === "boolean" && type !== "boolean") throw refuse("mode boolean needs a boolean");
  if (several && !isText) throw refuse("values of several lines need a string or text");
  if (several && (leads || mode !== undefined))
    throw binding.error(
      location.origin,
      `a value of several lines cannot have ${leads ? "its mark after it" : `mode ${mode}`}`,
    );
  if (lines !== undefined && block)
    throw binding.error(location.origin, "lines and the marks of a block exclude each other");
}

/** null when the path has no value or, with a notice, none of the variable's type. */
export function filenameValue(
  binding: Binding,
  location: FilenameLocation,
  variable: Variable,
  path: string,
  report: (notice: string) => void,
): Value {
  const { filters: _filters, maps: _maps, length: _length, ...cut } = location;
  const reader = binding.reader(variable, cut, location.origin);
  const text = filenameReader(location, variable)(path);
  if (text === undefined) return null;
  const value = reader.readField(
    variable.type === "integer" || variable.type === "float" ? (extractNumber(text) ?? text) : text,
  );
  if (value instanceof UnfitNumber) throw value.at("the name of the input");
  if (value !== undefined) return value;
  report(`'${text.slice(0, 80)}' in the name of the input is no ${reader.typeName} for '${variable.name}'`);
  return null;
}

export function fixedValue(binding: Binding, location: FixedLocation, variable: Variable): PresentValue {
  const value = new ValueReader(variable, {}).readComplete(location.value);
  if (value !== undefined) return value;
  throw binding.error(
    location.origin,
    `'${location.value.slice(0, 80)}' is no value for '${variable.name}' (${variable.type})`,
  );
}

/** Several named locations of a variable are allowed: the first value counts. */
export function areAlternatives(one: Located, other: Located): boolean {
  return one.kind === "named" && other.kind === "named" && one.mode === undefined && other.mode === undefined;
}

/** Merges a separating parameter with its own NAMED line; both may define how its value is found. */
export function mergeSeparating(located: readonly Located[], separating: readonly NamedLocation[]): Located[] {
  const merged: Located[] = [...located];
  for (const mark of separating) {
    const at = merged.findIndex(
      (location) => location.kind === "named" && location.name.toLowerCase() === mark.name.toLowerCase(),
    );
    const named = merged[at];
    if (named?.kind !== "named") merged.push(mark);
    else
      merged[at] = {
        ...mark,
        ...named,
        aliases: [...named.aliases, ...mark.aliases],
        patterns: [...named.patterns, ...mark.patterns],
      };
  }
  return merged;
}

/** A column to read; columns whose values the user fixed are omitted. */
interface Column {
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
