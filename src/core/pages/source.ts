import type { Figure } from "../figure.ts";
import type { ChangeColumns, PointBlock, SeriesColumns, VersionColumns } from "./columns.ts";
import type { Overview } from "./overview.ts";

/** A profile as pages list it. */
export interface ProfileLine {
  /** Hex name of the object. */
  readonly object: string;
  readonly name: string;
  readonly type: string;
  readonly collector: string;
  readonly cmd: string;
  readonly workload: string;
  /** Unix seconds. */
  readonly time: number;
}

/** A picture with a name to find it by. */
export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** What an experiment has to show: what it is, its parameter sets and how often each was measured, its plots. */
export interface ExperimentPage {
  readonly name: string;
  readonly figures: readonly NamedFigure[];
}

/** Where a page gets what it shows. A report holds it in itself; the dashboard asks the local server. Each call fails with an Error that people can read. */
export interface PageSource {
  overview(): Promise<Overview>;
  versions(): Promise<VersionColumns>;
  series(): Promise<SeriesColumns>;
  changes(): Promise<ChangeColumns>;
  points(block: number): Promise<PointBlock>;
  /** Profiles registered at a version (its place in the list). */
  profiles(version: number): Promise<readonly ProfileLine[]>;
  /** Whether views of a profile can be asked for, and which. */
  views(object: string): Promise<readonly string[]>;
  view(object: string, view: string, options: Readonly<Record<string, string>>): Promise<Figure>;
  /** Differences of two profiles: table by function, flame graph. A report has those of profiles next to each other that changed. */
  difference(base: string, target: string): Promise<Figure>;
  differences(): Promise<readonly (readonly [base: string, target: string, title: string])[]>;
  experiment(name: string): Promise<ExperimentPage>;
  /** The address of speedscope with this profile in it; absent where there is no speedscope. */
  speedscope?(object: string): Promise<string>;
  /** Absent in a report, which cannot change anything nor compute anything new. */
  readonly live?: LiveSource;
}

/** What only the dashboard can do. */
export interface LiveSource {
  /** Told when the store, the experiments or the triage have changed, until the answer is called. */
  watch(changed: (what: "profiles" | "experiments" | "triage") => void): () => void;
  /** The variables of an experiment, for building a query by clicking. */
  variables(experiment: string): Promise<readonly QueryVariable[]>;
  /** Answers a query in its text form (`core/query-description.ts`, `formats/query-text.ts`). */
  query(experiment: string, text: string): Promise<Figure>;
  storedQueries(experiment: string): Promise<readonly (readonly [name: string, text: string])[]>;
  storeQuery(experiment: string, name: string, text: string): Promise<void>;
  mine(experiment: string): Promise<Figure>;
  triage(key: string, state: string, note: string): Promise<void>;
}

export interface QueryVariable {
  readonly name: string;
  readonly role: "parameter" | "result";
  readonly type: string;
  readonly unit: string;
}
