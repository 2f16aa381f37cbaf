import { concatTables, hasSameColumns, type Column, type Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine, ShardConnections } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { columnName, dataTable, versionKey } from "../schema/index.ts";
import { ordinalVariable, type NamedColumns } from "./update-rows.ts";

/** Rows or cells per append; smaller tables are buffered. */
export const batchRows = 65_536;
const batchCells = 1 << 22;

/**
 * Tables with at least this many rows are appended separately, because concatenation would copy them, and are worth
 * connections to the servers of shards.
 */
const largeRows = 16_384;

export const runVariable: Variable = { name: "run", role: "parameter", occurrence: "multiple", type: "integer" };

/** Rows of one run, where `run` is its position in the import; `before`: number of its rows before these. */
interface RowsOfRun {
  readonly run: number;
  readonly before: number;
  readonly table: Table;
}

export interface RunRowsOptions {
  /** Whether later statements of the transaction have to see the rows. */
  readonly seen: boolean;
  /** The numbers of all runs so far. */
  numbers(): Promise<readonly number[]>;
}

/** Appends the rows of the runs of one import in large pieces, while the next ones are read. */
export class RunRows {
  readonly #engine: Engine;
  readonly #stored: StoredExperiment;
  readonly #numbers: RunRowsOptions["numbers"];
  #buffered: RowsOfRun[] = [];
  #bufferedRows = 0;
  #appended = 0;
  /** Opened by the first large append; "none": rows are appended through the engine. */
  #shards: ShardConnections | "none" | undefined;
  /** The append that runs while the next rows are read; `#appendBuffered` awaits it and reports its failure. */
  #appending: Promise<void> = Promise.resolve();

  constructor(engine: Engine, stored: StoredExperiment, { seen, numbers }: RunRowsOptions) {
    this.#engine = engine;
    this.#stored = stored;
    this.#numbers = numbers;
    if (seen || stored.shards === undefined) this.#shards = "none";
  }

  /** Number of rows that are not buffered. */
  get appended(): number {
    return this.#appended;
  }

  /** Whether later statements of the transaction do not see all rows. */
  get areHidden(): boolean {
    return this.#shards !== undefined && this.#shards !== "none";
  }

  /** Database errors may be reported by a later call. */
  async add(rows: RowsOfRun): Promise<void> {
    const { table } = rows;
    const last = this.#buffered.at(-1)?.table;
    if (table.length >= largeRows || (last !== undefined && !hasSameColumns(last, table))) await this.#appendBuffered();
    this.#buffered.push(rows);
    this.#bufferedRows += table.length;
    const limit = Math.min(batchRows, batchCells / Math.max(1, table.columns.length));
    if (this.#bufferedRows >= limit || table.length >= largeRows) await this.#appendBuffered();
  }

  /** Appends everything. */
  async finish(): Promise<void> {
    await this.#appendBuffered();
    await this.#appending;
  }

  /** Starts appending the buffered rows once the previous append has finished. */
  async #appendBuffered(): Promise<void> {
    await this.#appending;
    const [parts, length] = [this.#buffered, this.#bufferedRows];
    if (length === 0) return;
    const keys = keysOf(parts, await this.#numbers(), length);
    const { names, table } = encodedColumns(this.#stored, concatTables(parts.map((part) => part.table)));
    const variables = [runVariable, ordinalVariable, ...table.variables];
    const rows = { variables, columns: [...keys, ...table.columns], length };
    this.#appending = this.#append(["run", "ordinal", ...names], rows);
    this.#appending.catch(() => {});
    this.#buffered = [];
    this.#bufferedRows = 0;
    this.#appended += length;
  }

  async #append(columns: readonly string[], rows: Table): Promise<void> {
    const table = dataTable(this.#stored.id);
    if (rows.length >= largeRows) this.#shards ??= (await this.#engine.openShards?.(table)) ?? "none";
    if (this.#shards === undefined || this.#shards === "none") await this.#engine.append(table, columns, rows);
    else await this.#shards.append(columns, rows);
  }
}

/** The columns `run` and `ordinal`. */
function keysOf(parts: readonly RowsOfRun[], numbers: readonly number[], length: number): Column[] {
  const [runs, ordinals] = [new Float64Array(length), new Float64Array(length)];
  let row = 0;
  for (const { run, before, table } of parts) {
    runs.fill(numbers[run] as number, row, row + table.length);
    for (const end = row + table.length, first = before - row + 1; row < end; row++) ordinals[row] = first + row;
  }
  return [runs, ordinals].map((values) => ({ kind: "number", values, missing: null, exact: null }));
}

/** The table with encoded columns, and their SQL names. */
export function encodedColumns(stored: StoredExperiment, table: Table): NamedColumns {
  return {
    names: table.variables.map(({ name }) => sqlNameOf(stored, name)),
    table: {
      ...table,
      columns: table.columns.map((column, at) => encodeColumn(column, table.variables[at] as Variable)),
    },
  };
}

/** The column of a variable; `name` must be spelled as in the experiment. */
export function sqlNameOf({ experiment, variableIds }: StoredExperiment, name: string): string {
  return columnName(variableIds[experiment.variables.findIndex((variable) => variable.name === name)] as number);
}

function encodeColumn(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionKey) };
}
