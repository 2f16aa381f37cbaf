import type { Failure } from "../../../../core/failures/failure.ts";
import type { Experiment } from "../../../../core/experiments/experiment.ts";
import type { Values } from "../../../../core/values/value.ts";
import type { Variable } from "../../../../core/variables/variable.ts";
import { decodeInput, type Encoding } from "../../../../formats/text/text-encoding.ts";
import { lineBlocks } from "../../../../formats/text/text-lines.ts";
import type { ByteSource, DescribedSource, ImportEvent, ImportGuide } from "../../importer.ts";
import { mergeInputs, type Input } from "./merge-inputs.ts";
import { StreamReading } from "./stream-reading.ts";

type StreamGuide = ImportGuide & { readonly description: NonNullable<ImportGuide["description"]> };

/**
 * Reads inputs by perfbase's rules (docs/input-descriptions.md). `encoding` applies to all of them; undefined:
 * detected.
 */
export async function* readStream(
  source: ByteSource,
  guide: StreamGuide,
  encoding: Encoding | undefined,
): AsyncGenerator<ImportEvent> {
  const { description, path, companionInputs = [], experiment, fixed = new Map() } = guide;
  const sources = [{ source, description, path }, ...companionInputs];
  const inputs = sources.map((each) => new StreamInput({ ...each, encoding }, experiment, fixed));
  const [first] = inputs;
  if (inputs.length > 1) yield* mergeInputs(inputs, experiment, guide.sequential ?? false);
  else if (first) yield* first.events();
  const failures = inputs.map((input) => input.failure);
  const failure = failures.every((each) => each !== undefined) ? failures[0] : undefined;
  if (failure) throw failure;
}

type Described = Omit<DescribedSource, "path"> & {
  readonly path: string | undefined;
  readonly encoding: Encoding | undefined;
};

/** One input, read lazily. */
class StreamInput implements Input {
  readonly reading: StreamReading;
  /** Set when the input does not match the description. */
  failure: Failure | undefined;
  readonly #source: ByteSource;
  readonly #encoding: Encoding | undefined;

  constructor({ source, description, path, encoding }: Described, experiment: Experiment, fixed: Values) {
    this.#source = source;
    this.#encoding = encoding;
    this.reading = new StreamReading({ description, experiment, fixed, path });
  }

  async *events(): AsyncGenerator<ImportEvent> {
    const halved = (): void => this.reading.reportHalfCharacter();
    for await (const block of lineBlocks(decodeInput(this.#source, this.#encoding, halved))) {
      const failure = this.reading.readBlock(block);
      yield* this.reading.events();
      if (failure) throw failure;
    }
    this.failure = this.reading.finish();
    yield* this.reading.events();
  }

  get current(): Values {
    return this.reading.current;
  }

  get variables(): readonly Variable[] {
    return this.reading.variables;
  }
}
