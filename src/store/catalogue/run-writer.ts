import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { variablesOf } from "../../core/experiments/experiment.ts";
import { concatTables, constantColumn, tableOf } from "../../core/tables/table-builder.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import { formatValue, type Value, type Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type {
  ImportChange,
  ImportedInput,
  ImportedRunFacts,
  ImportHow,
} from "../../formats/store/experiments/ledger-import.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import { appendRows, nextId, type StoredExperiment } from "./catalogue.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { runColumns, runRow, sourceColumns, sourceRow } from "./run-rows.ts";
import { columnName, dataTable, onceTable, runSequence } from "../schema/schema.ts";
import { ordinals, ordinalVariable, updateRows, type NamedColumns } from "./update-rows.ts";
import { versionKey } from "../schema/version-key.ts";

/** What is known of all runs of one import. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface RunFacts {
  readonly version?: VersionId;
  /** Whether the tree had changes that no version holds; unknown outside of a repository. */
  readonly dirty?: boolean;
  readonly created: number;
  readonly performed: number;
  readonly performer?: string;
  readonly label?: string;
  readonly synopsis?: string;
  /** The object that keeps the input description. */
  readonly description?: Digest;
}

/** A file that runs came from. */
export interface Source {
  /** As the user wrote it; `-` is standard input. */
  readonly path: string;
  readonly sha256: string;
  /** The object that keeps its bytes. */
  readonly object: Digest;
  readonly bytes: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  /** The object that keeps the description it was read by; the run's where it is not told. */
  readonly description?: Digest;
}

/** One append per so many rows, or cells, however small the pieces are in which they come. */
const [batchRows, batchCells] = [65_536, 1 << 22] as const;

/** Pieces of so many rows are appended by themselves: putting them together would copy them. */
const largeRows = 16_384;

const runVariable: Variable = { name: "run", role: "parameter", occurrence: "multiple", type: "integer" };

/**
 * Writes the runs of one import, all within one transaction of the caller. Tables and values are conformed to the
 * experiment.
 */
export class RunWriter {
  readonly #engine: Engine;
  readonly #stored: StoredExperiment;
  readonly #numbers: number[] = [];
  readonly #given: readonly number[];
  readonly #facts: ImportedRunFacts[] = [];
  readonly #inputs: ImportedInput[] = [];
  /** The first file of each content. */
  readonly #claimed = new Map<string, string>();
  #forced = false;
  #pending: Table[] = [];
  #waiting = 0;
  #written = 0;
  /** Runs while the next rows are read; what becomes of it is told to whoever waits for it. */
  #appending: Promise<void> = Promise.resolve();

  /** `numbers`: of the runs to come, when they are made again. */
  constructor(engine: Engine, stored: StoredExperiment, numbers: readonly number[] = []) {
    this.#engine = engine;
    this.#stored = stored;
    this.#given = numbers;
  }

  /** Numbers of the runs so far. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  async begin(): Promise<void> {
    this.#numbers.push(this.#given[this.#numbers.length] ?? (await nextId(this.#engine, runSequence(this.#stored.id))));
    this.#written = 0;
  }

  /** What the database has against these rows may be told by a later call. */
  async rows(table: Table): Promise<void> {
    if (table.length >= largeRows) await this.#hand();
    this.#pending.push(table);
    this.#waiting += table.length;
    const most = Math.min(batchRows, batchCells / Math.max(1, table.columns.length));
    if (this.#waiting >= most || table.length >= largeRows) await this.#hand();
  }

  /**
   * Changes data sets instead of adding some. Rows that came before are there already, and of rows with the same keys
   * the last one holds. Fails with `unknown-column` when a key is none of the table's columns.
   */
  async update(table: Table, update: RowsUpdate): Promise<void> {
    await this.#flush();
    const run = this.#numbers.at(-1) as number;
    this.#written += await updateRows(
      this.#engine,
      this.#stored,
      { run, written: this.#written },
      this.#columnsOf(table),
      update,
    );
  }

  /** Answers the number of data sets of the run. */
  async end(once: Values, facts: RunFacts): Promise<number> {
    await this.#flush();
    const run = this.#numbers.at(-1) as number;
    await this.#writeOnce(run, once);
    await appendRows(this.#engine, "run", runColumns, [runRow(this.#stored.id, run, facts, this.#written)]);
    this.#facts.push({ number: run, ...facts });
    return this.#written;
  }

  /**
   * Notes that `runs` came from `source`; `ordinal` counts the inputs of one run. To be called in the order of the
   * inputs. Fails with `already-imported` when an active run came from the same bytes, with `given-twice` when one of
   * these runs did, unless forced.
   */
  async claim(runs: readonly number[], source: Source, force: boolean, ordinal = 0): Promise<void> {
    const { id } = this.#stored;
    const other = this.#claimed.get(source.sha256);
    if (other !== undefined && !force) throw new Failure("given-twice", { path: source.path, other });
    this.#claimed.set(source.sha256, other ?? source.path);
    const claimed = await this.#engine.query(
      // Waits for others that import the same file; who comes second gets no row.
      "insert into claim (experiment, sha256) values ($1, $2) on conflict do nothing returning sha256",
      [id, source.sha256],
    );
    if (claimed.length === 0 && !force)
      throw await alreadyImported(this.#engine, this.#stored, source.path, source.sha256);
    await appendRows(
      this.#engine,
      "source",
      sourceColumns,
      runs.map((run) => sourceRow(id, run, ordinal, source)),
    );
    this.#inputs.push({ ...source, runs: [...runs] });
    this.#forced ||= force;
  }

  /** What was written, so that it can be done again. */
  change(how: ImportHow): ImportChange {
    return { kind: "import", how, inputs: this.#inputs, runs: this.#facts, force: this.#forced };
  }

  async #flush(): Promise<void> {
    await this.#hand();
    await this.#appending;
  }

  /** Has the rows that wait appended, once those before them are. */
  async #hand(): Promise<void> {
    await this.#appending;
    if (this.#waiting === 0) return;
    const { names, table } = this.#columnsOf(concatTables(this.#pending));
    const run = this.#numbers.at(-1) as number;
    const columns = [
      constantColumn(runVariable, run, table.length),
      ordinals(this.#written, table.length),
      ...table.columns,
    ];
    const variables = [runVariable, ordinalVariable, ...table.variables];
    const rows = { variables, columns, length: table.length };
    this.#appending = this.#engine.append(dataTable(this.#stored.id), ["run", "ordinal", ...names], rows);
    this.#appending.catch(() => {});
    this.#written += table.length;
    this.#pending = [];
    this.#waiting = 0;
  }

  /** The table as its columns are stored, and what they are called. */
  #columnsOf(table: Table): NamedColumns {
    const { experiment, variableIds } = this.#stored;
    const names = table.variables.map(({ name }) => columnName(variableIds[placeOf(experiment, name)] as number));
    return {
      names,
      table: { ...table, columns: table.columns.map((column, at) => encoded(column, table.variables[at] as Variable)) },
    };
  }

  async #writeOnce(run: number, once: Values): Promise<void> {
    const { id, experiment, variableIds } = this.#stored;
    const variables = variablesOf(experiment, "once");
    const names = variables.map(({ name }) => columnName(variableIds[placeOf(experiment, name)] as number));
    const contents = variables.map((variable) => encodedValue(once.get(variable.name) ?? null, variable));
    await this.#engine.append(
      onceTable(id),
      ["run", ...names],
      tableOf([runVariable, ...variables], [[run, ...contents]]),
    );
  }
}

/** Fails with `already-imported` when an active run came from these bytes. */
export async function refuseDuplicate(
  engine: Engine,
  stored: StoredExperiment,
  path: string,
  sha256: string,
): Promise<void> {
  if (await isClaimed(engine, stored.id, sha256)) throw await alreadyImported(engine, stored, path, sha256);
}

async function isClaimed(engine: Engine, experiment: number, sha256: string): Promise<boolean> {
  return (
    (await engine.query("select sha256 from claim where experiment = $1 and sha256 = $2", [experiment, sha256]))
      .length > 0
  );
}

async function alreadyImported(
  engine: Engine,
  { id, experiment }: StoredExperiment,
  path: string,
  sha256: string,
): Promise<Failure> {
  const found = await engine.query(
    `select min(s.run) as run from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and s.sha256 = $2 and r.active`,
    [id, sha256],
  );
  const run = recordsOf(found)[0]?.get("run");
  return new Failure("already-imported", { path, experiment: experiment.name, run: String(run ?? "?") });
}

function encoded(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionKey) };
}

function encodedValue(value: Value, variable: Variable): Value {
  return variable.type === "version" && value !== null ? versionKey(formatValue(value, variable.type)) : value;
}

/** Names are conformed: they are spelt as in the experiment. */
function placeOf({ variables }: Experiment, name: string): number {
  return variables.findIndex((variable) => variable.name === name);
}
