import { Failure } from "../../core/failures/index.ts";
import type { Figure } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { View } from "../../plugins/views/view.ts";
import { type Confirm, readSourceTexts } from "../../workspace/profiles/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openedProfile } from "./open-profile.ts";

export interface ShowOptions {
  /** A perfkeep profile, or a file of another profiler. */
  readonly profile: string;
  readonly minor?: string;
  readonly confirm: Confirm | null;
  /** Operand of the view, if it has one. */
  readonly what?: string;
  /** Options of the view, such as `order: total`. */
  readonly params?: Settings;
}

/** Reads a profile by name or path. Fails like `openedProfile`. */
export async function readProfile(workspace: Workspace, options: Omit<ShowOptions, "params" | "what">): Promise<Run> {
  return (await openedProfile(workspace, options)).run();
}

/** Draws a profile with a view. Fails with failures of the view, and like `optionsOf` for unknown options. */
export async function show(
  workspace: Workspace,
  { params, what, ...source }: ShowOptions,
  view: string,
): Promise<Figure> {
  const drawing = await workspace.registry.get("view", view);
  const given = optionsOf(drawing, new Map([...(params ?? []), ...operandOf(drawing, what)]));
  const opened = await openedProfile(workspace, source);
  if (opened.isForeign && drawing.drawStacks !== undefined) return drawing.drawStacks(await opened.stacks(), given);
  const run = await opened.run();
  return drawing.draw(run, given, readSourceTexts(workspace, drawing.sources?.(run, given) ?? []));
}

function operandOf({ name, operand }: View, what: string | undefined): [string, string][] {
  if (what === undefined) return [];
  if (operand !== undefined) return [[operand, what]];
  throw new Failure("unusable-combination", {
    what: `'${what}' after the view ${name}, which takes no operand`,
    instead: "leave it out",
  });
}
