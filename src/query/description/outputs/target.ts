import type { Figure } from "../../../core/figures/figure.ts";
import type { OutputElement } from "../../../core/experiments/query-description.ts";
import type { Table } from "../../../core/tables/table.ts";
import type { ShownVector } from "./shown-vector.ts";

/** What one output shows together: all its inputs, or those of one clone when a sweep is resolved outside of it. */
export interface Page {
  readonly inputs: readonly ShownVector[];
}

/** An output with all that goes to one file. */
export interface Shown {
  readonly element: OutputElement;
  /** Name of the output, for people. */
  readonly name: string;
  /** The file without its ending; absent: standard output. */
  readonly base?: string;
  readonly pages: readonly Page[];
}

/** What a target makes of an output: finished, or left to a renderer or an engine. */
export type Product =
  | {
      readonly kind: "content";
      readonly content: string | Uint8Array;
      /** The picture that gnuplot makes of the script. */ readonly picture?: string;
    }
  | { readonly kind: "figure"; readonly figure: Figure; readonly renderer: string }
  | { readonly kind: "table"; readonly table: Table; readonly format: "parquet" | "arrow" };

/**
 * A way to show vectors: pure, the same for the same input. Names, labels, units and contents are untrusted; each
 * target escapes them.
 */
export interface Target {
  readonly name: string;
  /** Ending of its files, without dot. */
  readonly extension: string;
  /** Whether what several outputs write to one file makes a file of that kind. */
  readonly joins: boolean;
  /** Whether it can be printed where no file is named. */
  readonly printable: boolean;
  show(shown: Shown): Product;
}

/** A target of texts that stand one below the other. */
export function textTarget(name: string, extension: string, print: (page: Page, shown: Shown) => string): Target {
  return {
    name,
    extension,
    joins: true,
    printable: true,
    show: (shown) => ({ kind: "content", content: shown.pages.map((page) => print(page, shown)).join("") }),
  };
}
