import type { Table } from "../../core/tables/table.ts";
import type { Failure } from "../../core/failures/failure.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import type { Ask, MissingPolicies } from "./missing-values.ts";

/** An input description and the files it reads. */
export interface ImportInput {
  readonly description: { readonly file: string } | { readonly attached: string };
  /** `-` is standard input. */
  readonly files: readonly string[];
}

export interface ImportOptions {
  /** Absent: what the first description says, else PERFKEEP_EXPERIMENT or PB_EXPERIMENT. */
  readonly experiment?: string;
  /** One: each of its files is read by itself, as a run or several. Several: all their files make up the same runs. */
  readonly inputs: readonly ImportInput[];
  /** The files of the one input are read as one. */
  readonly join?: boolean;
  /** Files of several inputs are read one after the other, not data set by data set. */
  readonly sequential?: boolean;
  /** Contents given as name and text; they win over the input. */
  readonly fixed?: readonly (readonly [name: string, content: string])[];
  /** Sets of parameters whose contents hold, too; the first that knows a parameter wins. */
  readonly parameterSets?: readonly string[];
  /** Stores no run, but the once parameters that are found as the parameter set of this name. */
  readonly storeSet?: string;
  readonly missing?: MissingPolicies;
  /** Needed by the policy `ask`. */
  readonly ask?: Ask;
  /** Import although an active run came from the same bytes: all files, or these. */
  readonly force?: boolean | readonly string[];
  /** An import that fails while it reads uses up the numbers of the runs it began, as in perfbase. */
  readonly numbersFailures?: boolean;
  readonly label?: string;
  /** What the runs are about; absent: what the first description says that says something. */
  readonly synopsis?: string;
  /** When it was measured: a timestamp, or when the first file of each run was changed last; now when absent. */
  readonly performed?: string | { readonly from: "file" };
  /** How characters are encoded; absent: as the bytes tell. */
  readonly encoding?: string;
  /** Bytes that standard input or a pipe may have, which could go on for ever; 16 GiByte when absent. */
  readonly streamLimit?: number;
  readonly database?: string;
  /** When given nothing is stored: everything that would be goes here. */
  readonly preview?: RunPreview;
  readonly notice?: (file: string, line: number, text: string) => void;
  /** Bytes read so far of all files; `total` is unknown with standard input. */
  readonly progress?: (bytes: number, total: number | undefined) => void;
  /** Told when another process holds the database for long. */
  readonly waiting?: (busy: Failure) => void;
}

/** Is shown what would be stored, in the order of the input. */
export interface RunPreview {
  begin(): Promise<void>;
  rows(table: Table): Promise<void>;
  /** Rows that would change data sets. */
  update(table: Table, update: RowsUpdate): Promise<void>;
  /**
   * As `end`, but only what is allowed, and defaults only where the policy takes them; said also of runs that are then
   * refused.
   */
  foundOnce?(once: Table): Promise<void>;
  /** The contents of the run's once variables, as a table of one row. */
  end(once: Table): Promise<void>;
}

export interface ImportResult {
  readonly experiment: string;
  readonly runs: readonly ImportedRun[];
  /** The version the runs belong to, inside a repository that has one. */
  readonly version?: VersionId;
  readonly dirty?: boolean;
  readonly stored: boolean;
  /** The parameter set that was stored instead of runs, with how many contents. */
  readonly parameterSet?: { readonly name: string; readonly contents: number };
}

export interface ImportedRun {
  readonly file: string;
  /** More files of the same run. */
  readonly beside?: readonly string[];
  /** Number of the run; absent when nothing was stored. */
  readonly run?: number;
  readonly dataSets: number;
}
