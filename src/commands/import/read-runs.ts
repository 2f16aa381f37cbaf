import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Values } from "../../core/values/value.ts";
import type { Digest } from "../../core/versions/digest.ts";
import type { InputDescription } from "../../formats/descriptions/input/input-description.ts";
import type { ByteSource, DescribedSource, ImportGuide, Importer } from "../../plugins/importers/importer.ts";
import { assembleRuns, type AssemblyOptions, type RunStep } from "../../workspace/import/assemble-runs.ts";
import { joinedSource, PassingFile, type InputFile, type PassingOptions, type ReadFile } from "./input-files.ts";

/** Follows a reading, to know which files it has read and how many runs it began. */
export class BegunRuns {
  readonly #files: ReadFile[] = [];
  #runs = 0;
  #failed = false;

  /** Files that were read to their end. */
  get files(): readonly ReadFile[] {
    return this.#files;
  }

  /** How many runs a reading that failed had begun; 0 when it did not fail. */
  get lost(): number {
    return this.#failed ? this.#runs : 0;
  }

  async *follow(steps: AsyncIterable<ImportStep>): AsyncGenerator<ImportStep> {
    let ofThisFile = 0;
    try {
      for await (const step of steps) {
        if (step.kind === "reading") ofThisFile = 0;
        else if (step.kind === "read") this.#files.push(...step.files);
        else if (step.kind === "begin") {
          ofThisFile += 1;
          this.#runs += 1;
        }
        yield step;
      }
    } catch (error) {
      this.#failed = !isFailure(error, "interrupted");
      // A run begins with the first byte, though it may be wrong before anything comes of it.
      if (ofThisFile === 0 && !isFailure(error, "unreadable-file")) this.#runs += 1;
      throw error;
    }
  }
}

/** What is to be read by one description. */
export interface ReadInput {
  readonly description: InputDescription;
  /** The object that keeps the description. */
  readonly kept?: Digest;
  /** Read as one. */
  readonly files: readonly InputFile[];
}

/** Inputs that make up the same runs. */
export interface ReadTogether {
  readonly inputs: readonly [ReadInput, ...ReadInput[]];
}

/** Pieces of runs; before and behind those of each reading, what it reads. */
export type ImportStep =
  | RunStep
  | { readonly kind: "reading"; readonly description?: Digest; readonly modified?: number }
  | { readonly kind: "read"; readonly files: readonly ReadFile[] };

export interface ReadingOptions extends Omit<AssemblyOptions, "notice"> {
  readonly experiment: Experiment;
  readonly importer: Importer;
  /** Options of the importer. */
  readonly settings: Values;
  readonly sequential: boolean;
  readonly passing: PassingOptions;
  readonly notice: (file: string, line: number, text: string) => void;
}

/** Reads all that an import reads, in order. Failures name the file, unless they name a place in a description. */
export async function* readRuns(
  readings: readonly ReadTogether[],
  options: ReadingOptions,
): AsyncGenerator<ImportStep> {
  for (const { inputs } of readings) {
    const opened = inputs.map((input) => open(input, options.passing));
    const all = opened.flatMap(({ files }) => files);
    const name = all.map(({ file }) => file.path).join(", ");
    const [{ kept, files: named }] = inputs;
    const [first] = named;
    try {
      yield {
        kind: "reading",
        ...(kept ? { description: kept } : {}),
        ...(first?.modified === undefined ? {} : { modified: first.modified }),
      };
      yield* pieces(opened, name, options);
      const files: ReadFile[] = [];
      for (const file of all) files.push(await file.finish());
      yield { kind: "read", files };
    } catch (error) {
      throw error instanceof Failure && error.code !== "description-error" ? error.at(name) : error;
    } finally {
      for (const file of all) await file.discard();
    }
  }
}

interface OpenedInput extends DescribedSource {
  readonly files: readonly PassingFile[];
}

function open({ description, kept, files: inputs }: ReadInput, options: PassingOptions): OpenedInput {
  const files = inputs.map((file) => new PassingFile(file, kept, options));
  const [first] = files;
  const source: ByteSource = files.length === 1 && first ? first.source() : joinedSource(files);
  return { files, source, description, path: inputs[0]?.path ?? "-" };
}

function pieces(
  [first, ...beside]: readonly OpenedInput[],
  name: string,
  options: ReadingOptions,
): AsyncGenerator<RunStep> {
  const { experiment, importer, settings, sequential, fixed } = options;
  if (first === undefined) throw new Failure("missing-operand", { index: 1 });
  const { source, description, path } = first;
  const together = beside.length > 0 ? { beside, sequential } : {};
  const guide: ImportGuide = { experiment, description, path, fixed, ...together };
  const notice = (line: number, text: string): void => options.notice(name, line, text);
  return assembleRuns(importer.read(source, settings, guide), experiment, { ...options, notice });
}
