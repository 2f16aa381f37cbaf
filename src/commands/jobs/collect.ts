import type { Settings } from "../../core/values/setting.ts";
import type { JobsResult, JobWatcher } from "../../workspace/jobs/ledger.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { runJob, type RunOptions } from "./run-jobs.ts";

export interface CollectOptions extends RunOptions {
  readonly collector: string;
  readonly cmds: readonly string[];
  readonly workloads: readonly string[];
  readonly params: Settings;
}

/**
 * Measures commands by one collector; otherwise as `runJob`. Without a command those of the configuration are measured,
 * which needs trust.
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
