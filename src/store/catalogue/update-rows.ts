import { Failure } from "../../core/failures/index.ts";
import type { Column, Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { columnType, dataTable } from "../schema/index.ts";

/** A table with columns encoded for the database, and their SQL names. */
export interface NamedColumns {
  readonly names: readonly string[];
  readonly table: Table;
}

/** The position of a row within its run, from 1. */
export const ordinalVariable: Variable = {
  name: "ordinal",
  role: "parameter",
  occurrence: "multiple",
  type: "integer",
};

function ordinals(before: number, length: number): Column {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) values[row] = before + row + 1;
  return { kind: "number", values, missing: null, exact: null };
}

/**
 * Updates all rows that match a row of `given` in the keys, with the same result as row by row; nulls of `given` leave
 * values unchanged. With `add`, rows without a match in the run are added to it. Returns the number of added rows.
 */
export async function updateRows(
  engine: Engine,
  stored: StoredExperiment,
  at: { readonly run: number; readonly written: number },
  given: NamedColumns,
  { keys, add }: RowsUpdate,
): Promise<number> {
  if (given.table.length === 0) return 0;
  const { table, names } = given;
  const keyColumns = keys.map((key) => names[indexOf(table, key)] as string);
  const others = names.filter((name) => !keyColumns.includes(name));
  await createGivenTable(engine, given);
  const terms = [...keyColumns, "min(ordinal) as first", ...others.map(lastValue)].join(", ");
  const grouping = keyColumns.length > 0 ? ` group by ${keyColumns.join(", ")}` : "";
  const rows = `(select ${terms} from ${temporary}${grouping}) u`;
  const matches = (data: string): string =>
    ["true", ...keyColumns.map((key) => `${data}.${key} is not distinct from u.${key}`)].join(" and ");
  const data = dataTable(stored.id);
  // Runs of this import are not in the table of runs yet; deleted ones are not changed.
  const scope = add
    ? `${data}.run = ${at.run}`
    : `${data}.run not in (select number from run where experiment = ${stored.id} and not active)`;
  const set = others.map((name) => `${name} = coalesce(u.${name}, ${data}.${name})`);
  if (set.length > 0)
    await engine.execute(`update ${data} set ${set.join(", ")} from ${rows} where ${matches(data)} and ${scope}`);
  const ordinal = `${at.written} + row_number() over (order by u.first)`;
  const inserted = [at.run, ordinal, ...[...keyColumns, ...others].map((name) => `u.${name}`)];
  const added = add
    ? await engine.query(
        `insert into ${data} (${["run", "ordinal", ...keyColumns, ...others].join(", ")})
         select ${inserted.join(", ")}
         from ${rows} where not exists (select 1 from ${data} d where d.run = ${at.run} and ${matches("d")})
         returning run`,
      )
    : null;
  await engine.execute(`drop table ${temporary}`);
  return added?.length ?? 0;
}

const temporary = "given_rows";

/** Copies the given rows to a temporary table, so that the database does the rest. */
async function createGivenTable(engine: Engine, { names, table }: NamedColumns): Promise<void> {
  const columns = names.map((name, index) => `${name} ${columnType(engine, table.variables[index] as Variable)}`);
  await engine.execute(`create temporary table ${temporary} (ordinal bigint not null, ${columns.join(", ")})`);
  const rows = {
    variables: [ordinalVariable, ...table.variables],
    columns: [ordinals(0, table.length), ...table.columns],
    length: table.length,
  };
  await engine.append(temporary, ["ordinal", ...names], rows);
}

/** The last non-null value among rows with the same keys. */
function lastValue(column: string): string {
  return `(array_agg(${column} order by ordinal desc) filter (where ${column} is not null))[1] as ${column}`;
}

function indexOf(table: Table, key: string): number {
  const at = table.variables.findIndex((variable) => variable.name.toLowerCase() === key.toLowerCase());
  if (at >= 0) return at;
  throw new Failure("unknown-column", {
    column: key,
    known: table.variables.map((variable) => variable.name).join(", "),
  });
}
