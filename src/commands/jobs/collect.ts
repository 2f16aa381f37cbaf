import type { Settings } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { JobsResult, JobWatcher } from "../../workspace/jobs/index.ts";
import type { Registry } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runJob, type RunOptions } from "./run-jobs.ts";

export interface CollectOptions extends RunOptions {
  readonly collector: string;
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly params: Settings;
}

/**
 * Measures commands with one collector (see `runJob`). Without commands, measures the configured ones, which requires
 * trust.
 */
export async function collect(
  workspace: Workspace,
  options: CollectOptions,
  watcher: JobWatcher = {},
): Promise<JobsResult> {
  const collectors = [{ name: options.collector, params: options.params }];
  if (options.cmds.length > 0) return runJob(workspace, { ...options, collectors }, watcher);
  const config = await workspace.config();
  await workspace.trust().require(config, options.confirm);
  const workloads = options.workloads.length > 0 ? options.workloads : config.texts("workloads");
  return runJob(workspace, { ...options, cmds: config.texts("cmds"), workloads, collectors }, watcher);
}

/** A collector and its options, for the command line. */
export interface PluginOptions {
  readonly name: string;
  readonly synopsis: string;
  readonly options: readonly Variable[];
}

/** The named collector, or all built-in ones. Fails with `unknown-plugin`. */
export async function collectorsNamed(registry: Registry, name?: string): Promise<readonly PluginOptions[]> {
  const names = name === undefined ? registry.names("collector") : [name];
  return Promise.all(names.map((each) => registry.get("collector", each)));
}
