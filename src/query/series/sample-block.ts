import { type SubjectWorkload, WorkloadNames, workloadText } from "../../core/profiles/index.ts";
import type { Direction, Disturbance, Growth } from "../../core/measurements/index.ts";
import { formatUnit, type Unit } from "../../core/values/index.ts";
import type { MeasurementOrigins, SampleColumns } from "./measurements.ts";
import type { MeasuredSubject, SeriesBuilder } from "./series-builder.ts";

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
export function blockOfProfile(
  { machine, disturbance, clock, canary, hasCalls }: ProfileState,
  samples: readonly Sample[],
): SampleBlock {
  const values = new Float64Array(samples.reduce((sum, sample) => sum + sample.values.length, 0));
  const ends = new Int32Array(samples.length);
  const growths = new Map<number, Growth>();
  for (let [at, end] = [0, 0]; at < samples.length; at++) {
    const { values: own, growth } = samples[at] as Sample;
    values.set(own, end);
    ends[at] = end += own.length;
    if (growth !== undefined) growths.set(at, growth);
  }
  return {
    machines: [machine],
    disturbances: [disturbance],
    clocks: [clock],
    canaries: [canary],
    calls: [hasCalls],
    subjects: samples.map(({ subject }) => subject),
    starts: Int32Array.from({ length: samples.length + 1 }, (_, at) => at),
    profiles: new Int32Array(samples.length),
    ends,
    values,
    growths,
  };
}

/** Concatenates blocks. A subject whose unit changes occurs once per unit. */
export function concatenateBlocks(blocks: readonly SampleBlock[]): SampleBlock {
  const subjects = new SubjectNumbers();
  const numbers = blocks.map((block) => Int32Array.from(block.subjects, (subject) => subjects.of(subject)));
  const starts = new Int32Array(subjects.all.length + 1);
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
  const machines = blocks.flatMap((block) => block.machines);
  const disturbances = blocks.flatMap((block) => block.disturbances);
  const [clocks, canaries] = [blocks.flatMap((block) => block.clocks), blocks.flatMap((block) => block.canaries)];
  const calls = blocks.flatMap((block) => block.calls);
  const state = { machines, disturbances, clocks, canaries, calls };
  return { ...state, subjects: subjects.all, starts, profiles, ...gatherValues(blocks, owners, origins) };
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

/** Approximate size of a block in bytes. */
export function blockSize({ subjects, profiles, values }: SampleBlock): number {
  const names = subjects.reduce((sum, { workload }) => sum + (workload === undefined ? 200 : 500), 0);
  return names + 8 * profiles.length + 8 * values.length;
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
  return new WorkloadNames(blocks.flatMap(({ subjects }) => subjects));
}

/** Adds the samples of a block to series; `origins`: the origins of its profiles. */
export function addBlock(
  builder: SeriesBuilder,
  block: SampleBlock,
  origins: MeasurementOrigins,
  { isWanted, better, names }: BlockChoice,
): void {
  const chosen = new Map<SampledSubject, MeasuredSubject>();
  for (const subject of block.subjects) {
    if (!isWanted(subject.location)) continue;
    const own = better === undefined || subject.isGrowth ? subject.better : better;
    const { metric, unit } = subject;
    chosen.set(subject, { source: "profile", ...names.of(subject, subject.workload), metric, unit, better: own });
  }
  const keys = new Set([...chosen.values()].map(({ key }) => key));
  if (keys.size === chosen.size) {
    for (const [at, subject] of block.subjects.entries()) {
      const measured = chosen.get(subject);
      if (measured !== undefined)
        builder.addColumns(measured, block, origins, block.starts[at] as number, block.starts[at + 1] as number);
    }
    return;
  }
  for (const { sample, profile } of [...samplesOf(block)].sort((a, b) => a.profile - b.profile)) {
    const [subject, origin, evidence] = [
      chosen.get(sample.subject),
      origins.origins[profile],
      origins.evidence[profile],
    ];
    if (subject !== undefined && origin !== undefined && evidence !== undefined)
      builder.add(subject, origin, evidence, sample.values, sample.growth);
  }
}

/** Subjects by key, workload and unit. */
class SubjectNumbers {
  readonly all: SampledSubject[] = [];
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #words = new Map<Unit | undefined, string>();

  of(subject: SampledSubject): number {
    const word = this.#word(subject.unit);
    const own = this.#numbers.get(word) ?? new Map<string, number>();
    if (own.size === 0) this.#numbers.set(word, own);
    const name = subject.workload === undefined ? subject.key : `${subject.key}\n${workloadText(subject.workload)}`;
    const known = own.get(name);
    if (known !== undefined) return known;
    own.set(name, this.all.length);
    return this.all.push(subject) - 1;
  }

  #word(unit: Unit | undefined): string {
    const known = this.#words.get(unit) ?? (unit === undefined ? "" : formatUnit(unit));
    this.#words.set(unit, known);
    return known;
  }
}
