import {
  excessOf,
  findFolders,
  findKinds,
  type CampaignState,
  type Find,
  type FindKind,
  type FindChange,
  type Sample,
} from "../../workspace/fuzz/campaign-state.ts";
import type { SessionEnd } from "../../workspace/fuzz/campaign.ts";
import type { HotLine } from "../../workspace/fuzz/gauge.ts";

/** What a campaign has found so far. Paths are relative to its folder. */
export interface FuzzReport {
  readonly cmd: string;
  readonly folder: string;
  readonly seed: number;
  readonly collector: string;
  /** How it was decided what is worth measuring. */
  readonly gauge: { readonly kind: "coverage" | "time"; readonly unit: string };
  readonly ended: SessionEnd | "interrupted";
  readonly seconds: number;
  readonly runs: number;
  /** Median effort of the initial samples. */
  readonly base: number;
  /**
   * Effort that a byte more costs as long as nothing is out of the ordinary; 0 where that was not asked or cannot be
   * told.
   */
  readonly slope: number;
  readonly baseline: string;
  readonly sizeLimit: number;
  readonly samples: { readonly initial: number; readonly made: number };
  /** All of them, also those whose input was not kept. */
  readonly counts: Readonly<Record<FindKind, number>>;
  readonly dropped: number;
  readonly finds: readonly ReportedFind[];
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
  /** Null: there was no room for it. */
  readonly file: string | null;
  /** The initial sample it comes from, and by which rules. */
  readonly from: string;
  readonly lineage: readonly string[];
  readonly detail: string;
  readonly size: number;
  readonly effort: number | null;
  /** How many times size and effort of the initial sample. */
  readonly sizeRatio: number | null;
  readonly effortRatio: number | null;
  /** How many times the effort that its size explains; null where the run did not end well. */
  readonly excess: number | null;
  /** The exponent with which executed lines grew with size since the initial sample; null where that cannot be told. */
  readonly growth: number | null;
  readonly changes: readonly FindChange[];
  readonly hot: readonly HotLine[];
  readonly seconds: number;
  readonly runs: number;
}

/** What the state of a campaign tells people. */
export function reportOf(
  state: CampaignState,
  facts: Omit<FuzzReport, keyof ReturnType<typeof stateReport>>,
): FuzzReport {
  return { ...facts, ...stateReport(state, facts.gauge.kind === "coverage") };
}

/** Time has a part that is the same for every input, so that nothing can be said of its growth; lines have none. */
function stateReport(state: CampaignState, tellsGrowth: boolean) {
  const initial = state.samples.filter(({ rule }) => rule === null);
  const origins = new Map(initial.map((sample) => [sample.id, sample]));
  const of = (kind: FindKind): readonly Find[] => state.finds.filter((find) => find.kind === kind);
  return {
    seconds: state.seconds,
    runs: state.runs,
    base: state.base,
    slope: state.slope,
    baseline: `samples/${origins.get(state.baseline)?.file ?? ""}`,
    samples: { initial: initial.length, made: state.samples.length - initial.length },
    counts: { degradation: of("degradation").length, hang: state.hangs, fault: state.faults },
    dropped: state.dropped,
    finds: worstFirst(state).map((find) => reported(state, find, origins.get(find.origin), tellsGrowth)),
    rules: state.rules,
  };
}

/** The worst degradations first, then hangs and faults as they were found. */
export function worstFirst({ finds }: CampaignState): readonly Find[] {
  return findKinds.flatMap((kind) => {
    const alike = finds.filter((find) => find.kind === kind);
    return kind === "degradation" ? alike.toSorted(byRate) : alike;
  });
}

function byRate(a: Find, b: Find): number {
  return (b.changes[0]?.rate ?? Number.POSITIVE_INFINITY) - (a.changes[0]?.rate ?? Number.POSITIVE_INFINITY);
}

function reported(
  state: CampaignState,
  { id: _, origin: __, file, ...find }: Find,
  from: Sample | undefined,
  tellsGrowth: boolean,
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
    growth: tellsGrowth ? growthOf(sizeRatio, effortRatio) : null,
  };
}

function ratio(value: number, base: number | undefined): number | null {
  return base === undefined || base <= 0 ? null : value / base;
}

/** Below that a ratio of sizes tells nothing of growth. */
const leastSizeRatio = 1.5;

function growthOf(size: number | null, effort: number | null): number | null {
  if (size === null || effort === null || size < leastSizeRatio || effort <= 0) return null;
  return Math.log(effort) / Math.log(size);
}
