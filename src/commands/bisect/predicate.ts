import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Direction } from "../../core/measurements/index.ts";
import { stepAt, type Step } from "../../query/bisect/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { BisectWatcher } from "./bisect.ts";
import { VersionProbe, type BisectJob, type VersionMeasurement } from "./measurement.ts";
import { comparedColumn } from "./measured-value.ts";

export interface PredicateOptions {
  /** A known good revision. */
  readonly base: string;
  readonly job: BisectJob;
  /** As for `bisect`. */
  readonly of?: string;
  /** Largest relative change that counts as none. */
  readonly minEffect: number;
  readonly better: Direction;
  /** Maximum number of measurements of the working tree. */
  readonly mostRuns: number;
}

export interface PredicateResult {
  readonly answer: "not worse" | "worse" | "cannot tell";
  /** Reason for `cannot tell`, else null. */
  readonly reason: string | null;
  readonly base: VersionId;
  readonly step: Omit<Step, "deviations"> | null;
}

/** Minimum sample size, unless the values do not vary. */
const minMeasurements = 3;

/**
 * Whether the working tree is worse than a commit by more than `minEffect`: decided when the 95 % interval of the
 * change lies on one side of it. Reuses profiles of the base from this machine. A tree that cannot be built or measured
 * gives `cannot tell`.
 */
export async function bisectPredicate(
  workspace: Workspace,
  options: PredicateOptions,
  watcher: BisectWatcher = {},
): Promise<PredicateResult> {
  const column = comparedColumn(options.of, options.job.collectors[0]?.name ?? "");
  const gauge = new VersionProbe(workspace, options.job, column, watcher);
  const base = await workspace.version(options.base);
  const before = await gauge.known(base);
  const after: VersionMeasurement[] = [];
  let step: Step | null = null;
  while (after.length < options.mostRuns || before.length < after.length) {
    const isBase = before.length < after.length;
    const measured = await gauge.measure(isBase ? base : null);
    if (measured instanceof Failure) return { answer: "cannot tell", reason: measured.message, base, step: null };
    (isBase ? before : after).push(measured);
    watcher.measured?.(measured, after.length);
    step = stepOf(before, after);
    const answer = step && answerOf(step, options);
    if (answer) return { answer, reason: null, base, step };
  }
  return { answer: "cannot tell", reason: `${options.mostRuns} measurements vary too much`, base, step };
}

function stepOf(before: readonly VersionMeasurement[], after: readonly VersionMeasurement[]): Step | null {
  if (Math.min(before.length, after.length) < 2) return null;
  const at =
    (position: number) =>
    ({ value }: VersionMeasurement) => ({ position, value });
  const measurements = [...before.map(at(0)), ...after.map(at(1))];
  return stepAt({ last: 1, measurements, skipped: new Set() }, { from: 1, to: 1 });
}

function answerOf(
  { before, after, deltaLow, deltaHigh }: Step,
  { better, minEffect }: PredicateOptions,
): PredicateResult["answer"] | null {
  if (deltaLow === null || deltaHigh === null) return null;
  if (deltaLow < deltaHigh && Math.min(before.n, after.n) < minMeasurements) return null;
  const [least, most] = better === "lower" ? [deltaLow, deltaHigh] : [-deltaHigh, -deltaLow];
  if (least > minEffect) return "worse";
  return most <= minEffect ? "not worse" : null;
}
