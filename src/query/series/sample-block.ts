import { type SubjectWorkload, workloadText } from "../../core/profiles/index.ts";
import type { Direction, Disturbance, Growth } from "../../core/measurements/index.ts";
import { formatUnit, type Unit } from "../../core/values/index.ts";
import { type BlockShape, isRegular, regularShape, type SampleColumns } from "./measurements.ts";

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

/** Approximate size in bytes of the subjects of a block. */
export function subjectsSize(subjects: readonly SampledSubject[]): number {
  return subjects.reduce((sum, { workload }) => sum + (workload === undefined ? 200 : 500), 0);
}

/** Approximate size of a block in bytes without its subjects. */
export function blockSize({ profiles, values }: SampleBlock): number {
  return 8 * profiles.length + 8 * values.length;
}

/** A block without its subjects, which most blocks of a history have in common. Plain data. */
export interface StoredBlock extends Omit<SampleBlock, "subjects" | keyof BlockShape> {
  /** Names the subjects. */
  readonly subjects: string;
  /** null: regular. */
  readonly shape: BlockShape | null;
}

/** `subjects`: names the subjects of the block. */
export function storedBlock(block: SampleBlock, subjects: string): StoredBlock {
  const { starts, profiles, ends, subjects: own, ...rest } = block;
  const shape = isRegular(block, own.length, block.machines.length) ? null : { starts, profiles, ends };
  return { ...rest, subjects, shape };
}

export function restoredBlock(
  { shape, subjects: _, ...rest }: StoredBlock,
  subjects: readonly SampledSubject[],
): SampleBlock {
  const { starts, profiles, ends } = shape ?? regularShape(subjects.length, rest.machines.length);
  return { ...rest, subjects, starts, profiles, ends };
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
