import { isFailure } from "../../core/failures/index.ts";
import { experimentHome, isServer } from "../../workspace/experiments/index.ts";
import { StoreStateReader } from "../../workspace/serve/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { savePages, loadPages } from "./page-cache.ts";
import { pageData, type PageData, type PageOptions } from "../report/index.ts";

/**
 * Pages of the current store: cached pages if the store is unchanged, else new pages, which are cached. Fails like
 * `pageData`.
 */
export async function cachedPages(workspace: Workspace, options: PageOptions): Promise<PageData> {
  if (!options.keeps) return pageData(workspace, options);
  const state = await storeState(workspace, options);
  const cached = loadPages(workspace, options);
  if (cached?.state === state && isCacheable(workspace, options)) return cached.data;
  cached?.close();
  const startedMs = workspace.world.now();
  const data = await pageData(workspace, options);
  savePages(workspace, options, data, { state, took: workspace.world.now() - startedMs });
  return data;
}

/** Fingerprint of the store and the head; changes with either. */
export async function storeState(workspace: Workspace, options: PageOptions): Promise<string> {
  const states = await StoreStateReader.open(workspace, options.database);
  return JSON.stringify([states.read(), await headOf(workspace)]);
}

/** Empty if there is none. */
async function headOf(workspace: Workspace): Promise<string> {
  try {
    return await workspace.version();
  } catch (error) {
    if (isFailure(error)) return "";
    throw error;
  }
}

/**
 * Whether pages depend on the store's state only. Ranges and dates change meaning over time; servers and user plug-ins
 * do not report changes.
 */
export function isCacheable(workspace: Workspace, { range, since, method, database }: PageOptions): boolean {
  if (range !== undefined || since !== undefined) return false;
  return workspace.registry.isBuiltIn("detector", method) && !isServer(experimentHome(workspace, database).database);
}
