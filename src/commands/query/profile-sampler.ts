import {
  configurationKey,
  configurationText,
  type Facts,
  type ListedProfile,
  profileKey,
  type Run,
} from "../../core/profiles/index.ts";
import { textAt } from "../../core/values/index.ts";
import { ProfileMemory } from "../../formats/profile/index.ts";
import { hasCalls } from "../../query/difference/index.ts";
import {
  blockOfColumns,
  blockOfProfile,
  canaryOf,
  clockRateOf,
  disturbanceOf,
  growthMetric,
  locationGrowths,
  type Sample,
  type SampleBlock,
  type SampledSubject,
  type SampleLayout,
  SampleLayouts,
  valuesIn,
} from "../../query/series/index.ts";
import type { OpenComparable } from "../../workspace/profiles/index.ts";
import type { KnownLayout, StoredLayouts } from "./stored-layouts.ts";

/**
 * Reads the samples of profiles. Profiles of one configuration mostly differ in their numbers only: what else they have
 * is interpreted once.
 */
export class ProfileSampler {
  readonly #open: (profile: ListedProfile) => OpenComparable;
  readonly #memory = new ProfileMemory();
  readonly #layouts = new SampleLayouts();
  /** The subjects of a layout by configuration. */
  readonly #subjects = new WeakMap<SampleLayout, Map<string, readonly SampledSubject[]>>();
  readonly #stored: StoredLayouts | undefined;

  /** `stored`: layouts of earlier commands. */
  constructor(open: (profile: ListedProfile) => OpenComparable, stored?: StoredLayouts) {
    [this.#open, this.#stored] = [open, stored];
  }

  /** The block of a profile. Fails like reading it. */
  blockOf(profile: ListedProfile): SampleBlock {
    const open = this.#open(profile);
    if (this.#stored === undefined || open.isKnownIn(this.#memory)) return this.#decoded(profile, open).block;
    const key = this.#stored.keyOf(profile, open);
    if (key === undefined) return this.#decoded(profile, open).block;
    const known = this.#stored.find(key);
    if (known !== undefined) return blockByLayout(open.numbers, known);
    const { block, layout } = this.#decoded(profile, open);
    this.#stored.put(key, layout, { subjects: block.subjects, hasCalls: block.calls[0] === true });
    return block;
  }

  #decoded(
    profile: ListedProfile,
    open: OpenComparable,
  ): { readonly block: SampleBlock; readonly layout: SampleLayout } {
    const run = open.whole(this.#memory);
    const layout = this.#layouts.of(run);
    return { block: this.#blockBy(layout, run, profile), layout };
  }

  #blockBy(layout: SampleLayout, run: Run, profile: ListedProfile): SampleBlock {
    const subjects = this.#subjectsOf(layout, profile);
    const growths = growthSamples(run, profile);
    const [{ ends }, values, state] = [layout, layout.valuesOf(run), stateOf(run)];
    if (growths.length === 0) return blockOfColumns(state, { subjects, ends, values, growths: new Map() });
    const samples = subjects.map((subject, at): Sample => {
      return { subject, values: values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]) };
    });
    return blockOfProfile(state, [...samples, ...growths]);
  }

  #subjectsOf(layout: SampleLayout, profile: ListedProfile): readonly SampledSubject[] {
    const known = this.#subjects.get(layout) ?? new Map<string, readonly SampledSubject[]>();
    this.#subjects.set(layout, known);
    const configuration = JSON.stringify([profile.cmd, configurationText(profile), configurationKey(profile)]);
    const subjects = known.get(configuration) ?? subjectsOf(layout, profile);
    known.set(configuration, subjects);
    return subjects;
  }
}

/** `numbers`: the run without its properties. */
function blockByLayout(numbers: Run, { subjects, cells, hasCalls: calls }: KnownLayout): SampleBlock {
  const columns = { subjects, ends: cells.ends, values: valuesIn(numbers, cells), growths: new Map() };
  return blockOfColumns({ ...stateOf(numbers), hasCalls: calls }, columns);
}

function stateOf(run: Run): Parameters<typeof blockOfColumns>[0] {
  return {
    machine: textAt(run.machine, "fingerprint") ?? null,
    disturbance: disturbanceOf(run),
    clock: clockRateOf(run),
    canary: canaryOf(run),
    hasCalls: hasCalls(run),
  };
}

function subjectsOf({ metrics }: SampleLayout, profile: ListedProfile): SampledSubject[] {
  const [words, subjectOf] = [configurationText(profile), subjectNames(profile)];
  return metrics.map(({ location, workload, metric, unit, better }) => {
    const benchmark = location === profile.cmd ? words : `${words}: ${location}`;
    return { ...subjectOf(location, metric, workload), benchmark, unit, better, isGrowth: false };
  });
}

function growthSamples(run: Run, profile: ListedProfile): Sample[] {
  const [words, subjectOf] = [configurationText(profile), subjectNames(profile)];
  return locationGrowths(run).map(({ location, workload, growth }): Sample => {
    const subject = { benchmark: `${words}: ${location}`, unit: undefined, better: "lower", isGrowth: true } as const;
    return {
      subject: { ...subjectOf(location, growthMetric, workload), ...subject },
      values: Float64Array.of(growth.exponent),
      growth,
    };
  });
}

type SubjectNames = (
  location: string,
  metric: string,
  facts: Facts,
) => Pick<SampledSubject, "key" | "location" | "metric" | "workload">;

function subjectNames(profile: ListedProfile): SubjectNames {
  const [words, configuration] = [configurationText(profile), configurationKey(profile)];
  return (location, metric, facts) => {
    const subject = { key: profileKey(configuration, location, metric), location, metric };
    return facts.size === 0 ? subject : { ...subject, workload: { facts, configuration, location, words } };
  };
}
