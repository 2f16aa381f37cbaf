import { isFailure } from "../../core/failures/failure.ts";
import { experimentHome, isServer } from "../../workspace/experiments/experiments.ts";
import { StoreStateReader } from "../../workspace/serve/store-state.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { keepPages, keptPages } from "./page-cache.ts";
import { pageData, type PageData, type PageOptions } from "../report/page-data.ts";

/**
 * Pages of the store as it is now: those that were made of the same store before, else new ones, which are kept. Fails
 * like `pageData`.
 */
export async function knownPages(workspace: Workspace, options: PageOptions): Promise<PageData> {
  if (!options.keeps) return pageData(workspace, options);
  const state = await wholeState(workspace, options);
  const kept = keptPages(workspace, options);
  if (kept?.state === state && isRepeatable(workspace, options)) return kept.data;
  kept?.close();
  const begun = workspace.world.now();
  const data = await pageData(workspace, options);
  keepPages(workspace, options, data, { state, took: workspace.world.now() - begun });
  return data;
}

/** A word for the store and the head: the same at another time only where nothing was changed in between. */
export async function wholeState(workspace: Workspace, options: PageOptions): Promise<string> {
  const states = await StoreStateReader.open(workspace, options.database);
  return JSON.stringify([states.read(), await headOf(workspace)]);
}

/** Empty: there is none. */
async function headOf(workspace: Workspace): Promise<string> {
  try {
    return await workspace.version();
  } catch (error) {
    if (isFailure(error)) return "";
    throw error;
  }
}

/**
 * Whether the state of the store tells all that pages depend on: words for versions and times mean something else
 * later, servers and plug-ins tell nothing.
 */
export function isRepeatable(workspace: Workspace, { range, since, method, database }: PageOptions): boolean {
  if (range !== undefined || since !== undefined) return false;
  return workspace.registry.isBuiltIn("detector", method) && !isServer(experimentHome(workspace, database).database);
}
