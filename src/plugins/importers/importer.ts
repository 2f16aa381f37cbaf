import type { Experiment } from "../../core/experiments/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { InputDescription } from "../../formats/descriptions/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** The bytes of one input in order, in chunks that the importer may keep. */
export type ByteSource = AsyncIterable<Uint8Array>;

/**
 * Results of an importer, in order of the input. An importer of a known format declares all variables of a run before
 * it emits values for them; the importer `description` declares none, since it fills those of an experiment. A run
 * starts with the first event of the input or after `end`. `once` values may come at any time; a later one of the
 * same name replaces an earlier one.
 */
export type ImportEvent =
  /**
   * Variables of the following events. Names are unique; a later declaration of a name is ignored. Optional values
   * have the default null.
   */
  | { readonly kind: "declare"; readonly variables: readonly Variable[] }
  /**
   * What the input says of the run: when it was measured (microseconds since 1970-01-01T00:00:00Z), and of which commit
   * (hexadecimal, perhaps cut).
   */
  | { readonly kind: "about"; readonly performed?: number; readonly commit?: string }
  | { readonly kind: "once"; readonly values: Values }
  /** Rows; all tables of a run have the same variables, except for those with `update`. */
  | { readonly kind: "rows"; readonly table: Table; readonly update?: RowsUpdate }
  /** The run is over (set separation with a new run, or the end of the input). */
  | { readonly kind: "end" }
  /** A warning, such as a skipped row or an overlong line. `line` is 1-based. */
  | { readonly kind: "notice"; readonly line: number; readonly text: string };

/** The rows change stored rows with equal values of `keys`: all other variables of the table. */
export interface RowsUpdate {
  readonly keys: readonly string[];
  /**
   * False: updates rows of all runs and drops rows without a match. True: updates rows of this run and adds rows
   * without a match.
   */
  readonly add: boolean;
}

/** Several inputs that make up the same run, each read by its own description. */
export interface DescribedSource {
  readonly source: ByteSource;
  readonly description: InputDescription;
  /** The name of the input as the user typed it; `-` is standard input. */
  readonly path: string;
}

/** Context of an import. */
export interface ImportGuide {
  /** The experiment to fill; only the importer `description` needs it. */
  readonly experiment: Experiment;
  /** The locations of the values; only the importer `description` needs it. */
  readonly description?: InputDescription;
  /** The name of the input as the user typed it; absent: none. */
  readonly path?: string;
  /** More inputs of the same run. Only the importer `description` supports them. */
  readonly companionInputs?: readonly DescribedSource[];
  /** Read `companionInputs` after the first input instead of row by row with it. */
  readonly sequential?: boolean;
  /** Values that the user sets for every run, overriding the input; names are variables of the experiment. */
  readonly fixed?: Values;
}

/** Reads benchmark output of one format. */
export interface Importer extends PluginInfo {
  readonly kind: "importer";
  /**
   * The distinctive features of the format, for documentation: `JSON with a list "results", each with "command" and
   * "times"`. Absent: the format is never auto-detected.
   */
  readonly marks?: string;
  /** Whether all variables are declared, and the commit is named, before the first rows: the rest is read as stored. */
  readonly declaresFirst?: boolean;
  /** Confidence, 0..1, that these first bytes (at most 64 KiB) are its format; ignores file names. */
  sniff(head: Uint8Array): number;
  /** Fails only with a Failure: `nothing-found`, `bad-content` and others. Memory is bounded by the batch size. */
  read(source: ByteSource, options: Values, guide: ImportGuide): AsyncIterable<ImportEvent>;
}

/** The confidence for any text of a general kind; an importer of the user takes precedence over it. */
export const genericConfidence = 0.1;

/** An importer and its confidence that an input has its format. */
export interface Recognition {
  readonly importer: Importer;
  readonly sure: number;
}

const newline = 0x0a;

/** The bytes that an importer inspects at once. */
const windowSize = 1 << 16;

/**
 * The auto-detecting importers that recognise the first bytes of an input, highest confidence first; ties keep their
 * order. A longer head is inspected piece by piece until any importer recognises one: the log of a job may begin with
 * pages of warnings.
 */
export function recognisingImporters(importers: readonly Importer[], head: Uint8Array): Recognition[] {
  for (let from = 0; from === 0 || from < head.length;) {
    const window = head.subarray(from, from + windowSize);
    const found = importers
      .filter(({ marks }) => marks !== undefined)
      .map((importer) => ({ importer, sure: importer.sniff(window) }))
      .filter(({ sure }) => sure > 0)
      .toSorted((a, b) => b.sure - a.sure);
    if (found.length > 0) return found;
    const lineEnd = window.lastIndexOf(newline);
    from += lineEnd > 0 ? lineEnd + 1 : windowSize;
  }
  return [];
}
