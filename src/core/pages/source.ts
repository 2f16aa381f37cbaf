import type { Figure } from "../figures/figure.ts";
import type { DataType } from "../values/value.ts";
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

/** A run of an experiment as pages list it. */
export interface RunLine {
  readonly number: number;
  /** Its label, or what it was about. */
  readonly words: string;
  /** Unix seconds; 0: not known. */
  readonly performed: number;
  readonly performer: string;
  readonly dataSets: number;
  /** Names of the files it was read of, the first 20. */
  readonly files: readonly string[];
  /** How many files there are besides. */
  readonly moreFiles: number;
}

/** What a point rests on: the 100 newest profiles or runs at most. */
export interface Evidence {
  readonly profiles: readonly ProfileLine[];
  /** In order of their numbers. */
  readonly runs: readonly RunLine[];
  /** How many older ones there are besides. */
  readonly more: number;
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

/** A view, and what can be asked of it. */
export interface ViewChoice {
  readonly name: string;
  readonly synopsis: string;
  /** None where the picture was made before. */
  readonly options: readonly ViewOption[];
}

export interface ViewOption {
  readonly name: string;
  readonly type: DataType;
  readonly synopsis: string;
  /** Empty: there is none. */
  readonly default: string;
  /** Those that are allowed; empty: any. */
  readonly valid: readonly string[];
}

/**
 * Where a page gets what it shows. A report holds it in itself; the dashboard asks the local server. Each call fails
 * with an Error that people can read.
 */
export interface PageSource {
  overview(): Promise<Overview>;
  versions(): Promise<VersionColumns>;
  series(): Promise<SeriesColumns>;
  changes(): Promise<ChangeColumns>;
  points(block: number): Promise<PointBlock>;
  /** Profiles registered at a version (its place in the list). */
  profiles(version: number): Promise<readonly ProfileLine[]>;
  /**
   * Views that can be asked for of a profile, those that people look at first first; not each has something to show of
   * it.
   */
  views(object: string): Promise<readonly ViewChoice[]>;
  /** The first of them that has something to show; empty: none has. */
  firstView(object: string): Promise<string>;
  /** A picture, or a text that says why there is none. */
  view(object: string, view: string, options: Readonly<Record<string, string>>): Promise<Figure>;
  /**
   * Differences of two profiles: table by function, flame graph. A report has those of profiles next to each other that
   * changed.
   */
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
  /** What a series was measured by at a version; both by their places in the lists. */
  evidence(series: number, version: number): Promise<Evidence>;
  /** The variables of an experiment, for building a query by clicking. */
  variables(experiment: string): Promise<readonly QueryVariable[]>;
  /** Answers a query in its text form (`core/query-description.ts`, `formats/descriptions/query-text.ts`). */
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
