import { readParams, type RunOptions } from "../../commands/run-jobs.ts";
import { abbreviate } from "../../core/digest.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { Failure } from "../../core/errors.ts";
import type { Settings } from "../../core/setting.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { WantedCollector } from "../../workspace/job-plan.ts";
import type { JobsResult, JobWatcher } from "../../workspace/job-runner.ts";
import type { Arguments } from "../arguments.ts";
import { confirmCommandsOf } from "../confirm.ts";
import { noteFailure } from "../failure-line.ts";
import { openProgress } from "../progress.ts";
import type { Session } from "../session.ts";
import type { OptionSpec } from "../verb.ts";

/** What all verbs that measure take. */
export const jobOptions: readonly OptionSpec[] = [
  {
    flags: "-m, --minor <rev>",
    synopsis: "version to measure in a tree of its own (default: the tree as it is)",
    repeat: true,
    also: ["--minor-version"],
  },
  { flags: "--crawl-parents", synopsis: "measure all ancestors of these versions as well" },
  { flags: "--output-filename-template <text>", synopsis: "name of the profiles (default: format.output_profile_template)", also: ["-ot"] },
];

export function runOptionsOf(session: Session, args: Arguments): RunOptions {
  const nameTemplate = args.text("outputFilenameTemplate");
  return {
    versions: args.texts("minor"),
    crawlParents: args.flag("crawlParents"),
    ...(nameTemplate === undefined ? {} : { nameTemplate }),
    confirm: confirmCommandsOf(session),
  };
}

/** Options of one collector, given in several pieces; the last of a name counts. */
export function mergedParams(session: Session, pieces: readonly string[]): Settings {
  return new Map(pieces.flatMap((piece) => [...readParams(session.workspace, piece)]));
}

/** The collectors of `run job` with the options given for each. Fails when options are given for one that does not run. */
export function collectorsOf(session: Session, args: Arguments): WantedCollector[] {
  const names = args.texts("collector");
  const params = args.pairs("params");
  const stray = params.find(([name]) => !names.includes(name));
  if (stray)
    throw new Failure("unusable-combination", {
      what: `options for '${stray[0]}', which is not among the collectors`,
      instead: `add --collector ${stray[0]}`,
    });
  return names.map((name) => ({
    name,
    params: mergedParams(
      session,
      params.filter(([of]) => of === name).map(([, text]) => text),
    ),
  }));
}

/** Runs with a progress bar, and tells of each profile and failure when it happens. */
export async function watched(session: Session, work: (watcher: JobWatcher) => Promise<JobsResult>): Promise<JobsResult> {
  const progress = openProgress(session);
  try {
    return await work({
      progress: (done, total, version, job) =>
        progress.show(done, total, `${abbreviate(version)} ${job ? `${job.cmd} ${job.workload}`.trim() : ""}`),
      notice: (text) => session.output.note(terminalText(text)),
      kept: (profile) => {
        if (session.format !== "text") return;
        progress.hide();
        const state = profile.path === null ? `registered at ${abbreviate(profile.version)}` : `pending for ${abbreviate(profile.version)}`;
        session.output.data(
          `${terminalText(profile.name)} ${state}${profile.dirty ? " (measured in a tree with uncommitted changes)" : ""}\n`,
        );
      },
      failed: ({ failure }) => {
        progress.hide();
        noteFailure(session, failure);
      },
    });
  } finally {
    progress.hide();
  }
}

/** Exit status: that of the first failure, whatever else was kept. */
export function reportJobs(session: Session, { kept, failed }: JobsResult): number {
  if (session.format === "json") {
    session.output.document("perfkeep.run/1", {
      kept,
      failed: failed.map(({ version, job, failure }) => ({ version, cmd: job?.cmd ?? null, workload: job?.workload ?? null, failure })),
    });
  }
  if (failed.length > 0) session.output.note(`${kept.length} profiles kept, ${failed.length} jobs failed`);
  return failed[0]?.failure.exit ?? exitStatus.fine;
}
