import type { Figure } from "../figures/index.ts";
import type { DataType } from "../values/index.ts";
import type { ChangeColumns, MachineColumns, SeriesColumns, StateLevels, VersionColumns } from "./columns.ts";
import type { PointBlock } from "./frame.ts";
import type { Overview } from "./overview.ts";

/** A profile in lists. */
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

/** A run of an experiment in lists. */
export interface RunLine {
  readonly number: number;
  /** Its label, or its synopsis. */
  readonly words: string;
  /** Unix seconds; 0: unknown. */
  readonly performed: number;
  readonly performer: string;
  readonly rows: number;
  /** Names of the first 20 imported files. */
  readonly files: readonly string[];
  /** Number of further files. */
  readonly moreFiles: number;
}

/** The evidence of a point: at most the 100 newest profiles or runs. */
export interface Evidence {
  readonly profiles: readonly ProfileLine[];
  /** Ordered by number. */
  readonly runs: readonly RunLine[];
  /** Number of older ones. */
  readonly more: number;
}

/** A named figure. */
export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** The page of an experiment: description, parameter sets with the number of their runs, plots. */
export interface ExperimentPage {
  readonly name: string;
  readonly figures: readonly NamedFigure[];
}

/** A view and its options. */
export interface ViewChoice {
  readonly name: string;
  readonly synopsis: string;
  /** Empty if the figure was created in advance. */
  readonly options: readonly ViewOption[];
}

export interface ViewOption {
  readonly name: string;
  readonly type: DataType;
  readonly synopsis: string;
  /** Empty: none. */
  readonly default: string;
  /** Allowed values; empty: any. */
  readonly valid: readonly string[];
}

/**
 * The data source of a page: a report contains its data, the dashboard queries the local server. Calls fail with an
 * Error that can be shown to users.
 */
export interface PageSource {
  overview(): Promise<Overview>;
  versions(): Promise<VersionColumns>;
  series(): Promise<SeriesColumns>;
  changes(): Promise<ChangeColumns>;
  points(block: number): Promise<PointBlock>;
  /** All series at two commits (their indexes in the list). */
  levels(from: number, to: number): Promise<StateLevels>;
  /** What several machines measured. */
  machines(): Promise<MachineColumns>;
  /** Profiles registered at a commit (its index in the list). */
  profiles(version: number): Promise<readonly ProfileLine[]>;
  /** Views for a profile, the most useful first; some may have nothing to show. */
  views(object: string): Promise<readonly ViewChoice[]>;
  /** The first view with something to show; empty: none. */
  firstView(object: string): Promise<string>;
  /** A figure, or a text with the reason why there is none. */
  view(object: string, view: string, options: Readonly<Record<string, string>>): Promise<Figure>;
  /** Differences of two profiles: table by function, flame graph. A report has those of changed adjacent profiles. */
  difference(base: string, target: string): Promise<Figure>;
  differences(): Promise<readonly (readonly [base: string, target: string, title: string])[]>;
  experiment(name: string): Promise<ExperimentPage>;
  /** The address of speedscope with this profile; absent without speedscope. */
  speedscope?(object: string): Promise<string>;
  /** Absent in a report, which is read-only. */
  readonly live?: LiveSource;
}

/** Operations of the dashboard only. */
export interface LiveSource {
  /** Calls `changed` when the store, the experiments or the triage change, until the returned function is called. */
  watch(changed: (what: "profiles" | "experiments" | "triage") => void): () => void;
  /** The evidence of a series at a commit; both by index. */
  evidence(series: number, version: number): Promise<Evidence>;
  /** The variables of an experiment, for the query builder. */
  variables(experiment: string): Promise<readonly QueryVariable[]>;
  /** Evaluates a query in its text form (`formats/descriptions/query/query-text.ts`). */
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
