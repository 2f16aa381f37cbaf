import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { DescribedSource, ImportEvent, ImportGuide, Importer } from "../../plugins/importers/importer.ts";
import { ArchivedFile, concatenatedSource, type ArchiveOptions, type ReadFile } from "./input-files.ts";
import { LastNumber } from "./last-number.ts";
import type { ReadInput, ReadTogether } from "./locate.ts";

/** An input whose bytes become events while they are read. */
export interface DecodedInput {
  /** The paths of its files, for messages. */
  readonly name: string;
  /** Object of its description. */
  readonly description?: Digest;
  /** Modification time of its first file, microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  events(): AsyncIterable<ImportEvent>;
  /** Call after the last event: returns the files, whose bytes are handed to the store. Fails with `file-changed`. */
  finish(): Promise<readonly ReadFile[]>;
  /** Releases resources; unfinished files are not stored. */
  discard(): Promise<void>;
}

export interface DecodingOptions {
  readonly experiment: Experiment;
  readonly importer: Importer;
  /** Options of the importer. */
  readonly settings: Values;
  /** Read several inputs of a run one after the other instead of row by row. */
  readonly sequential: boolean;
  /** Values from options. */
  readonly fixed: Values;
  readonly archive: ArchiveOptions;
}

/** Step 2 of an import by descriptions: opens the inputs one after the other, lazily. */
export function* decode(readings: Iterable<ReadTogether>, options: DecodingOptions): Generator<DecodedInput> {
  for (const { inputs } of readings) {
    const opened = inputs.map((input) => open(input, options.archive));
    const files = opened.flatMap((each) => each.files);
    const [{ descriptionObject, files: named }] = inputs;
    const [first] = named;
    yield {
      name: files.map(({ file }) => file.path).join(", "),
      ...(descriptionObject ? { description: descriptionObject } : {}),
      ...(first?.modified === undefined ? {} : { modified: first.modified }),
      events: () => eventsOf(opened, options),
      finish: () => finishAll(files),
      discard: async () => {
        for (const file of files) await file.discard();
      },
    };
  }
}

interface OpenedInput extends DescribedSource {
  readonly files: readonly ArchivedFile[];
}

function open({ description, descriptionObject, files: inputs }: ReadInput, options: ArchiveOptions): OpenedInput {
  const files = inputs.map((file) => new ArchivedFile(file, descriptionObject, options));
  const [first] = files;
  const source = files.length === 1 && first ? first.source() : concatenatedSource(files);
  return { files, source, description, path: inputs[0]?.path ?? "-" };
}

async function* eventsOf(
  [first, ...companions]: readonly OpenedInput[],
  { experiment, importer, settings, sequential, fixed }: DecodingOptions,
): AsyncGenerator<ImportEvent> {
  if (first === undefined) throw new Failure("missing-operand", { index: 1 });
  const { source, description, path } = first;
  const together = companions.length > 0 ? { companionInputs: companions, sequential } : {};
  const guide: ImportGuide = { experiment, description, path, fixed, ...together };
  const last = new LastNumber();
  yield* importer.read(last.watch(source), settings, guide);
  yield* last.notices();
}

async function finishAll(files: readonly ArchivedFile[]): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const file of files) read.push(await file.finish());
  return read;
}

/** Options of the importer by descriptions. */
export function readingSettings(how: { readonly encoding?: string; readonly locale?: string }): Map<string, string> {
  const { encoding, locale } = how;
  return new Map([
    ...(encoding === undefined ? [] : [["encoding", encoding] as const]),
    ...(locale === undefined ? [] : [["locale", locale] as const]),
  ]);
}
