import { rowsOf, type Table } from "../../core/tables/index.ts";
import type { Fingerprints, TableFingerprint } from "./engine.ts";

type Query = (sql: string) => Promise<Table>;

/** Fingerprints of a DuckDB database, by sums of 64-bit hashes of its rows. */
export async function fingerprintsOf(query: Query): Promise<Fingerprints> {
  const own = "where not internal and database_name = current_database()";
  const texts = async (sql: string): Promise<string[][]> => rowsOf(await query(sql)) as string[][];
  const tables = await texts(
    `select table_name, sql from duckdb_tables() ${own} and not temporary order by table_name`,
  );
  const sequences = await texts(
    `select sequence_name, cast(coalesce(last_value + 1, start_value) as varchar) from duckdb_sequences()
     where not temporary and database_name = current_database() order by sequence_name`,
  );
  // One statement for all tables: each of these functions reads the whole catalogue.
  const columns = byTable(
    await texts(
      `select table_name, column_name, data_type from duckdb_columns() ${own} order by table_name, column_index`,
    ),
  );
  const keys = byTable(
    await texts(
      `select table_name, constraint_column_names[1] from duckdb_constraints()
       where constraint_type in ('PRIMARY KEY', 'UNIQUE') and len(constraint_column_names) = 1
       and database_name = current_database() order by constraint_index`,
    ),
  );
  const found: TableFingerprint[] = [];
  for (const [table, definition] of tables as [string, string][]) {
    const rows = await rowsBySubject(query, table, (columns.get(table) ?? []) as [string, string][]);
    const unfound = await keysNotFound(query, table, (keys.get(table) ?? []) as [string][]);
    found.push({ table, definition, rows: unfound === 0 ? rows : rows.set(null, `${unfound} keys are not found`) });
  }
  return { tables: found, next: new Map(sequences.map(([name, next]) => [name as string, Number(next)])) };
}

/** The other cells of rows by their first one. */
function byTable(rows: readonly string[][]): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  for (const [table = "", ...cells] of rows) {
    const group = groups.get(table) ?? [];
    group.push(cells);
    groups.set(table, group);
  }
  return groups;
}

/** The fingerprints of the rows of each run, if the table has runs, else of all rows. */
async function rowsBySubject(
  query: Query,
  table: string,
  columns: readonly (readonly [name: string, type: string])[],
): Promise<Map<number | null, string>> {
  const run = columns[0]?.[0] === "run" ? "run" : "cast(null as bigint)";
  const cells = columns.flatMap(([name, type]) => {
    const cell = `"${quoted(name, '"')}"`;
    // The hashes of 0 and -0 are equal.
    return type === "DOUBLE" ? [cell, `signbit(${cell})`] : [cell];
  });
  const rows = await query(
    `select ${run}, concat(count(*), ' ', sum(hash(${cells.join(", ")}))) from "${quoted(table, '"')}" group by 1`,
  );
  return new Map(rowsOf(rows) as [number | null, string][]);
}

/** Keys in one statement: DuckDB uses an index for few rows only. */
const keysAtOnce = 500;

/** How many rows are not found by a key of one column: statements find them by an index. */
async function keysNotFound(query: Query, table: string, keys: readonly (readonly [string])[]): Promise<number> {
  let unfound = 0;
  for (const [key] of keys) {
    const name = `"${quoted(key, '"')}"`;
    const literals = (
      rowsOf(await query(`select cast(${name} as varchar) from "${quoted(table, '"')}"`)) as [string][]
    ).map(([value]) => `'${quoted(value, "'")}'`);
    for (let at = 0; at < literals.length; at += keysAtOnce) {
      const some = literals.slice(at, at + keysAtOnce);
      const counted = await query(
        `select cast(count(*) as integer) from "${quoted(table, '"')}" where ${name} in (${some.join(", ")})`,
      );
      unfound += some.length - Number(rowsOf(counted)[0]?.[0]);
    }
  }
  return unfound;
}

function quoted(name: string, quote: string): string {
  return name.replaceAll(quote, quote + quote);
}
