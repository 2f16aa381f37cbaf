import type { Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { columnType } from "../schema/schema.ts";

/**
 * Cells in one group of rows, which DuckDB holds in memory; and how many rows that is at least and at most (DuckDB's
 * own figures).
 */
const cellsPerGroup = 1_000_000;
const [fewestRows, mostRows] = [2048, 122_880];

/**
 * Collects rows in a database of our own and writes them as a Parquet file
 * (https://parquet.apache.org/docs/file-format/).
 */
export class ParquetRows {
  readonly #engine: Engine;
  readonly #variables: readonly Variable[];

  private constructor(engine: Engine, variables: readonly Variable[]) {
    this.#engine = engine;
    this.#variables = variables;
  }

  /** `engine`: an embedded database that holds nothing else. */
  static async begin(engine: Engine, variables: readonly Variable[]): Promise<ParquetRows> {
    // One thread holds one group of rows.
    await engine.execute("set threads = 1");
    const columns = variables.map((variable, at) => `c${at} ${columnType(engine, variable)}`);
    await engine.execute(`create table rows (${columns.join(", ")})`);
    return new ParquetRows(engine, variables);
  }

  append(table: Table): Promise<void> {
    return this.#engine.append(
      "rows",
      this.#variables.map((_, at) => `c${at}`),
      table,
    );
  }

  /**
   * Times are written as moments of UTC; durations and times of day are seconds. Units, types and synopses stand in the
   * file's metadata.
   */
  async write(path: string, experiment: string): Promise<void> {
    const names = columnNames(this.#variables);
    const columns = this.#variables.map(
      (variable, at) => `${contentOf(variable, at)} as ${identifier(names[at] ?? "")}`,
    );
    const told = JSON.stringify(this.#variables.map((variable, at) => factsOf(names[at] ?? "", variable)));
    const rows = Math.max(fewestRows, Math.min(mostRows, Math.ceil(cellsPerGroup / columns.length)));
    const options = [
      "format parquet",
      "compression zstd",
      `row_group_size ${rows}`,
      `kv_metadata {experiment: ${literal(experiment)}, columns: ${literal(told)}}`,
    ];
    await this.#engine.execute(
      `copy (select ${columns.join(", ")} from rows) to ${literal(path)} (${options.join(", ")})`,
    );
  }
}

function contentOf({ type }: Variable, at: number): string {
  return type === "timestamp" ? `cast(c${at} as timestamptz)` : `c${at}`;
}

function factsOf(name: string, { role, occurrence, type, unit, better, synopsis }: Variable): object {
  const told = { ...(better === undefined ? {} : { better }), ...(synopsis === undefined ? {} : { synopsis }) };
  return { name, role, occurrence, type, unit: formatUnit(unit), ...told };
}

/** Names of columns differ in more than case: of two variables, that of every run gets an `@`. */
function columnNames(variables: readonly Variable[]): string[] {
  const seen = new Set<string>();
  return variables.map(({ name }) => {
    let unique = name;
    while (seen.has(unique.toLowerCase())) unique = `@${unique}`;
    seen.add(unique.toLowerCase());
    return unique;
  });
}

/** Only in a database of our own do names of users become those of columns: the file shall have them. */
function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
