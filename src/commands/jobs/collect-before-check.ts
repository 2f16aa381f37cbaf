import type { VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { collectorOf } from "../../core/profiles/index.ts";
import { CollectionLog } from "../../workspace/verdicts/index.ts";
import { type JobsResult, type JobWatcher, type MatrixAxes, findGenerator } from "../../workspace/jobs/index.ts";
import type { ConfirmCommands } from "../../workspace/config/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { matrixOf } from "./job-matrix.ts";
import { runMatrix } from "./run-jobs.ts";

export interface CollectBeforeCheck {
  /** The checked commit; default: the head. */
  readonly revision: string | undefined;
  /** head: the commit and its parents; all: its complete history. */
  readonly scope: "head" | "all";
  /**
   * Explicitly requested; otherwise `degradation.collect_before_check` decides, and nothing is measured without trust.
   */
  readonly isWanted: boolean;
  readonly confirm: ConfirmCommands;
}

const nothing: JobsResult = { kept: [], failed: [], resumed: 0 };

/**
 * Measures the configured matrix at each checked commit that lacks a profile of it, and registers the profiles; with
 * `degradation.log_collect` logs output under `.perun/logs`. Fails with `not-trusted` and `nothing-to-run` only if
 * explicitly requested.
 */
export async function collectBeforeCheck(
  workspace: Workspace,
  options: CollectBeforeCheck,
  watcher: JobWatcher = {},
): Promise<JobsResult> {
  const config = await workspace.config();
  if (!options.isWanted && !config.flag("degradation.collect_before_check")) return nothing;
  const axes = matrixOf(config);
  const isEmpty = axes.cmds.length === 0 || axes.collectors.length === 0;
  if (isEmpty && !options.isWanted) {
    watcher.notice?.("nothing is measured before the check: no commands and collectors are configured");
    return nothing;
  }
  const all = await versionsOf(workspace, options);
  const versions = isEmpty ? all : await versionsWithoutProfiles(workspace, axes, all);
  if (versions.length === 0) return nothing;
  const log = config.flag("degradation.log_collect") ? new CollectionLog(workspace.perun()) : null;
  const run = { versions, crawlParents: false, register: true, confirm: options.confirm };
  try {
    return await runMatrix(workspace, run, log === null ? watcher : logged(log, watcher));
  } catch (error) {
    if (options.isWanted || !isFailure(error, "not-trusted")) throw error;
    watcher.notice?.("nothing is measured before the check: the configured commands are not trusted (perfkeep trust)");
    return nothing;
  }
}

async function versionsOf(workspace: Workspace, { revision, scope }: CollectBeforeCheck): Promise<VersionId[]> {
  const vcs = await workspace.vcs();
  const head = await workspace.version(revision);
  if (scope === "head") return [head, ...(await vcs.info(head)).parents];
  const all: VersionId[] = [];
  for await (const { id } of vcs.walk(head)) all.push(id);
  return all;
}

/** Commits without a registered profile of each command, workload and collector, with the same postprocessors. */
async function versionsWithoutProfiles(
  workspace: Workspace,
  axes: MatrixAxes,
  versions: readonly VersionId[],
): Promise<VersionId[]> {
  const [collectors, steps] = await Promise.all([
    Promise.all(axes.collectors.map(({ name }) => workspace.registry.get("collector", name))),
    Promise.all(axes.postprocessors.map(({ name }) => workspace.registry.get("postprocessor", name))),
  ]);
  const chain = steps.map(({ recorded }) => recorded).join();
  const workloads = axes.workloads.length > 0 ? axes.workloads : [""];
  return versions.filter((version) => {
    const there = workspace.registered(version).filter(({ postprocessors }) => postprocessors.join() === chain);
    const has = (cmd: string, workload: string, collector: string): boolean =>
      there.some(
        (one) => one.cmd === cmd && collectorOf(one) === collector && matchesWorkload(axes, workload, one.workload),
      );
    return !axes.cmds.every((cmd) =>
      workloads.every((workload) => collectors.every(({ name }) => has(cmd, workload, name))),
    );
  });
}

/** A generator may store a profile per workload. */
function matchesWorkload({ generators }: MatrixAxes, workload: string, recorded: string): boolean {
  return (
    recorded === workload || (findGenerator(generators, workload) !== undefined && recorded.startsWith(`${workload}_`))
  );
}

function logged(log: CollectionLog, watcher: JobWatcher): JobWatcher {
  return {
    ...watcher,
    kept: (profile, printed, outputs) => {
      const { version, cmd, workload, collector, name } = profile;
      log.add(
        version,
        `${`${cmd} ${workload}`.trim()} by ${collector}: ${name}\n${printed}` +
          (printed.endsWith("\n") || printed === "" ? "" : "\n"),
      );
      watcher.kept?.(profile, printed, outputs);
    },
    failed: (failed) => {
      const { version, job, failure } = failed;
      const subject = job === null ? "the commit" : `${job.cmd} ${job.workload}`.trim();
      log.add(version, `${subject} failed: ${failure.message} [${failure.code}]\n`);
      watcher.failed?.(failed);
    },
  };
}
