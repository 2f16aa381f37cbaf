import type {
  ChangeColumns,
  MachineColumns,
  SeriesColumns,
  StateLevels,
  VersionColumns,
} from "../../src/core/pages/index.ts";
import {
  causeCommit,
  type ComparedSeries,
  type ComparisonGroup,
  type ComparisonGrouping,
  groupComparison,
  sortComparison,
} from "../../src/query/pages/index.ts";
import { csvNumber, csvText } from "./csv-text.ts";
import { matchingSeries, seriesLine, sortedSeries } from "./series-lines.ts";

/** What a page shows of a comparison, as in its address. */
export interface ComparisonView {
  readonly text: string;
  readonly metric: string;
  readonly word: string;
  /** Smallest shown change, as a share; 0: all. */
  readonly least: number;
  readonly group: ComparisonGrouping | "none";
  readonly order: "change" | "noise" | "name";
  readonly isReverse: boolean;
  /** Also show unchanged rows of metrics that are not the first of their benchmark. */
  readonly isUnfolded: boolean;
}

const groupings: readonly ComparisonView["group"][] = ["cause", "benchmark", "metric", "none"];
const orders: readonly ComparisonView["order"][] = ["change", "noise", "name"];

export function comparisonView(params: Readonly<Record<string, string>>): ComparisonView {
  const { text = "", metric = "", word = "", least = "", group, order, down = "", all = "" } = params;
  return {
    text,
    metric,
    word,
    least: Number(least) || 0,
    group: groupings.find((each) => each === group) ?? "cause",
    order: orders.find((each) => each === order) ?? "change",
    isReverse: down === "yes",
    isUnfolded: all === "yes",
  };
}

/** The loaded data of a comparison. */
export interface LoadedComparison {
  readonly versions: VersionColumns;
  readonly series: SeriesColumns;
  readonly changes: ChangeColumns;
  readonly levels: StateLevels;
  readonly rows: readonly ComparedSeries[];
  /** If machines are compared: what they measured, and their indexes. */
  readonly machines?: { readonly columns: MachineColumns; readonly sides: readonly number[] };
}

/** The rows that match the view, in its order, and the number of those that are folded. */
export function shownRows(
  { series, rows }: LoadedComparison,
  view: ComparisonView,
): { readonly rows: readonly ComparedSeries[]; readonly folded: number } {
  const matching = new Set(matchingSeries(series, { text: view.text, metric: view.metric, word: "" }));
  const selected = rows.filter(
    ({ series: at, outcome, delta }) =>
      matching.has(at) && (view.word === "" || outcome === view.word) && !(Math.abs(delta) < view.least),
  );
  const isFolded = ({ isPrimary, outcome }: ComparedSeries): boolean =>
    !isPrimary && (outcome === "same" || outcome === "inconclusive");
  // A row that is asked for by its metric or verdict is not folded.
  const keepsAll = view.isUnfolded || view.metric !== "" || view.word !== "";
  const open = keepsAll ? selected : selected.filter((row) => !isFolded(row));
  return { rows: inOrder(series, open, view), folded: selected.length - open.length };
}

function inOrder(
  series: SeriesColumns,
  rows: readonly ComparedSeries[],
  { order, isReverse }: ComparisonView,
): readonly ComparedSeries[] {
  if (order !== "name") return sortComparison(rows, order, isReverse);
  const bySeries = new Map(rows.map((row) => [row.series, row]));
  const sorted = sortedSeries(series, Int32Array.from(bySeries.keys()), "benchmark", isReverse);
  return Array.from(sorted).flatMap((at) => bySeries.get(at) ?? []);
}

/** A line of the table: a row, or the heading of those below it. */
export type ComparisonLine = { readonly group: ComparisonGroup } | { readonly row: ComparedSeries };

export function comparisonLines(
  loaded: LoadedComparison,
  rows: readonly ComparedSeries[],
  group: ComparisonView["group"],
): ComparisonLine[] {
  if (group === "none") return rows.map((row) => ({ row }));
  const groups = groupComparison(rows, group, loaded.series, loaded.changes);
  return groups.flatMap((each) => [{ group: each }, ...each.rows.map((row) => ({ row }))]);
}

const csvColumns = [
  "benchmark",
  "metric",
  "unit",
  "better",
  "before",
  "after",
  "change",
  "noise",
  "verdict",
  "reason",
  "before commit",
  "after commit",
  "caused by",
  "key",
];

/** The rows with all digits, after RFC 4180. */
export function comparisonCsv(
  { versions, series, changes, levels }: LoadedComparison,
  rows: readonly ComparedSeries[],
): string {
  const idOf = (index: number | undefined): string => versions.facts.ids[index ?? -1] ?? "";
  const cells = rows.map((row) => {
    const { benchmark, metric, unit, better, key } = seriesLine(series, row.series);
    const { beforeAt, afterAt } = levels.arrays;
    return [benchmark, metric, unit, better]
      .concat([row.before, row.after, row.delta, row.noise].map(csvNumber), [row.outcome, row.reason])
      .concat([idOf(beforeAt[row.series]), idOf(afterAt[row.series]), idOf(causeCommit(row, changes)), key]);
  });
  return csvText([csvColumns, ...cells]);
}
