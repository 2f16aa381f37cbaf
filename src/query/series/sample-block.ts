import { type SubjectWorkload, WorkloadNames, workloadText } from "../../core/profiles/index.ts";
import type { Direction, Disturbance, Growth } from "../../core/measurements/index.ts";
import { formatUnit, type Unit } from "../../core/values/index.ts";
import type { MeasurementOrigins, SampleColumns } from "./measurements.ts";
import { isRegular, regularShape } from "./block-shape.ts";
import type { ColumnsAdder, MeasuredSubject, SeriesBuilder } from "./series-builder.ts";

/** The subject of numbers of a profile: one metric at one location. */
export interface SampledSubject {
  /** Key and benchmark are shared by all generated workloads. */
  readonly key: string;
  readonly benchmark: string;
  /** Absent: no generated workload. */
  readonly workload?: SubjectWorkload;
  readonly location: string;
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly better: Direction | undefined;
  /** Exponents of growth, which have a fixed direction. */
  readonly isGrowth: boolean;
}

/** The numbers of a few profiles in columns by subject. Plain data. */
export interface SampleBlock extends SampleColumns {
  /** By profile: the fingerprint of the machine; null: unknown. */
  readonly machines: readonly (string | null)[];
  /** By profile: what disturbed its measurement; null: nothing known. */
  readonly disturbances: readonly (Disturbance | null)[];
  /** By profile: the clock rate of the processors in MHz; null: unknown. */
  readonly clocks: readonly (number | null)[];
  /** By profile: the time of the loop measured next to it; null: none. */
  readonly canaries: readonly (number | null)[];
  /** By profile: whether it has calls. */
  readonly calls: readonly boolean[];
  readonly subjects: readonly SampledSubject[];
  /** Samples of subject i are `starts[i]` to before `starts[i + 1]`, in the order of the profiles. */
  readonly starts: Int32Array;
}

/** A sample of a block. */
export interface Sample {
  readonly subject: SampledSubject;
  readonly values: Float64Array;
  readonly growth?: Growth;
}

/** A profile, and the state of the machine when it was measured; null: unknown, or undisturbed. */
export interface ProfileState {
  readonly machine: string | null;
  readonly disturbance: Disturbance | null;
  readonly clock: number | null;
  readonly canary: number | null;
  readonly hasCalls: boolean;
}

/** The samples of one profile, one per subject, none empty. */
export function blockOfProfile(state: ProfileState, samples: readonly Sample[]): SampleBlock {
  const values = new Float64Array(samples.reduce((sum, sample) => sum + sample.values.length, 0));
  const ends = new Int32Array(samples.length);
  const growths = new Map<number, Growth>();
  for (let [at, end] = [0, 0]; at < samples.length; at++) {
    const { values: own, growth } = samples[at] as Sample;
    values.set(own, end);
    ends[at] = end += own.length;
    if (growth !== undefined) growths.set(at, growth);
  }
  return blockOfColumns(state, { subjects: samples.map(({ subject }) => subject), ends, values, growths });
}

/** The samples of one profile in columns: sample i is of subject i. */
export function blockOfColumns(
  { machine, disturbance, clock, canary, hasCalls }: ProfileState,
  samples: Pick<SampleBlock, "subjects" | "ends" | "values" | "growths">,
): SampleBlock {
  const { subjects, ends, values } = samples;
  const shape =
    values.length === subjects.length
      ? regularShape(subjects.length, 1)
      : { starts: Int32Array.from({ length: ends.length + 1 }, (_, at) => at), profiles: new Int32Array(ends.length) };
  return {
    machines: [machine],
    disturbances: [disturbance],
    clocks: [clock],
    canaries: [canary],
    calls: [hasCalls],
    ...samples,
    ...shape,
  };
}

/** Concatenates blocks. A subject whose unit changes occurs once per unit. */
export function concatenateBlocks(blocks: readonly SampleBlock[]): SampleBlock {
  const subjects = new SubjectNumbers();
  const numbers = blocks.map((block) => subjects.ofAll(block.subjects));
  const columns = regularColumns(blocks, subjects.all) ?? gatheredColumns(blocks, numbers, subjects.all.length);
  return {
    machines: blocks.flatMap((block) => block.machines),
    disturbances: blocks.flatMap((block) => block.disturbances),
    clocks: blocks.flatMap((block) => block.clocks),
    canaries: blocks.flatMap((block) => block.canaries),
    calls: blocks.flatMap((block) => block.calls),
    subjects: subjects.all,
    ...columns,
  };
}

type BlockColumns = Pick<SampleBlock, "starts" | "profiles" | "ends" | "values" | "growths">;

/** The columns of blocks of the same subjects, all with one value of each in each profile; undefined: others. */
function regularColumns(blocks: readonly SampleBlock[], subjects: readonly SampledSubject[]): BlockColumns | undefined {
  const isSame = (block: SampleBlock): boolean =>
    block.subjects === subjects && isRegular(block, subjects.length, block.machines.length) && block.growths.size === 0;
  if (!blocks.every(isSame)) return undefined;
  const count = blocks.reduce((sum, { machines }) => sum + machines.length, 0);
  const values = new Float64Array(subjects.length * count);
  let before = 0;
  for (const { machines, values: own } of blocks) {
    const { length } = machines;
    for (let subject = 0, from = 0; subject < subjects.length; subject++)
      for (let at = subject * count + before, end = at + length; at < end; at++) values[at] = own[from++] as number;
    before += length;
  }
  return { ...regularShape(subjects.length, count), values, growths: new Map() };
}

/** `numbers`: by block and own subject its number among all. */
function gatheredColumns(
  blocks: readonly SampleBlock[],
  numbers: readonly Int32Array[],
  subjects: number,
): BlockColumns {
  const starts = new Int32Array(subjects + 1);
  for (const [at, block] of blocks.entries()) countSamples(starts, block, numbers[at] as Int32Array);
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  const samples = starts.at(-1) as number;
  // Positions the samples first, then copies their values in that order.
  const [profiles, owners, origins] = [new Int32Array(samples), new Int32Array(samples), new Int32Array(samples)];
  const next = starts.slice();
  for (let [at, before] = [0, 0]; at < blocks.length; before += (blocks[at++] as SampleBlock).machines.length) {
    const block = blocks[at] as SampleBlock;
    for (let own = 0; own < block.subjects.length; own++) {
      const number = (numbers[at] as Int32Array)[own] as number;
      for (let i = block.starts[own] as number; i < (block.starts[own + 1] as number); i++) {
        const position = next[number] as number;
        next[number] = position + 1;
        profiles[position] = before + (block.profiles[i] as number);
        owners[position] = at;
        origins[position] = i;
      }
    }
  }
  return { starts, profiles, ...gatherValues(blocks, owners, origins) };
}

function countSamples(starts: Int32Array, block: SampleBlock, numbers: Int32Array): void {
  for (let own = 0; own < numbers.length; own++) {
    const at = (numbers[own] as number) + 1;
    starts[at] = (starts[at] as number) + (block.starts[own + 1] as number) - (block.starts[own] as number);
  }
}

/** Sample i is sample `positions[i]` of block `owners[i]`. */
function gatherValues(
  blocks: readonly SampleBlock[],
  owners: Int32Array,
  origins: Int32Array,
): Pick<SampleBlock, "ends" | "values" | "growths"> {
  const values = new Float64Array(blocks.reduce((sum, block) => sum + block.values.length, 0));
  const ends = new Int32Array(owners.length);
  const growths = new Map<number, Growth>();
  for (let [at, end] = [0, 0]; at < owners.length; ends[at++] = end) {
    const block = blocks[owners[at] as number] as SampleBlock;
    const position = origins[at] as number;
    for (let i = position === 0 ? 0 : (block.ends[position - 1] as number); i < (block.ends[position] as number); i++)
      values[end++] = block.values[i] as number;
    const growth = block.growths.get(position);
    if (growth !== undefined) growths.set(at, growth);
  }
  return { values, ends, growths };
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

/** Approximate size in bytes of the subjects of a block. */
export function subjectsSize(subjects: readonly SampledSubject[]): number {
  return subjects.reduce((sum, { workload }) => sum + (workload === undefined ? 200 : 500), 0);
}

/** Approximate size of a block in bytes without its subjects. */
export function blockSize({ profiles, values }: SampleBlock): number {
  return 8 * profiles.length + 8 * values.length;
}

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

/** Subjects by key, workload and unit. */
class SubjectNumbers {
  readonly #all: SampledSubject[] = [];
  readonly #lists = new Map<readonly SampledSubject[], Int32Array>();
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #words = new Map<Unit | undefined, string>();

  /** All subjects; the same list as that of all blocks if they share one. */
  get all(): readonly SampledSubject[] {
    const [first] = this.#lists.keys();
    return this.#lists.size === 1 && first?.length === this.#all.length ? first : this.#all;
  }

  /** The number of each subject of a list. */
  ofAll(subjects: readonly SampledSubject[]): Int32Array {
    const numbers = this.#lists.get(subjects) ?? Int32Array.from(subjects, (subject) => this.#of(subject));
    this.#lists.set(subjects, numbers);
    return numbers;
  }

  #of(subject: SampledSubject): number {
    const word = this.#word(subject.unit);
    const own = this.#numbers.get(word) ?? new Map<string, number>();
    if (own.size === 0) this.#numbers.set(word, own);
    const name = subject.workload === undefined ? subject.key : `${subject.key}\n${workloadText(subject.workload)}`;
    const known = own.get(name);
    if (known !== undefined) return known;
    own.set(name, this.#all.length);
    return this.#all.push(subject) - 1;
  }

  #word(unit: Unit | undefined): string {
    const known = this.#words.get(unit) ?? (unit === undefined ? "" : formatUnit(unit));
    this.#words.set(unit, known);
    return known;
  }
}
