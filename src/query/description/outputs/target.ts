import type { Figure } from "../../../core/figures/index.ts";
import type { OutputElement } from "../../../core/experiments/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import type { ShownVector } from "./shown-vector.ts";

/** A page of an output: all inputs, or those of one clone of an external sweep. */
export interface Page {
  readonly inputs: readonly ShownVector[];
}

/** An output with all pages of one file. */
export interface Shown {
  readonly element: OutputElement;
  /** Name of the output, for people. */
  readonly name: string;
  /** The file without extension; absent: standard output. */
  readonly base?: string;
  readonly pages: readonly Page[];
}

/** The product of a target: complete, or for a renderer or an engine. */
export type Product =
  | {
      readonly kind: "data";
      readonly data: string | Uint8Array;
      /** The image that gnuplot writes. */
      readonly picture?: string;
    }
  | { readonly kind: "figure"; readonly figure: Figure; readonly renderer: string }
  | { readonly kind: "table"; readonly table: Table; readonly format: "parquet" | "arrow" };

/**
 * An output format of vectors: pure and deterministic. Names, labels, units and values are untrusted; each target
 * escapes them.
 */
export interface Target {
  readonly name: string;
  /** Extension of its files, without dot. */
  readonly extension: string;
  /** Whether several outputs can be concatenated in one file. */
  readonly joins: boolean;
  /** Whether it can be printed to standard output. */
  readonly printable: boolean;
  show(shown: Shown): Product;
}

/** A target of concatenated texts. */
export function textTarget(name: string, extension: string, print: (page: Page, shown: Shown) => string): Target {
  return {
    name,
    extension,
    joins: true,
    printable: true,
    show: (shown) => ({ kind: "data", data: shown.pages.map((page) => print(page, shown)).join("") }),
  };
}
