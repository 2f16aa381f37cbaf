import type { Series } from "../../core/measurements/index.ts";
import { counted } from "../../core/text/index.ts";
import type { DerivedChange, Verdict } from "../../core/verdicts/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { median } from "../../math/descriptive/index.ts";
import { lineOf } from "./line.ts";

function shareOf(before: number, after: number): number | null {
  if (before === after) return 0;
  return before === 0 ? null : after / before - 1;
}

/** Series of metrics that describe others. They are not judged: they say again what the others say. */
export class DerivedSeries {
  /** The series to judge. */
  readonly judged: readonly Series[];
  readonly #derived: ReadonlyMap<string, readonly Series[]>;

  constructor(all: readonly Series[]) {
    const keys = new Set(all.map(({ subject }) => subject.key));
    const isDerived = ({ subject: { derivedFrom } }: Series): boolean =>
      derivedFrom !== undefined && keys.has(derivedFrom.key);
    this.judged = all.filter((series) => !isDerived(series));
    this.#derived = groupBy(all.filter(isDerived), ({ subject }) => subject.derivedFrom?.key ?? "");
  }

  /** Adds the derived metrics on both levels of a change. */
  evidence(verdict: Verdict): Verdict {
    const { levels, subject, since } = verdict;
    const own = this.#derived.get(subject.key);
    if (own === undefined || levels === undefined || since === null) return verdict;
    const derived = own.flatMap((series): DerivedChange[] => {
      const { origins, values } = lineOf(series);
      const levelOf = (versions: readonly string[]): number => {
        const known = new Set(versions);
        return median(values.filter((_, at) => known.has(origins[at]?.version ?? "")));
      };
      const [before, after] = [levelOf(levels.before), levelOf(levels.after)];
      if (!Number.isFinite(before) || !Number.isFinite(after)) return [];
      return [{ metric: series.subject.metric, before, after, delta: shareOf(before, after) }];
    });
    return derived.length === 0 ? verdict : { ...verdict, derived };
  }

  notes(): string[] {
    const all = [...this.#derived.values()].flat();
    if (all.length === 0) return [];
    const names = [...new Set(all.map(({ subject }) => subject.metric))].join(", ");
    return [`evidence only: ${counted(all.length, "series", "series")} of ${names}; --result names what to judge`];
  }
}
