import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { collectorOf, type ListedProfile, type Run, type Step } from "../../core/profiles/index.ts";
import { Locator, type Confirm, type Located, readComparable } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkMethods, mixesMachines, type CheckMethod, type CheckMethods } from "./check-methods.ts";
import { compareRuns, differentMachines, emptyComparisonReason, type ProfileComparison } from "./compare-runs.ts";
import { storeChanges, toStoredComparison } from "./store-changes.ts";
import type { ComparedVersions } from "./suspect-range.ts";

export interface CheckProfilesOptions extends CheckMethod {
  readonly baseline: string;
  readonly target: string;
  /** Commit whose index resolves profile names; default: the head. */
  readonly minor?: string;
  /** Compare profiles of different configurations. */
  readonly force: boolean;
  readonly confirm: Confirm | null;
}

/** The configuration that makes profiles comparable. */
export type Configuration = Pick<ListedProfile, "type" | "collector" | "cmd" | "workload" | "postprocessors">;

export interface CheckedPair extends ProfileComparison {
  /** The configuration of the target. */
  readonly of: Configuration;
  /** Commits at which the profiles were measured. */
  readonly versions: ComparedVersions;
}

/**
 * Compares any two profiles and stores changes with the target's commit if it is known. Fails with
 * `incompatible-profiles` if the configurations differ, unless forced.
 */
export async function checkProfiles(workspace: Workspace, options: CheckProfilesOptions): Promise<CheckedPair> {
  const locator = new Locator(workspace, options.confirm);
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  const locatedBefore = await locator.one(options.baseline, version);
  const before = readComparable(workspace, locatedBefore);
  const located = await locator.one(options.target, version);
  const after = readComparable(workspace, located);
  if (!options.force) requireComparable(before, after);
  const methods = await checkMethods(workspace.registry, () => workspace.config(), options);
  const comparison = compareNamed(methods, [before, after], options);
  const measured = await measuredVersion(workspace, after, located, options.minor);
  if (measured !== null && comparison.incomparable === undefined)
    storeChanges(workspace, measured, [toStoredComparison(methods, [before, after], comparison.changes, measured)]);
  const versions = { before: await measuredVersion(workspace, before, locatedBefore, undefined), after: measured };
  return { ...comparison, of: configurationOf(after), versions };
}

/** Unit failures name both profiles. */
function compareNamed(
  methods: CheckMethods,
  [before, after]: readonly [Run, Run],
  options: CheckProfilesOptions,
): ProfileComparison {
  try {
    const found = compareRuns(methods, before, after, options.compat);
    const why =
      found.otherMachine && !mixesMachines(options)
        ? differentMachines
        : emptyComparisonReason(methods, before, found, options.compat);
    return why === undefined ? found : { ...found, changes: [], incomparable: why };
  } catch (error) {
    if (!isFailure(error, "unit-mismatch")) throw error;
    throw new Failure(
      "unlike-profiles",
      { baseline: options.baseline, target: options.target, reason: error.message },
      error,
    );
  }
}

/** Commit of a profile; null if unknown or not in this repository. */
async function measuredVersion(
  workspace: Workspace,
  run: Run,
  located: Located,
  minor: string | undefined,
): Promise<VersionId | null> {
  if (!workspace.hasInstance()) return null;
  if (run.origin === undefined && located.kind === "object" && located.version !== undefined) return located.version;
  if (run.origin === undefined) return minor === undefined ? null : workspace.version(minor);
  try {
    return await workspace.version(run.origin);
  } catch (error) {
    if (error instanceof Failure && error.code === "unknown-revision") return null;
    throw error;
  }
}

function requireComparable(before: Run, after: Run): void {
  const [baseline, target] = [configurationText(before), configurationText(after)];
  if (baseline !== target) throw new Failure("incompatible-profiles", { baseline, target });
}

function configurationOf({ fixed, steps }: Run): Configuration {
  const [type, cmd, workload] = ["type", "cmd", "workload"].map((key) => String(fixed.get(key) ?? "")) as [
    string,
    string,
    string,
  ];
  const named = (of: Step["kind"]): string[] => steps.filter(({ kind }) => kind === of).map(({ name }) => name);
  return { type, collector: named("collector")[0] ?? "", cmd, workload, postprocessors: named("postprocessor") };
}

/** Type, command, workload and steps, for messages. */
function configurationText({ fixed, steps }: Run): string {
  const [type, cmd, workload] = ["type", "cmd", "workload"].map((key) => String(fixed.get(key) ?? ""));
  const names = steps.map(({ name }) => collectorOf({ collector: name }));
  return `${type} of '${`${cmd} ${workload}`.trim()}' by ${names.join(", ")}`;
}
