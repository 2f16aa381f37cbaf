import type { Comparison } from "../../../commands/verdicts/index.ts";
import { groupBy } from "../../../core/values/index.ts";
import { verdictOutcomes, type Verdict, type VerdictOutcome } from "../../../core/verdicts/index.ts";

/** Orders of rows. */
export const rowOrders = ["name", "change", "q", "verdict"] as const;

/** The rows of a comparison to print, and their order. */
export interface RowView {
  /** Smallest change in either direction, as a share; rows without a change are printed only if it is 0. */
  readonly minChange: number;
  readonly outcomes: readonly VerdictOutcome[];
  /** null: as measured. */
  readonly order: (typeof rowOrders)[number] | null;
}

/**
 * The comparison with the selected rows in the wanted order. Among several sides, a subject is selected if one of its
 * rows is, and ordered by the first of them.
 */
export function viewRows(comparison: Comparison, view: RowView): Comparison {
  const all = [comparison, ...(comparison.others ?? [])];
  const verdicts = all.flatMap(({ rows }) => rows.map(({ verdict }) => verdict));
  const order = orders[view.order ?? "measured"];
  const selected = [...groupBy(verdicts, ({ subject }) => subject.key).values()]
    .filter((ofSubject) => ofSubject.some((verdict) => isSelected(verdict, view)))
    .map((ofSubject) => ofSubject.toSorted(order))
    .toSorted(([a], [b]) => order(a!, b!));
  const ranks = new Map(selected.map(([verdict], rank) => [verdict!.subject.key, rank]));
  const rankOf = ({ verdict }: Comparison["rows"][number]): number => ranks.get(verdict.subject.key) ?? -1;
  const viewed = (each: Comparison): Comparison => ({
    ...each,
    rows: each.rows.filter((row) => rankOf(row) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b)),
  });
  return comparison.others === undefined
    ? viewed(comparison)
    : { ...viewed(comparison), others: comparison.others.map(viewed) };
}

function isSelected({ outcome, delta }: Verdict, { outcomes, minChange }: RowView): boolean {
  return outcomes.includes(outcome) && (minChange === 0 || (delta !== null && Math.abs(delta) >= minChange));
}

const orders: Readonly<Record<"measured" | (typeof rowOrders)[number], (a: Verdict, b: Verdict) => number>> = {
  measured: () => 0,
  name: (a, b) => compareTexts(a.subject.benchmark, b.subject.benchmark),
  // The greatest change first; rows without one are last.
  change: (a, b) => Math.abs(b.delta ?? 0) - Math.abs(a.delta ?? 0),
  q: (a, b) => (a.q ?? 2) - (b.q ?? 2),
  verdict: (a, b) => verdictOutcomes.indexOf(a.outcome) - verdictOutcomes.indexOf(b.outcome),
};

/** Independent of the locale. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
