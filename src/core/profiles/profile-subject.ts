import type { ListedProfile } from "./listed-profile.ts";
import { distinguishingLabels, type Facts } from "./row-kinds.ts";
import type { Subject } from "../measurements/series.ts";

/** What was measured and how, as people read it; also the beginning of what numbers of the profile are called. */
export function configurationText({
  collector,
  cmd,
  workload,
}: Pick<ListedProfile, "collector" | "cmd" | "workload">): string {
  return [collector, cmd, workload].filter((word) => word !== "").join(" ");
}

/**
 * The key of a number of a profile: what was measured and how, the flattened uid or how its kind is called, and the
 * metric.
 */
export function profileKey(configuration: readonly string[], location: string, metric: string): string {
  return `profile ${JSON.stringify([...configuration, location, metric])}`;
}

/** Of which of several generated workloads in one profile a number is. */
export interface SubjectWorkload {
  /** Never empty. */
  readonly facts: Facts;
  /** What `profileKey` takes. */
  readonly configuration: readonly string[];
  readonly location: string;
  /** How people know the configuration; "" where there is only one. */
  readonly words: string;
}

interface NamedSubject {
  readonly key: string;
  /** undefined: no generated one. */
  readonly workload?: SubjectWorkload | undefined;
}

/**
 * Names of numbers that were measured with several generated workloads: each has its own there, while what was measured
 * with one keeps its own.
 */
export class WorkloadNames {
  /** By key without workloads, by workload: the words that tell it apart. */
  readonly #words = new Map<string, ReadonlyMap<string, string>>();

  /** `all`: everything that is to be told apart; keys are those without workloads. */
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

  /** Key and benchmark of a subject that is one of `all`. */
  of(
    { key, benchmark, metric }: Pick<Subject, "key" | "benchmark" | "metric">,
    workload?: SubjectWorkload,
  ): Pick<Subject, "key" | "benchmark"> {
    const apart = this.#words.get(key)?.get(workloadText(workload)) ?? "";
    if (workload === undefined || apart === "") return { key, benchmark };
    const { configuration, words: words, location } = workload;
    const name = `${location}${apart}`;
    return { key: profileKey(configuration, name, metric), benchmark: words === "" ? name : `${words}: ${name}` };
  }
}

/** The same for the same workload only; "" for none. */
export function workloadText(workload: Pick<SubjectWorkload, "facts"> | undefined): string {
  return workload === undefined ? "" : JSON.stringify([...workload.facts]);
}
