import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { Locator, type Confirm } from "../workspace/locate.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { checkMethods } from "./check-methods.ts";
import { compareRuns, type CheckMethod, type Comparison } from "./compare-runs.ts";

export interface CheckProfilesOptions extends CheckMethod {
  readonly baseline: string;
  readonly target: string;
  /** Version whose index names are looked up in; the head when absent. */
  readonly minor?: string;
  /** Compare although the configurations differ. */
  readonly force: boolean;
  readonly confirm: Confirm | null;
}

/** Compares any two profiles. Fails with `incompatible-profiles` when their configurations differ, unless forced. */
export async function checkProfiles(workspace: Workspace, options: CheckProfilesOptions): Promise<Comparison> {
  const locator = new Locator(workspace, options.confirm);
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  const before = readRun(workspace, await locator.one(options.baseline, version));
  const after = readRun(workspace, await locator.one(options.target, version));
  if (!options.force) requireComparable(before, after);
  const methods = await checkMethods(workspace.registry, () => workspace.config(), options.method);
  return compareRuns(methods, before, after, options.compat);
}

function requireComparable(before: Run, after: Run): void {
  const [baseline, target] = [configurationOf(before), configurationOf(after)];
  if (baseline !== target) throw new Failure("incompatible-profiles", { baseline, target });
}

/** Type, command, workload and steps, as people read them. */
function configurationOf({ fixed, steps }: Run): string {
  const [type, cmd, workload] = ["type", "cmd", "workload"].map((key) => String(fixed.get(key) ?? ""));
  return `${type} of '${`${cmd} ${workload}`.trim()}' by ${steps.map((step) => step.name).join(", ")}`;
}
