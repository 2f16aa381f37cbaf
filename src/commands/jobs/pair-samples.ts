import { cpuTimeMetric } from "../../core/measurements/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { isSettled, openVerdicts } from "../../query/verdict/index.ts";
import type { MeasuredRound } from "../../workspace/jobs/index.ts";
import { judgeSides, roundSamples, type CompareRequest } from "../verdicts/index.ts";

/** The pairs of two commits while they are measured. */
export class PairSamples {
  readonly #sides: readonly [VersionId, VersionId];
  readonly #request: Pick<CompareRequest, "options" | "selection">;
  readonly #values = new Map<VersionId, Map<string, Measured>>();

  constructor(sides: readonly [VersionId, VersionId], request: Pick<CompareRequest, "options" | "selection">) {
    this.#sides = sides;
    this.#request = request;
  }

  /**
   * Adds a round, and returns whether all selected subjects are settled. Fails with `nothing-to-compare` if none is
   * selected.
   */
  async add(round: readonly MeasuredRound[]): Promise<boolean> {
    for (const each of round) this.#addTo(each.version, roundSamples(each));
    const [base, head] = this.#sides.map((version) => this.#sideOf(version)) as [Measurements, Measurements];
    const { options, selection } = this.#request;
    const [compared] = await judgeSides(base, [head], options, selection);
    const verdicts = (compared?.rows ?? []).map(({ verdict }) => verdict);
    const open = new Set(openVerdicts(verdicts));
    return verdicts.every((verdict) => isSettled(verdict, options) || (isSecondary(verdict) && !open.has(verdict)));
  }

  #addTo(version: VersionId, samples: readonly Measured[]): void {
    const known = this.#values.get(version) ?? new Map<string, Measured>();
    this.#values.set(version, known);
    for (const sample of samples) {
      const key = JSON.stringify([sample.subject.key, [...(sample.workload?.facts ?? [])]]);
      const before = known.get(key)?.groups[0] ?? new Float64Array();
      const groups = [Float64Array.from([...before, ...(sample.groups[0] ?? [])])];
      known.set(key, { ...sample, groups });
    }
  }

  #sideOf(version: VersionId): Measurements {
    const measured = [...(this.#values.get(version)?.values() ?? [])];
    return { name: version, measured, machines: [], version };
  }
}

/** CPU time next to wall time does not prolong a measurement. */
function isSecondary({ subject }: { readonly subject: { readonly metric: string } }): boolean {
  return subject.metric === cpuTimeMetric;
}
