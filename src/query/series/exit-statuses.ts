import { isExitStatus, type Series, type SeriesPoint } from "../../core/measurements/index.ts";
import { distinctStatuses, statusDifference, type Verdict } from "../../core/verdicts/index.ts";

/** The exit statuses of the benchmarks of a history, where they are measured. */
export class ExitStatuses {
  readonly #series: ReadonlyMap<string, Series>;

  constructor(all: readonly Series[]) {
    const known = all.filter(({ subject }) => isExitStatus(subject.metric));
    this.#series = new Map(known.map((series) => [series.subject.benchmark, series]));
  }

  /** Those of the selected points of a benchmark, ascending; undefined: unknown. */
  of(benchmark: string, isSelected: (point: SeriesPoint) => boolean): readonly number[] | undefined {
    const points = this.#series.get(benchmark)?.points.filter(isSelected) ?? [];
    return points.length === 0 ? undefined : distinctStatuses(points.flatMap(({ sample }) => [...sample]));
  }

  /** Doubts a change with which the exit status changed: a program that fails does other work. */
  doubted(verdict: Verdict): Verdict {
    const { levels, subject, outcome } = verdict;
    if (levels === undefined || (outcome !== "worse" && outcome !== "better")) return verdict;
    const [before, after] = [levels.before, levels.after].map((versions) => {
      const known = new Set<string | null>(versions);
      return this.of(subject.benchmark, ({ version }) => known.has(version));
    });
    const reason = statusDifference(before, after);
    return reason === null ? verdict : { ...verdict, outcome: "inconclusive", doubt: "failed", reason };
  }
}
