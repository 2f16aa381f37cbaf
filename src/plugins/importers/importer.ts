import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Table } from "../../core/tables/table.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { InputDescription } from "../../formats/descriptions/input/input-description.ts";
import type { PluginInfo } from "../plugin.ts";

/** Bytes of one input in order; files of any size come in pieces, which the importer may keep. */
export type ByteSource = AsyncIterable<Uint8Array>;

/**
 * What an importer finds, in order of the input. An importer that knows its format by itself declares all variables of
 * a run before it gives contents of them; the importer `description` declares none, since it fills those of an
 * experiment. A run starts with the first event after the beginning or after `end`. `once` values may come at any time;
 * a later one of a name replaces an earlier one.
 */
export type ImportEvent =
  /**
   * Variables of what follows. Names are unique; a later declaration of a name adds nothing. Optional contents have the
   * default null.
   */
  | { readonly kind: "declare"; readonly variables: readonly Variable[] }
  /**
   * What the input says of the run: when it was measured (microseconds since 1970-01-01T00:00:00Z), and of which commit
   * (hexadecimal, perhaps cut).
   */
  | { readonly kind: "about"; readonly performed?: number; readonly commit?: string }
  | { readonly kind: "once"; readonly values: Values }
  /** Data sets; all tables of a run have the same variables, but for those with `update`. */
  | { readonly kind: "rows"; readonly table: Table; readonly update?: RowsUpdate }
  /** The run is over (set separation with a new run, or the end of the input). */
  | { readonly kind: "end" }
  /** Worth telling: a row that was passed over, a line too long. `line` is 1-based. */
  | { readonly kind: "notice"; readonly line: number; readonly text: string };

/**
 * The rows change data sets that agree with them in the contents of `keys`: all variables that the table has besides.
 */
export interface RowsUpdate {
  readonly keys: readonly string[];
  /**
   * False: of all runs, and what agrees with nothing is dropped. True: of this run, and what agrees with nothing is
   * added.
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

/** What the values are wanted for. */
export interface ImportGuide {
  /** Whose variables are filled; only the importer `description` needs it. */
  readonly experiment: Experiment;
  /** Where the values stand; only the importer `description` needs it. */
  readonly description?: InputDescription;
  /** The name of the input as the user typed it; absent: it has none. */
  readonly path?: string;
  /** More inputs of the same run. Only the importer `description` knows them. */
  readonly companionInputs?: readonly DescribedSource[];
  /** Read `beside` after the first input instead of data set by data set with it. */
  readonly sequential?: boolean;
  /**
   * Contents that the user gives for every run, instead of what the input says; names are variables of the experiment.
   */
  readonly fixed?: Values;
}

/** Reads benchmark output of one format. */
export interface Importer extends PluginInfo {
  readonly kind: "importer";
  /**
   * What tells the format, for people: `JSON with a list "results", each with "command" and "times"`. Absent: it is
   * never found by its content.
   */
  readonly marks?: string;
  /** How sure it is, 0..1, that these first bytes (at most 64 KiB) are its format; never looks at file names. */
  sniff(head: Uint8Array): number;
  /**
   * Fails with `nothing-found`, `bad-content` and friends, never with anything but a Failure. Memory is bounded by the
   * batch size.
   */
  read(source: ByteSource, options: Values, guide: ImportGuide): AsyncIterable<ImportEvent>;
}

/** An importer, and how sure it is that an input is its own. */
export interface Recognition {
  readonly importer: Importer;
  readonly sure: number;
}

/**
 * Of all importers that find their format by its content, those that know the first bytes of an input, the surest
 * first; of equals the first.
 */
export function recognised(importers: readonly Importer[], head: Uint8Array): Recognition[] {
  return importers
    .filter(({ marks }) => marks !== undefined)
    .map((importer) => ({ importer, sure: importer.sniff(head) }))
    .filter(({ sure }) => sure > 0)
    .toSorted((a, b) => b.sure - a.sure);
}
