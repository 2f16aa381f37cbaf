import { Failure } from "../../core/failures/failure.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { columnType, dataTable } from "../schema/schema.ts";

/** A table whose columns are as the database stores them, with their SQL names. */
export interface NamedColumns {
  readonly names: readonly string[];
  readonly table: Table;
}

/** The place of a data set within its run, from 1. */
export const ordinalVariable: Variable = {
  name: "ordinal",
  role: "parameter",
  occurrence: "multiple",
  type: "integer",
};

export function ordinals(before: number, length: number): Column {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) values[row] = before + row + 1;
  return { kind: "number", values, missing: null, exact: null };
}

/**
 * Changes the data sets that agree with a row of `given` in the contents of the keys, in bulk: as if row by row, what a
 * row lacks staying as it is. With `add`, rows that agree with nothing in the run become data sets of it. Answers how
 * many did.
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
  await keepGiven(engine, given);
  const rows = `(select ${[...keyColumns, "min(ordinal) as first", ...others.map(lastContent)].join(", ")} from ${temporary}${keyColumns.length > 0 ? ` group by ${keyColumns.join(", ")}` : ""}) u`;
  const agrees = (data: string): string =>
    ["true", ...keyColumns.map((key) => `${data}.${key} is not distinct from u.${key}`)].join(" and ");
  const data = dataTable(stored.id);
  // Runs of this import are not in the table of runs yet; deleted ones are left alone.
  const among = add
    ? `${data}.run = ${at.run}`
    : `${data}.run not in (select number from run where experiment = ${stored.id} and not active)`;
  const set = others.map((name) => `${name} = coalesce(u.${name}, ${data}.${name})`);
  if (set.length > 0)
    await engine.execute(`update ${data} set ${set.join(", ")} from ${rows} where ${agrees(data)} and ${among}`);
  const added = add
    ? await engine.query(
        `insert into ${data} (${["run", "ordinal", ...keyColumns, ...others].join(", ")})
         select ${[at.run, `${at.written} + row_number() over (order by u.first)`, ...[...keyColumns, ...others].map((name) => `u.${name}`)].join(", ")}
         from ${rows} where not exists (select 1 from ${data} d where d.run = ${at.run} and ${agrees("d")}) returning run`,
      )
    : null;
  await engine.execute(`drop table ${temporary}`);
  return added?.length ?? 0;
}

const temporary = "given_rows";

/** The rows go to the database in one piece, and the rest happens there. */
async function keepGiven(engine: Engine, { names, table }: NamedColumns): Promise<void> {
  const columns = names.map((name, index) => `${name} ${columnType(engine, table.variables[index] as Variable)}`);
  await engine.execute(`create temporary table ${temporary} (ordinal bigint not null, ${columns.join(", ")})`);
  const rows = {
    variables: [ordinalVariable, ...table.variables],
    columns: [ordinals(0, table.length), ...table.columns],
    length: table.length,
  };
  await engine.append(temporary, ["ordinal", ...names], rows);
}

/** Of rows with the same keys the last one that has content. */
function lastContent(column: string): string {
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
