import { type Experiment, variablesOf } from "../../core/experiments/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { concatTables, constantColumn, tableOf, type Column, type Table } from "../../core/tables/index.ts";
import { formatValue, type Value, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportChange, ImportedInput, ImportedRunFacts, ImportHow } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import { appendRows, nextId, type StoredExperiment } from "./catalogue.ts";
import { recordsOf, columnName, dataTable, onceTable, runSequence, versionKey } from "../schema/index.ts";
import { runColumns, runRow, sourceColumns, sourceRow } from "./catalogue-rows.ts";
import type { RunLabels } from "./run-labels.ts";
import { ordinals, ordinalVariable, updateRows, type NamedColumns } from "./update-rows.ts";

/** Metadata of all runs of an import. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface RunMetadata {
  readonly version?: VersionId;
  /** Whether the working tree had uncommitted changes; unknown outside of a repository. */
  readonly dirty?: boolean;
  readonly created: number;
  readonly performed: number;
  readonly performer?: string;
  readonly label?: string;
  readonly synopsis?: string;
  /** The object that stores the input description. */
  readonly description?: Digest;
}

/** A file that runs were imported from. */
export interface Source {
  /** As given by the user; `-` is standard input. */
  readonly path: string;
  readonly sha256: string;
  /** The object that stores its bytes. */
  readonly object: Digest;
  readonly bytes: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  /** The object that stores its input description; absent for that of the run. */
  readonly description?: Digest;
}

/** Rows or cells per append; smaller tables are buffered. */
const [batchRows, batchCells] = [65_536, 1 << 22] as const;

/** Tables with at least this many rows are appended separately, because concatenation would copy them. */
const largeRows = 16_384;

const runVariable: Variable = { name: "run", role: "parameter", occurrence: "multiple", type: "integer" };

/**
 * Writes the runs of one import within one transaction of the caller. Tables and values must conform to the experiment.
 */
export class RunWriter {
  readonly #engine: Engine;
  readonly #stored: StoredExperiment;
  readonly #numbers: number[] = [];
  readonly #presetNumbers: readonly number[];
  readonly #labels: RunLabels | undefined;
  readonly #facts: ImportedRunFacts[] = [];
  readonly #inputs: ImportedInput[] = [];
  /** The first file with each SHA-256. */
  readonly #claimed = new Map<string, string>();
  #forced = false;
  #buffered: Table[] = [];
  #bufferedRows = 0;
  #written = 0;
  /** The append that runs while the next rows are read; `#appendBuffered` awaits it and reports its failure. */
  #appending: Promise<void> = Promise.resolve();

  /** `numbers`: the numbers of the runs when they are rebuilt; `labels` names new runs. */
  constructor(engine: Engine, stored: StoredExperiment, numbers: readonly number[] = [], labels?: RunLabels) {
    this.#engine = engine;
    this.#stored = stored;
    this.#presetNumbers = numbers;
    this.#labels = labels;
  }

  /** Numbers of the runs so far. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** The label of the latest run. */
  get label(): string | undefined {
    return this.#facts.at(-1)?.label;
  }

  async begin(): Promise<void> {
    this.#numbers.push(
      this.#presetNumbers[this.#numbers.length] ?? (await nextId(this.#engine, runSequence(this.#stored.id))),
    );
    this.#written = 0;
  }

  /** Adds rows to the current run. Database errors may be reported by a later call. */
  async rows(table: Table): Promise<void> {
    if (table.length >= largeRows) await this.#appendBuffered();
    this.#buffered.push(table);
    this.#bufferedRows += table.length;
    const limit = Math.min(batchRows, batchCells / Math.max(1, table.columns.length));
    if (this.#bufferedRows >= limit || table.length >= largeRows) await this.#appendBuffered();
  }

  /**
   * Updates rows, including those just added, instead of adding new ones. The last of several rows with the same keys
   * wins. Fails with `unknown-column` if a key is not a column of the table.
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

  /** Ends the current run and returns its number of rows. */
  async end(once: Values, given: RunMetadata): Promise<number> {
    await this.#flush();
    const facts = this.#labels ? { ...given, label: this.#labels.next(given.label, given.performed) } : given;
    const run = this.#numbers.at(-1) as number;
    await this.#writeOnce(run, once);
    await appendRows(this.#engine, "run", runColumns, [runRow(this.#stored.id, run, facts, this.#written)]);
    this.#facts.push({ number: run, ...facts });
    return this.#written;
  }

  /**
   * Records `source` as input number `ordinal` of `runs`. Call it in the order of the inputs. Unless forced, fails with
   * `already-imported` if an active run came from the same bytes, and with `given-twice` if one of these runs did.
   */
  async claim(runs: readonly number[], source: Source, force: boolean, ordinal = 0): Promise<void> {
    const { id } = this.#stored;
    const other = this.#claimed.get(source.sha256);
    if (other !== undefined && !force) throw new Failure("given-twice", { path: source.path, other });
    this.#claimed.set(source.sha256, other ?? source.path);
    const claimed = await this.#engine.query(
      // Waits for concurrent imports of the same file; the second one gets no row.
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

  /** The import as a ledger change, so that it can be replayed. */
  change(how: ImportHow): ImportChange {
    return { kind: "import", how, inputs: this.#inputs, runs: this.#facts, force: this.#forced };
  }

  async #flush(): Promise<void> {
    await this.#appendBuffered();
    await this.#appending;
  }

  /** Starts appending the buffered rows once the previous append has finished. */
  async #appendBuffered(): Promise<void> {
    await this.#appending;
    if (this.#bufferedRows === 0) return;
    const { names, table } = this.#columnsOf(concatTables(this.#buffered));
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
    this.#buffered = [];
    this.#bufferedRows = 0;
  }

  /** The table with encoded columns, and their SQL names. */
  #columnsOf(table: Table): NamedColumns {
    const { experiment, variableIds } = this.#stored;
    const names = table.variables.map(({ name }) => columnName(variableIds[variableIndex(experiment, name)] as number));
    return {
      names,
      table: {
        ...table,
        columns: table.columns.map((column, at) => encodeColumn(column, table.variables[at] as Variable)),
      },
    };
  }

  async #writeOnce(run: number, once: Values): Promise<void> {
    const { id, experiment, variableIds } = this.#stored;
    const variables = variablesOf(experiment, "once");
    const names = variables.map(({ name }) => columnName(variableIds[variableIndex(experiment, name)] as number));
    const values = variables.map((variable) => encodeValue(once.get(variable.name) ?? null, variable));
    await this.#engine.append(
      onceTable(id),
      ["run", ...names],
      tableOf([runVariable, ...variables], [[run, ...values]]),
    );
  }
}

/** Fails with `already-imported` if an active run came from these bytes. */
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

function encodeColumn(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionKey) };
}

function encodeValue(value: Value, variable: Variable): Value {
  return variable.type === "version" && value !== null ? versionKey(formatValue(value, variable.type)) : value;
}

/** `name` must be spelled as in the experiment. */
function variableIndex({ variables }: Experiment, name: string): number {
  return variables.findIndex((variable) => variable.name === name);
}
