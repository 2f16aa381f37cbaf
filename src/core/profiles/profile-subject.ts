import type { ListedProfile } from "./listed-profile.ts";
import { distinguishingLabels, type Facts } from "./row-kinds.ts";
import type { Subject } from "../measurements/index.ts";

/** Collector, command and workload for display; also the prefix of subject names of the profile. */
export function configurationText({
  collector,
  cmd,
  workload,
}: Pick<ListedProfile, "collector" | "cmd" | "workload">): string {
  return [collector, cmd, workload].filter((word) => word !== "").join(" ");
}

/** Whether the benchmark name is the profile's configuration, alone or with a location. */
export function isOfBenchmark(
  profile: Pick<ListedProfile, "collector" | "cmd" | "workload">,
  benchmark: string,
): boolean {
  const words = configurationText(profile);
  return benchmark === words || benchmark.startsWith(`${words}: `);
}

/**
 * The subject key of a number of a profile: its configuration, the flattened uid or the name of its kind, the metric.
 */
export function profileKey(configuration: readonly string[], location: string, metric: string): string {
  return `profile ${JSON.stringify([...configuration, location, metric])}`;
}

/** The location in a key of `profileKey`; null: another key. */
export function locationOfKey(key: string): string | null {
  if (!key.startsWith("profile [")) return null;
  const parts = JSON.parse(key.slice("profile ".length)) as readonly string[];
  return parts.at(-2) ?? null;
}

/** The generated workload of a number, if a profile has several. */
export interface SubjectWorkload {
  /** Never empty. */
  readonly facts: Facts;
  /** Arguments of `profileKey`. */
  readonly configuration: readonly string[];
  readonly location: string;
  /** The configuration for display; "" if there is only one. */
  readonly words: string;
}

interface NamedSubject {
  readonly key: string;
  /** undefined: not a generated workload. */
  readonly workload?: SubjectWorkload | undefined;
}

/**
 * Names of numbers measured with several generated workloads: one name per workload. Numbers with one workload keep
 * their name.
 */
export class WorkloadNames {
  /** By key without workload, then by workload: the distinguishing label. */
  readonly #words = new Map<string, ReadonlyMap<string, string>>();

  /** `all`: the subjects to distinguish; keys are those without workload. */
  constructor(all: readonly NamedSubject[]) {
    const several = new Map<string, Map<string, Facts>>();
    for (const { key, workload } of all) if (workload !== undefined && !several.has(key)) several.set(key, new Map());
    if (several.size === 0) return;
    for (const { key, workload } of all) several.get(key)?.set(workloadText(workload), workload?.facts ?? new Map());
    for (const [key, facts] of several) {
      const words = distinguishingLabels([...facts.values()]);
      this.#words.set(key, new Map([...facts.keys()].map((text, at) => [text, words[at] ?? ""])));
    }
  }

  /** Key and benchmark of one of the subjects in `all`. */
  of(
    { key, benchmark, metric }: Pick<Subject, "key" | "benchmark" | "metric">,
    workload?: SubjectWorkload,
  ): Pick<Subject, "key" | "benchmark"> {
    const label = this.#words.get(key)?.get(workloadText(workload)) ?? "";
    if (workload === undefined || label === "") return { key, benchmark };
    const { configuration, words, location } = workload;
    const name = `${location}${label}`;
    return { key: profileKey(configuration, name, metric), benchmark: words === "" ? name : `${words}: ${name}` };
  }
}

/** Identifies a workload; "" for none. */
export function workloadText(workload: Pick<SubjectWorkload, "facts"> | undefined): string {
  return workload === undefined ? "" : JSON.stringify([...workload.facts]);
}
