import { variablesOf } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import { formatValue, type Value, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportChange, ImportedInput, ImportedRunFacts, ImportHow } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import { appendRows, nextIds, type StoredExperiment } from "./catalogue.ts";
import { claimFiles } from "./claims.ts";
import { onceTable, runSequence, versionKey } from "../schema/index.ts";
import { runColumns, runRow, sourceColumns, sourceRow } from "./catalogue-rows.ts";
import type { RunLabels } from "./run-labels.ts";
import type { RunMetadata, Source } from "./run-metadata.ts";
import { batchRows, encodedColumns, RunRows, runVariable, sqlNameOf } from "./run-rows.ts";
import { updateRows } from "./update-rows.ts";

/** Runs, files, and characters of their texts that are held until they are written together. */
const [maxHeldRuns, maxHeldCharacters] = [1024, 1 << 23] as const;

/** An ended run that is not in the catalogue yet. */
interface EndedRun {
  readonly run: number;
  readonly once: Values;
  readonly facts: RunMetadata;
  readonly rows: number;
}

/** A file that is not claimed yet, and the positions of its runs. */
interface HeldSource {
  readonly runs: readonly number[];
  readonly source: Source;
  readonly force: boolean;
  readonly ordinal: number;
}

export interface RunWriterOptions {
  /** The numbers of the runs when they are rebuilt. */
  readonly numbers?: readonly number[];
  /** Names new runs. */
  readonly labels?: RunLabels | undefined;
  /** Whether `update` may be called. */
  readonly updates?: boolean;
}

/**
 * Writes the runs of one import within one transaction of the caller. Tables and values must conform to the experiment.
 * Small runs are held and written together, since a statement costs more than a small run; `finish` writes the rest.
 */
export class RunWriter {
  readonly #engine: Engine;
  readonly #stored: StoredExperiment;
  /** Of the runs that have a number; the others get theirs with the next write. */
  readonly #numbers: number[] = [];
  readonly #presetNumbers: readonly number[];
  readonly #labels: RunLabels | undefined;
  #label: string | undefined;
  readonly #facts: ImportedRunFacts[] = [];
  readonly #inputs: ImportedInput[] = [];
  /** The first file with each SHA-256. */
  readonly #claimed = new Map<string, string>();
  #forced = false;
  #runs = 0;
  readonly #rows: RunRows;
  #ended: EndedRun[] = [];
  #sources: HeldSource[] = [];
  #heldCharacters = 0;
  /** Rows appended before files were claimed last. */
  #claimedRows = 0;
  /** Rows of the current run. */
  #written = 0;

  constructor(
    engine: Engine,
    stored: StoredExperiment,
    { numbers = [], labels, updates = false }: RunWriterOptions = {},
  ) {
    this.#engine = engine;
    this.#stored = stored;
    this.#presetNumbers = numbers;
    this.#labels = labels;
    this.#rows = new RunRows(engine, stored, { seen: updates, numbers: () => this.#assignNumbers() });
  }

  /** Numbers of the runs that have one; all have after `finish`. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** The label of the latest ended run. */
  get label(): string | undefined {
    return this.#label;
  }

  /** Written runs; all are after `finish`. */
  get runs(): readonly ImportedRunFacts[] {
    return this.#facts;
  }

  /** Gives a written run another label. */
  async relabel(number: number, label: string): Promise<void> {
    await this.#engine.execute("update run set label = $3 where experiment = $1 and number = $2", [
      this.#stored.id,
      number,
      label,
    ]);
    const at = this.#facts.findIndex((run) => run.number === number);
    this.#facts[at] = { ...(this.#facts[at] as ImportedRunFacts), label };
  }

  begin(): void {
    this.#runs += 1;
    this.#written = 0;
  }

  /** Adds rows to the current run. Database errors may be reported by a later call. */
  async rows(table: Table): Promise<void> {
    await this.#rows.add({ run: this.#runs - 1, before: this.#written, table });
    this.#written += table.length;
  }

  /**
   * Updates rows, including those just added, instead of adding new ones. The last of several rows with the same keys
   * wins. Fails with `unknown-column` if a key is not a column of the table.
   */
  async update(table: Table, update: RowsUpdate): Promise<void> {
    await this.#rows.finish();
    if (this.#rows.areHidden) throw new Error("an update that the import did not announce");
    const run = (await this.#assignNumbers()).at(-1) as number;
    this.#written += await updateRows(
      this.#engine,
      this.#stored,
      { run, written: this.#written },
      encodedColumns(this.#stored, table),
      update,
    );
  }

  /** Ends the current run and returns its number of rows. Database errors may be reported by a later call. */
  async end(once: Values, given: RunMetadata): Promise<number> {
    const facts = this.#labels ? { ...given, label: this.#labels.next(given.label, given.performed) } : given;
    this.#label = facts.label;
    const rows = this.#written;
    this.#ended.push({ run: this.#runs - 1, once, facts, rows });
    for (const value of once.values()) if (typeof value === "string") this.#heldCharacters += value.length;
    if (this.#ended.length >= maxHeldRuns || this.#heldCharacters >= maxHeldCharacters) await this.#flush();
    return rows;
  }

  /**
   * Records `source` as input number `ordinal` of the latest `runs` runs. Call it in the order of the inputs. Unless
   * forced, it or a later call fails with `already-imported` if an active run came from the same bytes, and it fails
   * with `given-twice` if one of these runs did.
   */
  async claim(runs: number, source: Source, force: boolean, ordinal = 0): Promise<void> {
    const other = this.#claimed.get(source.sha256);
    if (other !== undefined && !force) throw new Failure("given-twice", { path: source.path, other });
    this.#claimed.set(source.sha256, other ?? source.path);
    const positions = Array.from({ length: runs }, (_, at) => this.#runs - runs + at);
    this.#sources.push({ runs: positions, source, force, ordinal });
    this.#forced ||= force;
    // Duplicates of long files are refused soon.
    if (this.#sources.length >= maxHeldRuns || this.#rows.appended - this.#claimedRows >= batchRows)
      await this.#flush();
  }

  /** Writes everything that is held and returns the numbers of all runs. Fails like the other methods. */
  async finish(): Promise<readonly number[]> {
    await this.#flush();
    return this.#numbers;
  }

  /** The import as a ledger change after `finish`, so that it can be replayed. */
  change(how: ImportHow): ImportChange {
    return { kind: "import", how, inputs: this.#inputs, runs: this.#facts, force: this.#forced };
  }

  async #flush(): Promise<void> {
    await this.#rows.finish();
    await this.#assignNumbers();
    await this.#writeEnded();
    await this.#writeSources();
  }

  /** The numbers of all runs so far. */
  async #assignNumbers(): Promise<readonly number[]> {
    const preset = this.#presetNumbers.slice(this.#numbers.length, this.#runs);
    this.#numbers.push(...preset);
    const missing = this.#runs - this.#numbers.length;
    if (missing > 0) this.#numbers.push(...(await nextIds(this.#engine, runSequence(this.#stored.id), missing)));
    return this.#numbers;
  }

  async #writeEnded(): Promise<void> {
    const ended = this.#ended;
    if (ended.length === 0) return;
    const { id, experiment } = this.#stored;
    const variables = variablesOf(experiment, "once");
    const once = ended.map(({ run, once: values }) => [
      this.#numbers[run] as number,
      ...variables.map((variable) => encodeValue(values.get(variable.name) ?? null, variable)),
    ]);
    const names = variables.map(({ name }) => sqlNameOf(this.#stored, name));
    await this.#engine.append(onceTable(id), ["run", ...names], tableOf([runVariable, ...variables], once));
    const facts = ended.map(({ run, facts }) => ({ number: this.#numbers[run] as number, ...facts }));
    const rows = facts.map((each, at) => runRow(id, each.number, each, ended[at]?.rows ?? 0));
    await appendRows(this.#engine, "run", runColumns, rows);
    this.#facts.push(...facts);
    this.#ended = [];
    this.#heldCharacters = 0;
  }

  async #writeSources(): Promise<void> {
    const held = this.#sources;
    this.#claimedRows = this.#rows.appended;
    if (held.length === 0) return;
    await claimFiles(
      this.#engine,
      this.#stored,
      held.map(({ source: { path, sha256 }, force }) => ({ path, sha256, force })),
    );
    const numbered = held.map((each) => ({ ...each, runs: each.runs.map((run) => this.#numbers[run] as number) }));
    const { id } = this.#stored;
    await appendRows(
      this.#engine,
      "source",
      sourceColumns,
      numbered.flatMap(({ runs, ordinal, source }) => runs.map((run) => sourceRow(id, run, ordinal, source))),
    );
    this.#inputs.push(...numbered.map(({ source, runs }) => ({ ...source, runs })));
    this.#sources = [];
  }
}

function encodeValue(value: Value, variable: Variable): Value {
  return variable.type === "version" && value !== null ? versionKey(formatValue(value, variable.type)) : value;
}
