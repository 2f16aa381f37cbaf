import { WorkloadNames } from "../../core/profiles/index.ts";
import type { Direction } from "../../core/measurements/index.ts";
import type { MeasurementOrigins } from "./measurements.ts";
import type { Sample, SampleBlock, SampledSubject } from "./sample-block.ts";
import type { ColumnsAdder, MeasuredSubject, SeriesBuilder } from "./series-builder.ts";

export interface BlockChoice {
  readonly isWanted: (location: string) => boolean;
  /** Overrides the direction of all metrics except growth. */
  readonly better: Direction | undefined;
  /** Names of all subjects in the blocks of a history. */
  readonly names: WorkloadNames;
}

/** Names of the subjects in these blocks. */
export function namesIn(blocks: readonly SampleBlock[]): WorkloadNames {
  return new WorkloadNames([...new Set(blocks.map(({ subjects }) => subjects))].flat());
}

/** Adds blocks to series. Blocks with the same subjects choose them once. */
export class BlockAdder {
  readonly #builder: SeriesBuilder;
  readonly #choice: BlockChoice;
  #last: ChosenSubjects | undefined;

  constructor(builder: SeriesBuilder, choice: BlockChoice) {
    [this.#builder, this.#choice] = [builder, choice];
  }

  /** `origins`: the origins of the profiles of the block. */
  add(block: SampleBlock, origins: MeasurementOrigins): void {
    const { measured, adders } = this.#chosen(block.subjects);
    if (adders === null) return this.#addInOrder(block, origins, measured);
    for (let at = 0; at < adders.length; at++)
      adders[at]?.(block, origins, block.starts[at] as number, block.starts[at + 1] as number);
  }

  #chosen(subjects: readonly SampledSubject[]): ChosenSubjects {
    if (this.#last?.subjects === subjects) return this.#last;
    const measured = subjects.map((subject) => this.#measured(subject));
    const keys = measured.flatMap((each) => each?.key ?? []);
    const areUnique = new Set(keys).size === keys.length;
    const adders = areUnique
      ? measured.map((each) => (each === undefined ? undefined : this.#builder.open(each)))
      : null;
    this.#last = { subjects, measured, adders };
    return this.#last;
  }

  #measured(subject: SampledSubject): MeasuredSubject | undefined {
    const { isWanted, better, names } = this.#choice;
    if (!isWanted(subject.location)) return undefined;
    const own = better === undefined || subject.isGrowth ? subject.better : better;
    const { metric, unit } = subject;
    return { source: "profile", ...names.of(subject, subject.workload), metric, unit, better: own };
  }

  /** Subjects whose unit changes have one key: their samples are added in the order of the profiles. */
  #addInOrder(
    block: SampleBlock,
    { origins, evidence }: MeasurementOrigins,
    measured: ChosenSubjects["measured"],
  ): void {
    const chosen = new Map(block.subjects.map((subject, at) => [subject, measured[at]]));
    for (const { sample, profile } of [...samplesOf(block)].sort((a, b) => a.profile - b.profile)) {
      const [subject, origin, object] = [chosen.get(sample.subject), origins[profile], evidence[profile]];
      if (subject !== undefined && origin !== undefined && object !== undefined)
        this.#builder.add(subject, origin, object, sample.values, sample.growth);
    }
  }
}

interface ChosenSubjects {
  readonly subjects: readonly SampledSubject[];
  /** By subject; undefined: not wanted. */
  readonly measured: readonly (MeasuredSubject | undefined)[];
  /** null: two of them have the same key. */
  readonly adders: readonly (ColumnsAdder | undefined)[] | null;
}

/** Each sample with its profile. Samples of one key are in profile order, unless the unit changes. */
function* samplesOf(block: SampleBlock): Generator<{ readonly sample: Sample; readonly profile: number }> {
  for (const [at, subject] of block.subjects.entries()) {
    for (let i = block.starts[at] as number; i < (block.starts[at + 1] as number); i++) {
      const values = block.values.subarray(i === 0 ? 0 : block.ends[i - 1], block.ends[i]);
      const growth = block.growths.get(i);
      yield {
        sample: growth === undefined ? { subject, values } : { subject, values, growth },
        profile: block.profiles[i] as number,
      };
    }
  }
}
