import { type SubjectWorkload, WorkloadNames, workloadText } from "../../core/profiles/profile-subject.ts";
import type { Better, Growth } from "../../core/measurements/series.ts";
import { formatUnit, type Unit } from "../../core/values/unit.ts";
import type { MeasurementOrigins, MeasuredSubject, SampleColumns, SeriesBuilder } from "./series-builder.ts";

/** What the numbers of a profile are of, one kind at one location. */
export interface SampledSubject {
  /** This and the benchmark are those of all generated workloads together. */
  readonly key: string;
  readonly benchmark: string;
  /** Absent: it was not measured with a generated one. */
  readonly workload?: SubjectWorkload;
  readonly location: string;
  readonly metric: string;
  readonly unit: Unit | undefined;
  readonly better: Better | undefined;
  /** The exponents of a growth: which way is better is no question then. */
  readonly isGrowth: boolean;
}

/** The numbers of a few profiles, one after the other, in columns by subject. Plain data. */
export interface SampleBlock extends SampleColumns {
  /** By profile: the fingerprint of the machine, as far as it is known. */
  readonly machines: readonly (string | null)[];
  readonly subjects: readonly SampledSubject[];
  /** Samples of subject i are those from `starts[i]` to before `starts[i + 1]`, in the order of the profiles. */
  readonly starts: Int32Array;
}

/** A sample on its way into a block. */
export interface Sample {
  readonly subject: SampledSubject;
  readonly values: Float64Array;
  readonly growth?: Growth;
}

/** The samples of one profile, of each subject one; none is empty. */
export function blockOfProfile(machine: string | null, samples: readonly Sample[]): SampleBlock {
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
    subjects: samples.map(({ subject }) => subject),
    starts: Int32Array.from({ length: samples.length + 1 }, (_, at) => at),
    profiles: new Int32Array(samples.length),
    ends,
    values,
    growths,
  };
}

/** Blocks one after the other as one. A subject whose unit changes is there once for each unit. */
export function joinedBlocks(blocks: readonly SampleBlock[]): SampleBlock {
  const subjects = new SubjectNumbers();
  const numbers = blocks.map((block) => Int32Array.from(block.subjects, (subject) => subjects.of(subject)));
  const starts = new Int32Array(subjects.all.length + 1);
  for (const [at, block] of blocks.entries()) countSamples(starts, block, numbers[at] as Int32Array);
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  const samples = starts.at(-1) as number;
  // Samples are put where they belong, then their values after those of the samples before.
  const [profiles, owners, places] = [new Int32Array(samples), new Int32Array(samples), new Int32Array(samples)];
  const next = starts.slice();
  for (let [at, before] = [0, 0]; at < blocks.length; before += (blocks[at++] as SampleBlock).machines.length) {
    const block = blocks[at] as SampleBlock;
    for (let own = 0; own < block.subjects.length; own++) {
      const number = (numbers[at] as Int32Array)[own] as number;
      for (let i = block.starts[own] as number; i < (block.starts[own + 1] as number); i++) {
        const place = next[number] as number;
        next[number] = place + 1;
        profiles[place] = before + (block.profiles[i] as number);
        owners[place] = at;
        places[place] = i;
      }
    }
  }
  const machines = blocks.flatMap((block) => block.machines);
  return { machines, subjects: subjects.all, starts, profiles, ...gatheredValues(blocks, owners, places) };
}

function countSamples(starts: Int32Array, block: SampleBlock, numbers: Int32Array): void {
  for (let own = 0; own < numbers.length; own++) {
    const at = (numbers[own] as number) + 1;
    starts[at] = (starts[at] as number) + (block.starts[own + 1] as number) - (block.starts[own] as number);
  }
}

/** Sample i is that at `places[i]` of block `owners[i]`. */
function gatheredValues(
  blocks: readonly SampleBlock[],
  owners: Int32Array,
  places: Int32Array,
): Pick<SampleBlock, "ends" | "values" | "growths"> {
  const values = new Float64Array(blocks.reduce((sum, block) => sum + block.values.length, 0));
  const ends = new Int32Array(owners.length);
  const growths = new Map<number, Growth>();
  for (let [at, end] = [0, 0]; at < owners.length; ends[at++] = end) {
    const block = blocks[owners[at] as number] as SampleBlock;
    const place = places[at] as number;
    for (let i = place === 0 ? 0 : (block.ends[place - 1] as number); i < (block.ends[place] as number); i++)
      values[end++] = block.values[i] as number;
    const growth = block.growths.get(place);
    if (growth !== undefined) growths.set(at, growth);
  }
  return { values, ends, growths };
}

/**
 * Each sample with its profile. Those of one key are in the order of the profiles, unless its unit changes between
 * them.
 */
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

/** Bytes that a block takes, roughly. */
export function blockSize({ subjects, profiles, values }: SampleBlock): number {
  const names = subjects.reduce((sum, { workload }) => sum + (workload === undefined ? 200 : 500), 0);
  return names + 8 * profiles.length + 8 * values.length;
}

export interface BlockChoice {
  readonly isWanted: (location: string) => boolean;
  /** Which way is better for all but growths, whatever the profiles say. */
  readonly better: Better | undefined;
  /** Those of all subjects in the blocks of a history. */
  readonly names: WorkloadNames;
}

/** How subjects are called whose history is in these blocks. */
export function namesIn(blocks: readonly SampleBlock[]): WorkloadNames {
  return new WorkloadNames(blocks.flatMap(({ subjects }) => subjects));
}

/** The samples of a block in series; `places`: where and of what its profiles are. */
export function addBlock(
  builder: SeriesBuilder,
  block: SampleBlock,
  places: MeasurementOrigins,
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
        builder.addColumns(measured, block, places, block.starts[at] as number, block.starts[at + 1] as number);
    }
    return;
  }
  for (const { sample, profile } of [...samplesOf(block)].sort((a, b) => a.profile - b.profile)) {
    const [subject, place, evidence] = [chosen.get(sample.subject), places.origins[profile], places.evidence[profile]];
    if (subject !== undefined && place !== undefined && evidence !== undefined)
      builder.add(subject, place, evidence, sample.values, sample.growth);
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
