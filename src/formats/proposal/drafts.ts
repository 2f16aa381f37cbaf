import type { Unit } from "../../core/values/index.ts";
import type { RowMark, TextMark, ValueFilter } from "../descriptions/index.ts";
import type { Cell } from "./sample.ts";

/** A variable-to-be and where its values are. */
export interface ColumnDraft {
  /** Text of the input from which the variable gets its name. */
  readonly heading: string;
  readonly type: "number" | "text" | "duration" | "timestamp";
  readonly unit?: Unit;
  /** Each number is followed by its own unit. */
  readonly unitFollows?: true;
  /** Notation of the numbers, if not `1234.5`. */
  readonly decimal?: ",";
  readonly thousands?: "," | ".";
  /** What `k`, `M`, `G` after the numbers are powers of. */
  readonly prefixes?: "decimal" | "binary";
  /** Rows may lack the value. */
  readonly optional?: true;
  /** Entries without a value. */
  readonly missing?: readonly string[];
  /** 1-based entry of the row; with `typed` only entries of the type count. */
  readonly position: number;
  /** Characters of the row instead of its entry, 1-based. */
  readonly characters?: { readonly first: number; readonly last?: number };
  readonly typed?: true;
  /** The value is the rest of the line; `filters` shorten it. */
  readonly wholeRest?: true;
  readonly filters?: readonly ValueFilter[];
  readonly cells: readonly Cell[];
}

/** A table-to-be: rows below a heading, or (with `start` 0) the marked lines themselves. */
export interface TableDraft {
  readonly kind: "table";
  readonly marks: readonly RowMark[];
  /** Offset of the first row from the marked line. */
  readonly start: number;
  readonly most?: number;
  readonly blanks?: string;
  readonly separator?: string;
  /** Minimum number of blanks between entries. */
  readonly gap?: number;
  /** Entries are cells between bars. */
  readonly grid?: true;
  readonly columns: readonly ColumnDraft[];
}

/** A single value of a line. */
export interface NamedDraft {
  readonly kind: "named";
  /** The value follows the keyword, or is the first group of the pattern. */
  readonly mark: TextMark;
  readonly column: ColumnDraft;
}

/** A matrix-to-be: each cell is a row with the heading above it and the label before it. */
export interface MatrixDraft {
  readonly kind: "matrix";
  readonly mark: RowMark;
  readonly start: number;
  readonly cell: ColumnDraft;
  readonly across: ColumnDraft;
  readonly down: ColumnDraft;
}

export type RuleDraft = TableDraft | NamedDraft | MatrixDraft;

/** The rule with each of its columns changed. */
export function withColumns(rule: RuleDraft, change: (column: ColumnDraft) => ColumnDraft): RuleDraft {
  if (rule.kind === "named") return { ...rule, column: change(rule.column) };
  if (rule.kind === "table") return { ...rule, columns: rule.columns.map(change) };
  return { ...rule, cell: change(rule.cell), across: change(rule.across), down: change(rule.down) };
}
