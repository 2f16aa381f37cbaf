import { Failure } from "../../core/failures/index.ts";
import { sameMachine } from "../../core/measurements/index.ts";
import { WorkloadNames } from "../../core/profiles/index.ts";
import type { Measured, Measurements } from "../../core/verdicts/index.ts";
import type { ComparedSetting } from "../../query/series/index.ts";
import { compareAll, type Compared, type CompareOptions } from "../../query/verdict/index.ts";
import { readThresholds, thresholdsName } from "../../workspace/verdicts/index.ts";
import { sidesOf, type ComparedSides } from "./compare-sides.ts";
import { areMachines } from "./machine-sides.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { withSuspects } from "./suspect-range.ts";

export interface CompareRequest extends ComparedSides {
  /** Compare although the two were measured on different machines. */
  readonly anyMachine: boolean;
  /** Whether the thresholds that `calibrate` wrote apply. */
  readonly thresholds: boolean;
  readonly options: CompareOptions;
}

export interface Comparison extends Compared {
  readonly old: string;
  readonly new: string;
  /** The sides were measured on different machines, as far as known. */
  readonly otherMachine: boolean;
  /** The machine is known for some but not all measurements. */
  readonly unknownMachine: boolean;
  /** Parameters in which the files differ as a whole, with their values by side. */
  readonly settings?: readonly ComparedSetting[];
  /** Further sides, compared with the same baseline; q accounts for all rows. */
  readonly others?: readonly Comparison[];
}

/**
 * Compares two sides, or several with the first, subject by subject. Fails with `nothing-to-compare`, and with failures
 * of reading revisions, profiles, files or experiments.
 */
export async function compare(workspace: Workspace, request: CompareRequest): Promise<Comparison> {
  const { sides, settings } = await sidesOf(workspace, request);
  const [old, now, ...others] = sides;
  const ofMachines = request.experiment === undefined && areMachines([request.old]);
  const compared = await compareSides(workspace, old, [now, ...others], {
    ...request,
    anyMachine: request.anyMachine || ofMachines,
  });
  return settings.length === 0 ? compared : { ...compared, settings };
}

type JudgingRequest = Pick<CompareRequest, "anyMachine" | "thresholds" | "options" | "selection">;

/** Verdicts across machines are inconclusive unless `anyMachine`. */
export async function compareSides(
  workspace: Workspace,
  old: Measurements,
  others: readonly [Measurements, ...Measurements[]],
  request: JudgingRequest,
): Promise<Comparison> {
  const { thresholds, options } = request;
  const applied = thresholds ? { ...options, ...(await calibratedEffects(workspace)) } : options;
  const all = await judgeSides(old, others, applied, request.selection);
  const comparisons: Comparison[] = [];
  for (const [at, now] of others.entries())
    comparisons.push(await comparisonOf(workspace, old, now, all[at]!, request));
  const [first, ...more] = comparisons;
  return more.length === 0 ? first! : { ...first!, others: more };
}

/** The verdicts on the selected subjects of each side. Fails with `nothing-to-compare` if nothing is selected. */
export async function judgeSides(
  old: Measurements,
  others: readonly Measurements[],
  options: CompareOptions,
  selection: ComparedSides["selection"],
): Promise<Compared[]> {
  const [base, ...sides] = await selectSubjects([old, ...others].map(separateWorkloads(old, ...others)), selection);
  return compareAll(base!, sides, options);
}

async function comparisonOf(
  workspace: Workspace,
  old: Measurements,
  now: Measurements,
  compared: Compared,
  { anyMachine }: JudgingRequest,
): Promise<Comparison> {
  const machines = [...old.machines, ...now.machines];
  // Runs of experiments know facts about their machine, profiles its fingerprint: each is compared with its kind.
  const relations = new Set(
    machines.flatMap((machine, at) => machines.slice(at).map((other) => sameMachine(machine, other))),
  );
  const otherMachine = relations.has("other");
  const judged =
    otherMachine && !anyMachine
      ? compared.rows.map((row) => ({ ...row, verdict: { ...row.verdict, ...onDifferentMachines } }))
      : compared.rows;
  const rows = await withSuspects(workspace, judged, { before: old.version, after: now.version });
  return {
    ...compared,
    rows,
    old: old.name,
    new: now.name,
    otherMachine,
    unknownMachine: relations.has("unknown") && relations.size > 1,
  };
}

/**
 * The selected subjects of all sides; the others are not tests of the comparison. Fails with `nothing-to-compare` if
 * nothing is selected, and with `bad-pattern`.
 */
async function selectSubjects(
  sides: readonly Measurements[],
  selection?: ComparedSides["selection"],
): Promise<readonly Measurements[]> {
  if (selection === undefined || selection.names.length + selection.metrics.length === 0) return sides;
  const { compilePattern } = await import("../../formats/text/pattern.ts");
  const patterns = selection.names.map((pattern) => compilePattern(pattern));
  const isSelected = ({ subject }: Measured): boolean =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(subject.benchmark))) &&
    (selection.metrics.length === 0 || selection.metrics.includes(subject.metric));
  const selected = sides.map((side) => ({ ...side, measured: side.measured.filter(isSelected) }));
  if (selected.some(({ measured }) => measured.length > 0)) return selected;
  const metrics = [...new Set(sides.flatMap(({ measured }) => measured.map(({ subject }) => subject.metric)))];
  throw new Failure("nothing-to-compare", {
    what: "no benchmark matches --filter and --metric",
    instead: `the metrics are ${metrics.join(", ")}`,
  });
}

/** Gives each generated workload its own subject, with the same names on both sides. */
function separateWorkloads(...sides: readonly Measurements[]): (side: Measurements) => Measurements {
  const names = new WorkloadNames(
    sides.flatMap(({ measured }) => measured.map(({ subject, workload }) => ({ key: subject.key, workload }))),
  );
  const named = (each: Measured): Measured => ({
    ...each,
    subject: { ...each.subject, ...names.of(each.subject, each.workload) },
  });
  return (side) => ({ ...side, measured: side.measured.map(named) });
}

async function calibratedEffects(workspace: Workspace): Promise<Pick<CompareOptions, "own">> {
  const thresholds = await readThresholds(workspace);
  return {
    own: {
      of: thresholdsName,
      minEffectOf: (subject) => thresholds.thresholdFor(subject)?.compareMinEffect ?? undefined,
    },
  };
}

const onDifferentMachines = { outcome: "inconclusive", reason: "measured on different machines" } as const;
