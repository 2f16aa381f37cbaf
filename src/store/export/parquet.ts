import type { Table } from "../../core/tables/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { columnType } from "../schema/index.ts";

/** Cells per row group, which DuckDB holds in memory, and DuckDB's limits for the rows of a group. */
const cellsPerGroup = 1_000_000;
const [minGroupRows, maxGroupRows] = [2048, 122_880];

/**
 * Collects rows in a scratch database and writes them as a Parquet file (https://parquet.apache.org/docs/file-format/).
 */
export class ParquetRows {
  readonly #engine: Engine;
  readonly #variables: readonly Variable[];

  private constructor(engine: Engine, variables: readonly Variable[]) {
    this.#engine = engine;
    this.#variables = variables;
  }

  /** `engine`: an empty embedded database. */
  static async create(engine: Engine, variables: readonly Variable[]): Promise<ParquetRows> {
    // Each thread holds one row group in memory.
    await engine.execute("set threads = 1");
    const columns = variables.map((variable, at) => `c${at} ${columnType(engine, variable)}`);
    // A temporary table is neither logged nor compressed.
    await engine.execute(`create temp table rows (${columns.join(", ")})`);
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
   * Writes timestamps in UTC, and durations and times of day in seconds. Units, types and synopses go into the file's
   * metadata.
   */
  async write(path: string, experiment: string): Promise<void> {
    const names = columnNames(this.#variables);
    const columns = this.#variables.map(
      (variable, at) => `${valueExpression(variable, at)} as ${identifier(names[at] ?? "")}`,
    );
    const metadata = JSON.stringify(this.#variables.map((variable, at) => columnMetadata(names[at] ?? "", variable)));
    const rows = Math.max(minGroupRows, Math.min(maxGroupRows, Math.ceil(cellsPerGroup / columns.length)));
    const options = [
      "format parquet",
      "compression zstd",
      `row_group_size ${rows}`,
      `kv_metadata {experiment: ${literal(experiment)}, columns: ${literal(metadata)}}`,
    ];
    await this.#engine.execute(
      `copy (select ${columns.join(", ")} from rows) to ${literal(path)} (${options.join(", ")})`,
    );
  }
}

function valueExpression({ type }: Variable, at: number): string {
  return type === "timestamp" ? `cast(c${at} as timestamptz)` : `c${at}`;
}

function columnMetadata(name: string, { role, occurrence, type, unit, better, synopsis }: Variable): object {
  const optional = { ...(better === undefined ? {} : { better }), ...(synopsis === undefined ? {} : { synopsis }) };
  return { name, role, occurrence, type, unit: formatUnit(unit), ...optional };
}

/** Makes column names unique regardless of case by prefixing `@`. */
function columnNames(variables: readonly Variable[]): string[] {
  const seen = new Set<string>();
  return variables.map(({ name }) => {
    let unique = name;
    while (seen.has(unique.toLowerCase())) unique = `@${unique}`;
    seen.add(unique.toLowerCase());
    return unique;
  });
}

/** Quotes a name chosen by the user; only the scratch database has such column names. */
function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
