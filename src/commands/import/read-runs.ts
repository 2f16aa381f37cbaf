import type { Experiment } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { InputDescription } from "../../formats/descriptions/index.ts";
import type { ByteSource, DescribedSource, ImportGuide, Importer } from "../../plugins/importers/importer.ts";
import { assembleRuns, type AssemblyOptions, type RunStep } from "../../workspace/import/index.ts";
import { concatenatedSource, ArchivedFile, type InputFile, type ArchiveOptions, type ReadFile } from "./input-files.ts";

/** Observes a reading: records the files read and the number of runs started. */
export class StartedRuns {
  readonly #files: ReadFile[] = [];
  #runs = 0;
  #failed = false;

  /** Completely read files. */
  get files(): readonly ReadFile[] {
    return this.#files;
  }

  /** Number of runs that a failed reading had started; 0 if it did not fail. */
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
      // A run starts with the first byte, even if that is invalid.
      if (ofThisFile === 0 && !isFailure(error, "unreadable-file")) this.#runs += 1;
      throw error;
    }
  }
}

/** Files to read with one description. */
export interface ReadInput {
  readonly description: InputDescription;
  /** Object of the description. */
  readonly descriptionObject?: Digest;
  /** Concatenated. */
  readonly files: readonly InputFile[];
}

/** Inputs that make up the same runs. */
export interface ReadTogether {
  readonly inputs: readonly [ReadInput, ...ReadInput[]];
}

/** Parts of runs; the steps of each reading are enclosed by `reading` and `read`. */
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
  readonly archive: ArchiveOptions;
  readonly notice: (file: string, line: number, text: string) => void;
}

/** Reads all inputs of an import in order. Failures name the file, unless they name a location in a description. */
export async function* readRuns(
  readings: readonly ReadTogether[],
  options: ReadingOptions,
): AsyncGenerator<ImportStep> {
  for (const { inputs } of readings) {
    const opened = inputs.map((input) => open(input, options.archive));
    const all = opened.flatMap(({ files }) => files);
    const name = all.map(({ file }) => file.path).join(", ");
    const [{ descriptionObject, files: named }] = inputs;
    const [first] = named;
    try {
      yield {
        kind: "reading",
        ...(descriptionObject ? { description: descriptionObject } : {}),
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
  readonly files: readonly ArchivedFile[];
}

function open({ description, descriptionObject, files: inputs }: ReadInput, options: ArchiveOptions): OpenedInput {
  const files = inputs.map((file) => new ArchivedFile(file, descriptionObject, options));
  const [first] = files;
  const source: ByteSource = files.length === 1 && first ? first.source() : concatenatedSource(files);
  return { files, source, description, path: inputs[0]?.path ?? "-" };
}

function pieces(
  [first, ...companions]: readonly OpenedInput[],
  name: string,
  options: ReadingOptions,
): AsyncGenerator<RunStep> {
  const { experiment, importer, settings, sequential, fixed } = options;
  if (first === undefined) throw new Failure("missing-operand", { index: 1 });
  const { source, description, path } = first;
  const together = companions.length > 0 ? { companionInputs: companions, sequential } : {};
  const guide: ImportGuide = { experiment, description, path, fixed, ...together };
  const notice = (line: number, text: string): void => options.notice(name, line, text);
  return assembleRuns(importer.read(source, settings, guide), experiment, { ...options, notice });
}

/** Options of the importer by descriptions. */
export function readingSettings(how: { readonly encoding?: string; readonly locale?: string }): Map<string, string> {
  const { encoding, locale } = how;
  return new Map([
    ...(encoding === undefined ? [] : [["encoding", encoding] as const]),
    ...(locale === undefined ? [] : [["locale", locale] as const]),
  ]);
}
