import type { VersionId } from "../core/digest.ts";
import type { Figure } from "../core/figure.ts";
import type { Run } from "../core/run.ts";
import type { Settings } from "../core/setting.ts";
import type { Values } from "../core/value.ts";
import { Locator, type Confirm } from "../workspace/locate.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ShowOptions {
  readonly profile: string;
  readonly minor?: string;
  readonly confirm: Confirm | null;
  /** Options of the view as people give them: `order: total`. */
  readonly params?: Settings;
}

/** The profile a word of the user means, decoded. */
async function loadRun(workspace: Workspace, options: ShowOptions): Promise<Run> {
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  return readRun(workspace, await new Locator(workspace, options.confirm).one(options.profile, version));
}

/** Draws a profile by the view of that name. */
export async function show(workspace: Workspace, options: ShowOptions, view: string, viewOptions: Values): Promise<Figure> {
  const drawing = await workspace.registry.get("view", view);
  const given = options.params === undefined ? [] : optionsOf(drawing, options.params);
  return drawing.draw(await loadRun(workspace, options), new Map([...given, ...viewOptions]));
}
