import {
  excessOf,
  findFolders,
  findKinds,
  type CampaignState,
  type Find,
  type FindKind,
  type FindChange,
  type Sample,
  type SessionEnd,
  type HotLine,
} from "../../workspace/fuzz/index.ts";

/** Results of a campaign so far. Paths are relative to its folder. */
export interface FuzzReport {
  readonly cmd: string;
  readonly folder: string;
  readonly seed: number;
  readonly collector: string;
  /** Gauge that selects inputs worth measuring. */
  readonly fitness: { readonly kind: "coverage" | "time"; readonly unit: string };
  readonly ended: SessionEnd | "interrupted";
  readonly seconds: number;
  readonly runs: number;
  /** Median effort of the initial samples. */
  readonly base: number;
  /** Effort per additional byte of ordinary inputs; 0 if not requested or unknown. */
  readonly slope: number;
  readonly baseline: string;
  readonly sizeLimit: number;
  readonly samples: { readonly initial: number; readonly derived: number };
  /** Totals, including finds whose input was not stored. */
  readonly counts: Readonly<Record<FindKind, number>>;
  readonly dropped: number;
  readonly findings: readonly ReportedFind[];
  readonly rules: readonly {
    readonly name: string;
    readonly tried: number;
    readonly hits: number;
    readonly degradations: number;
  }[];
  readonly notes: readonly string[];
}

export interface ReportedFind {
  readonly kind: FindKind;
  /** null: not stored for lack of space. */
  readonly file: string | null;
  /** The initial sample, and the rules applied to it. */
  readonly from: string;
  readonly lineage: readonly string[];
  readonly detail: string;
  readonly size: number;
  readonly effort: number | null;
  /** Ratio to the initial sample's size and effort. */
  readonly sizeRatio: number | null;
  readonly effortRatio: number | null;
  /** Ratio to the effort explained by its size; null if the run failed. */
  readonly excess: number | null;
  /** Exponent of growth of executed lines with size since the initial sample; null if unknown. */
  readonly growth: number | null;
  readonly changes: readonly FindChange[];
  readonly hot: readonly HotLine[];
  readonly seconds: number;
  readonly runs: number;
}

/** Builds the report of a campaign. */
export function reportOf(
  state: CampaignState,
  facts: Omit<FuzzReport, keyof ReturnType<typeof stateReport>>,
): FuzzReport {
  return { ...facts, ...stateReport(state, facts.fitness.kind === "coverage") };
}

/** CPU time includes constant overhead, so growth is computed from executed lines only. */
function stateReport(state: CampaignState, hasGrowth: boolean) {
  const initial = state.samples.filter(({ rule }) => rule === null);
  const origins = new Map(initial.map((sample) => [sample.id, sample]));
  const of = (kind: FindKind): readonly Find[] => state.finds.filter((find) => find.kind === kind);
  return {
    seconds: state.seconds,
    runs: state.runs,
    base: state.base,
    slope: state.slope,
    baseline: `samples/${origins.get(state.baseline)?.file ?? ""}`,
    samples: { initial: initial.length, derived: state.samples.length - initial.length },
    counts: { degradation: of("degradation").length, hang: state.hangs, fault: state.faults },
    dropped: state.dropped,
    findings: worstFirst(state).map((find) => reported(state, find, origins.get(find.origin), hasGrowth)),
    rules: state.rules,
  };
}

/** Worst degradations first, then hangs and faults in order of discovery. */
export function worstFirst({ finds }: CampaignState): readonly Find[] {
  return findKinds.flatMap((kind) => {
    const sameKind = finds.filter((find) => find.kind === kind);
    return kind === "degradation" ? sameKind.toSorted(byRate) : sameKind;
  });
}

function byRate(a: Find, b: Find): number {
  return (b.changes[0]?.rate ?? Number.POSITIVE_INFINITY) - (a.changes[0]?.rate ?? Number.POSITIVE_INFINITY);
}

function reported(
  state: CampaignState,
  { id: _, origin: __, file, ...find }: Find,
  from: Sample | undefined,
  hasGrowth: boolean,
): ReportedFind {
  const sizeRatio = ratio(find.size, from?.size);
  const effortRatio = find.effort === null ? null : ratio(find.effort, from?.effort);
  const excess = find.effort === null ? null : excessOf(state, find.effort, find.size);
  const ends = {
    from: `samples/${from?.file ?? ""}`,
    file: file === null ? null : `${findFolders[find.kind]}/${file}`,
  };
  return {
    ...find,
    ...ends,
    sizeRatio,
    effortRatio,
    excess,
    growth: hasGrowth ? growthOf(sizeRatio, effortRatio) : null,
  };
}

function ratio(value: number, base: number | undefined): number | null {
  return base === undefined || base <= 0 ? null : value / base;
}

/** Smallest size ratio for a growth estimate. */
const leastSizeRatio = 1.5;

function growthOf(size: number | null, effort: number | null): number | null {
  if (size === null || effort === null || size < leastSizeRatio || effort <= 0) return null;
  return Math.log(effort) / Math.log(size);
}
