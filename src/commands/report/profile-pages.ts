import type { Digest, VersionId } from "../../core/versions/index.ts";
import { isFailure, isReadFailure } from "../../core/failures/index.ts";
import { differenceFigure, type Figure, type FlameBlock, type TableBlock } from "../../core/figures/index.ts";
import type { ProfileLine } from "../../core/pages/index.ts";
import type { ListedProfile, Run } from "../../core/profiles/index.ts";
import { comparedGraphs, tracedStacks, differenceBlocks } from "../../query/flame/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import { readRun, VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { comparedProfiles } from "../profiles/index.ts";

/** Maximum functions per difference. */
const maxRows = 100;

/** Profiles of the newest commit that has any; `versions`: oldest first. */
export function newestProfiles(workspace: Workspace, versions: readonly VersionId[]): readonly ListedProfile[] {
  if (!workspace.hasInstance()) return [];
  const stored = new VersionLookup(workspace);
  const newest = versions.findLast((id) => stored.profiles(id).length > 0);
  return newest === undefined ? [] : stored.profiles(newest);
}

export function profileLines(profiles: readonly ListedProfile[]): ProfileLine[] {
  return profiles.map(({ object, name, type, collector, cmd, workload, time }) => ({
    object,
    name,
    type,
    collector,
    cmd,
    workload,
    time,
  }));
}

/** Reads a profile object by digest. Fails with `object-missing`, `not-a-profile`. */
export function storedRun(workspace: Workspace, object: string): Run {
  return readRun(workspace, { kind: "object", name: object, digest: object as Digest });
}

/** Draws a profile with a view. Fails with `unknown-plugin`, `nothing-to-draw`, and with failures of options. */
export async function profileFigure(
  workspace: Workspace,
  run: Run,
  view: string,
  options: Readonly<Record<string, string>> = {},
): Promise<Figure> {
  const drawing = await workspace.registry.get("view", view);
  return drawing.draw(run, optionsOf(drawing, new Map(Object.entries(options))));
}

/** Difference of two stored profiles: by function, and as a flame graph if both have stacks. */
export async function profileDifferenceFigure(
  workspace: Workspace,
  base: { readonly object: string; readonly version: VersionId | null },
  target: { readonly object: string; readonly version: VersionId | null },
): Promise<Figure> {
  const [before, after] = [storedRun(workspace, base.object), storedRun(workspace, target.object)];
  const side = ({ object, version }: typeof base, run: Run) => ({ run, profile: object.slice(0, 12), version });
  const compared = comparedProfiles(side(base, before), side(target, after), {
    by: "function",
    isNormalised: false,
    minShare: 0.001,
    limit: maxRows,
  });
  const { blocks } = differenceFigure({ compared: [compared], onlyBase: [], onlyTarget: [] }, "page");
  return { title: compared.configuration, blocks: [...blocks, ...flameBlocks(before, after)] };
}

/** Difference flame graph; empty without stacks, or with several quantities. */
function flameBlocks(before: Run, after: Run): (FlameBlock | TableBlock)[] {
  try {
    const [base, target] = [tracedStacks(before), tracedStacks(after)];
    return base === null || target === null ? [] : differenceBlocks(...comparedGraphs(base, target, {}));
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}

/** Views that can draw the profile, with their figures. */
export async function drawableViews(
  workspace: Workspace,
  run: Run,
  views: readonly string[],
): Promise<[view: string, figure: Figure][]> {
  const drawn: [string, Figure][] = [];
  for (const view of views) {
    try {
      drawn.push([view, await profileFigure(workspace, run, view)]);
    } catch (error) {
      if (!isFailure(error) || isReadFailure(error)) throw error;
    }
  }
  return drawn;
}
