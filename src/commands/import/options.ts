import type { Table } from "../../core/tables/index.ts";
import type { Failure } from "../../core/failures/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { RowsUpdate } from "../../plugins/importers/importer.ts";
import type { FileSelection } from "../../workspace/files/index.ts";
import type { MeasuredOutput } from "./locate-reports.ts";
import type { Ask, MissingPolicies } from "./missing-values.ts";

/** An input description and the files it reads. */
export interface ImportInput {
  readonly description: { readonly file: string } | { readonly attached: string };
  /** `-` is standard input. */
  readonly files: readonly string[];
}

export interface ImportOptions {
  /** Default: from the first description, else PERFKEEP_EXPERIMENT or PB_EXPERIMENT. */
  readonly experiment?: string;
  /** One input: each file is read separately. Several inputs: their files make up the same runs. */
  readonly inputs: readonly ImportInput[];
  /** Replace each folder among the files by the files below it; absent: refuse folders. */
  readonly recursive?: FileSelection;
  /** Concatenate the files of a single input. */
  readonly join?: boolean;
  /** Read files of several inputs one after the other instead of row by row. */
  readonly sequential?: boolean;
  /** Fixed values as name and text; they override the input. */
  readonly fixed?: readonly (readonly [name: string, text: string])[];
  /** Parameter sets to apply; the first that has a parameter wins. */
  readonly parameterSets?: readonly string[];
  /** Store the `once` parameters as a parameter set of this name, without runs. */
  readonly storeSet?: string;
  readonly missing?: MissingPolicies;
  /** Required by the policy `ask`. */
  readonly ask?: Ask;
  /** Allow duplicates of active runs: for all files, or these. */
  readonly force?: boolean | readonly string[];
  /**
   * As in perfbase: a failing import consumes the numbers of its started runs, runs get no automatic labels, and only
   * files of equal bytes are duplicates.
   */
  readonly likePerfbase?: boolean;
  /** Unique label of the run, or of the first run; default: date and time of the measurement. */
  readonly label?: string;
  /** Synopsis of the runs; default: from the first description that has one. */
  readonly synopsis?: string;
  /** Time of measurement: a timestamp, or the modification time of each run's first file; default: now. */
  readonly performed?: string | { readonly from: "file" };
  /** Character encoding; default: auto-detect. */
  readonly encoding?: string;
  /** How numbers are written where the description does not say it, by the name of a language. */
  readonly locale?: string;
  /** Maximum size of standard input or a pipe, bytes; default: 16 GiB. */
  readonly streamLimit?: number;
  readonly database?: string;
  /** Receives the rows instead of storing them. */
  readonly preview?: RunPreview;
  /** `line` 0: of the whole file or folder. */
  readonly notice?: (file: string, line: number, text: string) => void;
  /** Reports rows that earlier runs have. */
  readonly remark?: (file: string, text: string) => void;
  /** Bytes read of all files; `total` is unknown with standard input. */
  readonly progress?: (bytes: number, total: number | undefined) => void;
  /** Called while waiting for a busy database. */
  readonly waiting?: (busy: Failure) => void;
}

/** Receives what would be stored, in input order. */
export interface RunPreview {
  begin(): Promise<void>;
  rows(table: Table): Promise<void>;
  /** Rows that would update existing rows. */
  update(table: Table, update: RowsUpdate): Promise<void>;
  /** Like `end`, but with valid values only, and defaults only if the policy uses them; called for refused runs too. */
  foundOnce?(once: Table): Promise<void>;
  /** The run's `once` values, as a table of one row. */
  end(once: Table): Promise<void>;
}

export interface ImportResult {
  readonly experiment: string;
  readonly runs: readonly ImportedRun[];
  /** Commit of the runs, if in a repository with commits. */
  readonly version?: VersionId;
  readonly dirty?: boolean;
  readonly stored: boolean;
  /** Parameter set stored instead of runs, and its number of values. */
  readonly parameterSet?: { readonly name: string; readonly contents: number };
}

/** Rows of an imported run that an earlier run has. */
export interface KnownRows {
  readonly run: number;
  readonly file: string;
  readonly rows: number;
}

export interface ImportedRun {
  readonly file: string;
  /** Further files of the same run. */
  readonly beside?: readonly string[];
  /** Run number; absent if nothing was stored. */
  readonly run?: number;
  readonly label?: string;
  /** Rows that earlier runs have. */
  readonly overlaps?: readonly KnownRows[];
  readonly dataSets: number;
}

export interface ImportReportsOptions extends Pick<
  ImportOptions,
  | "fixed"
  | "recursive"
  | "force"
  | "label"
  | "synopsis"
  | "performed"
  | "database"
  | "notice"
  | "remark"
  | "waiting"
  | "streamLimit"
  | "preview"
  | "progress"
> {
  /** Name of the format; default: auto-detect. */
  readonly from?: string;
  /** Options of the format. */
  readonly params?: Settings;
  /** `-` is standard input. */
  readonly files: readonly string[];
  /** Outputs of measured programs, instead of files. */
  readonly measured?: readonly MeasuredOutput[];
  /** Default: PERFKEEP_EXPERIMENT or PB_EXPERIMENT, else the name of the format. Created if missing. */
  readonly experiment?: string;
  /** The measured commit; default: the one named in the file, else the head. */
  readonly minor?: string;
}

/** Imported runs, and changes of the experiment. */
export interface ImportedReports extends ImportResult {
  readonly importer: string;
  /** The experiment was created, or would be. */
  readonly made: boolean;
  /** Variables that were added, or would be. */
  readonly added: readonly string[];
  /** Database in the user's own folder, if used by default outside of any instance. */
  readonly ownFolder?: string;
}
