import type { MissingPolicy } from "../core/conform.ts";
import type { Digest, VersionId } from "../core/digest.ts";
import { Failure, isFailure } from "../core/errors.ts";
import { variableOf, variablesOf, type Experiment } from "../core/experiment.ts";
import { tableOf } from "../core/table-builder.ts";
import type { Table } from "../core/table.ts";
import { parseValue, type Value, type Values } from "../core/value.ts";
import type { InputDescription } from "../formats/input-description.ts";
import { parseInput } from "../formats/input.ts";
import type { ByteSource, ImportEvent } from "../plugins/importers/importer.ts";
import { parseContent } from "../query/content.ts";
import type { StoredExperiment } from "../store/catalogue.ts";
import type { Experiments } from "../store/experiments.ts";
import type { RunFacts, RunWriter, Source } from "../store/insert.ts";
import { RawDigest, RawFile, spool } from "../store/raw-file.ts";
import { experimentHome, withExperiments, type ExperimentHome } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { assembleRuns, type AssemblyOptions, type RunSink } from "./assemble-runs.ts";

export interface ImportOptions {
  readonly experiment: string;
  /** The input description. */
  readonly description: string;
  /** Each is a run (or several, where the description separates them); `-` is standard input. */
  readonly files: readonly string[];
  /** Contents given as name and text; they win over the input. */
  readonly fixed: readonly (readonly [name: string, content: string])[];
  readonly missing: MissingPolicy;
  /** Import although an active run came from the same bytes. */
  readonly force: boolean;
  readonly label?: string;
  readonly synopsis?: string;
  /** When it was measured, as a timestamp; now when absent. */
  readonly performed?: string;
  readonly database?: string;
  /** When given nothing is stored: everything that would be goes here. */
  readonly preview?: RunPreview;
  readonly notice: (file: string, line: number, text: string) => void;
  /** Bytes read so far of all files; `total` is unknown with standard input. */
  readonly progress: (bytes: number, total: number | undefined) => void;
}

/** Is shown what would be stored, in the order of the input. */
export interface RunPreview extends Omit<RunSink, "end"> {
  /** The contents of the run's once variables, as a table of one row. */
  end(once: Table): Promise<void>;
}

export interface ImportResult {
  readonly experiment: string;
  readonly runs: readonly ImportedRun[];
  /** The version the runs belong to, inside a repository that has one. */
  readonly version?: VersionId;
  readonly dirty?: boolean;
  readonly stored: boolean;
}

export interface ImportedRun {
  readonly file: string;
  /** Number of the run; absent when nothing was stored. */
  readonly run?: number;
  readonly dataSets: number;
}

/**
 * Reads files by an input description. All of them are stored, or none: each is read once, while it is parsed, hashed and kept.
 * Fails with `already-imported`, `nothing-found`, `missing-content` and what else an input can be wrong in.
 */
export async function importFiles(workspace: Workspace, options: ImportOptions): Promise<ImportResult> {
  const home = experimentHome(workspace, options.database);
  const description = workspace.files.read(options.description);
  const parsed = parseInput(new TextDecoder().decode(description), options.description);
  const link = await currentVersion(workspace);
  return withExperiments(workspace, home, options.preview === undefined ? "write" : "read", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const task = new Import(workspace, home, options, stored, parsed);
    const { name } = stored.experiment;
    if (options.preview !== undefined)
      return { experiment: name, runs: await task.preview(experiments, options.preview), ...link, stored: false };
    const kept = home.objects.put("attachment", "input", description).digest;
    const runs = await experiments.import(stored, task.now, (writer) => task.store(writer, { ...task.facts(kept), ...link }));
    return { experiment: name, runs, ...link, stored: true };
  });
}

/** Outside of a repository, and before its first commit, runs belong to no version. */
async function currentVersion(workspace: Workspace): Promise<{ version?: VersionId; dirty?: boolean }> {
  try {
    const vcs = await workspace.vcs();
    return { version: await vcs.head(), dirty: await vcs.isDirty() };
  } catch (error) {
    if (isFailure(error, "not-a-repository") || isFailure(error, "no-versions-yet") || isFailure(error, "vcs-missing")) return {};
    throw error;
  }
}

class Import {
  readonly now: number;
  readonly #workspace: Workspace;
  readonly #home: ExperimentHome;
  readonly #options: ImportOptions;
  readonly #stored: StoredExperiment;
  readonly #description: InputDescription;
  readonly #fixed: Values;
  readonly #performed: number;
  #bytes = 0;

  constructor(workspace: Workspace, home: ExperimentHome, options: ImportOptions, stored: StoredExperiment, description: InputDescription) {
    this.now = workspace.world.now() * 1000;
    this.#workspace = workspace;
    this.#home = home;
    this.#options = options;
    this.#stored = stored;
    this.#description = description;
    this.#fixed = fixedValues(options.fixed, stored.experiment);
    this.#performed = performedAt(options.performed) ?? this.now;
  }

  facts(description: Digest): RunFacts {
    const { label, synopsis } = this.#options;
    const performer = this.#workspace.world.environment["USER"];
    return {
      created: this.now,
      performed: this.#performed,
      ...(performer ? { performer } : {}),
      ...(label === undefined ? {} : { label }),
      ...(synopsis === undefined ? {} : { synopsis }),
      description,
    };
  }

  /** Imports all files; the numbers of their runs follow one another. */
  async store(writer: RunWriter, facts: RunFacts): Promise<ImportedRun[]> {
    const imported: ImportedRun[] = [];
    for (const file of this.#options.files) {
      const first = writer.numbers.length;
      const sizes: number[] = [];
      const source = await this.#keep(file, (bytes) =>
        this.#assemble(file, bytes, {
          begin: () => writer.begin(),
          rows: (table) => writer.rows(table),
          end: async (once) => void sizes.push(await writer.end(once, facts)),
        }),
      );
      const runs = writer.numbers.slice(first);
      await writer.claim(runs, source, this.#options.force);
      imported.push(...runs.map((run, index) => ({ file, run, dataSets: sizes[index] ?? 0 })));
    }
    return imported;
  }

  async preview(experiments: Experiments, sink: RunPreview): Promise<ImportedRun[]> {
    const { experiment } = this.#stored;
    const variables = variablesOf(experiment, "once");
    const seen = new Set<string>();
    const found: ImportedRun[] = [];
    for (const file of this.#options.files) {
      const digest = new RawDigest();
      let dataSets = 0;
      await this.#assemble(file, this.#passing(this.#workspace.files.stream(file), digest), {
        begin: () => sink.begin(),
        rows: (table) => ((dataSets += table.length), sink.rows(table)),
        end: async (once) => {
          await sink.end(tableOf(variables, [variables.map(({ name }) => once.get(name) ?? null)]));
          found.push({ file, dataSets });
          dataSets = 0;
        },
      });
      const sha256 = digest.hex();
      if (!this.#options.force) {
        if (seen.has(sha256)) throw new Failure("already-imported", { path: file, experiment: experiment.name, run: "of this import" });
        await experiments.refuseDuplicate(this.#stored, file, sha256);
      }
      seen.add(sha256);
    }
    return found;
  }

  /** Reads a file once; what `parse` leaves is read all the same, since the bytes are kept. */
  async #keep(file: string, parse: (bytes: ByteSource) => Promise<void>): Promise<Source> {
    const { files } = this.#workspace;
    const facts = file === "-" ? null : files.inspect(file);
    const spooled = facts === null ? await spool(this.#home.objects.folder, files.stream(file)) : null;
    try {
      const raw = new RawFile(this.#home.objects.folder, spooled?.bytes ?? facts?.size ?? 0);
      try {
        const bytes = this.#passing(spooled?.stream() ?? files.stream(file), raw);
        await parse(keptOpen(bytes));
        for await (const _ of bytes);
        const kept = await raw.finish(file);
        return { path: file, ...kept, ...(facts === null ? {} : { modified: facts.modified * 1e6 }) };
      } catch (error) {
        raw.discard();
        throw error;
      }
    } finally {
      spooled?.discard();
    }
  }

  async *#passing(source: ByteSource, witness: { write(chunk: Uint8Array): Promise<void> }): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of source) {
      await witness.write(chunk);
      this.#bytes += chunk.length;
      this.#options.progress(this.#bytes, this.#total());
      yield chunk;
    }
  }

  #total(): number | undefined {
    const sizes = this.#options.files.map((file) => (file === "-" ? undefined : this.#workspace.files.inspect(file)?.size));
    return sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
  }

  async #assemble(file: string, bytes: ByteSource, sink: RunSink): Promise<void> {
    const { missing, notice } = this.#options;
    const assembly: AssemblyOptions = { fixed: this.#fixed, missing, notice: (line, text) => notice(file, line, text) };
    try {
      await assembleRuns(await this.#events(bytes), this.#stored.experiment, assembly, sink);
    } catch (error) {
      throw error instanceof Failure && error.code !== "description-error" ? error.at(file) : error;
    }
  }

  async #events(bytes: ByteSource): Promise<AsyncIterable<ImportEvent>> {
    const importer = await this.#workspace.registry.get("importer", "description");
    return importer.read(bytes, new Map(), { experiment: this.#stored.experiment, description: this.#description, fixed: this.#fixed });
  }
}

/** The same bytes, which stay open for others when their reader has had enough. */
function keptOpen(bytes: ByteSource): ByteSource {
  const iterator = bytes[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
}

function performedAt(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(parseValue(text, { name: "performed", type: "timestamp" }));
}

function fixedValues(fixed: ImportOptions["fixed"], experiment: Experiment): Values {
  const values = new Map<string, Value>();
  for (const [name, content] of fixed) {
    const variable = variableOf(experiment, name);
    if (values.has(variable.name)) throw new Failure("fixed-twice", { variable: variable.name });
    values.set(variable.name, parseContent(content, variable));
  }
  return values;
}
