import { readParams } from "../../../commands/jobs/job-matrix.ts";
import type { RunOptions } from "../../../commands/jobs/run-jobs.ts";
import { availableParallelism } from "node:os";
import { counted } from "../../../core/text/plural.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { Settings } from "../../../core/values/setting.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { JobsResult, JobWatcher } from "../../../workspace/jobs/ledger.ts";
import { runOrders, type RequestedPlugin } from "../../../workspace/jobs/plan.ts";
import { noiseWarnings } from "../../../workspace/jobs/noise-report.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import { noteFailure } from "../../failure-line.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";

/** What all verbs that measure take. */
export const jobOptions: readonly OptionSpec[] = [
  {
    flags: "-m, --minor <rev>",
    synopsis: "version, or range a..b, to measure in a tree of its own (default: the tree as it is)",
    repeat: true,
    also: ["--minor-version"],
  },
  { flags: "--crawl-parents", synopsis: "measure all ancestors of these versions as well" },
  {
    flags: "--output-filename-template <text>",
    synopsis: "name of the profiles (default: format.output_profile_template)",
    also: ["-ot"],
  },
  {
    flags: "--order <order>",
    synopsis: "which repetition follows which, over all versions (default: sequential)",
    choices: runOrders,
  },
  { flags: "--seed <number>", synopsis: "begins the random order (default: 1)" },
  {
    flags: "--rounds <count>",
    synopsis: "split the repetitions into so many rounds (default: 1; one for each where they are interleaved)",
  },
  { flags: "--warmup <count>", synopsis: "runs that do not count (default: the collector's)" },
  { flags: "--pin <processors>", synopsis: "keep programs on these processors: 2, 0-3, or auto" },
  { flags: "--resume", synopsis: "go on with the same run where it was killed, interrupted or failed" },
];

export function runOptionsOf(session: Session, args: Arguments): RunOptions {
  const [nameTemplate, pin] = [args.text("outputFilenameTemplate"), args.text("pin")];
  const order = runOrders.find((known) => known === args.text("order"));
  const [seed, rounds, warmup] = [args.count("seed"), args.count("rounds", 1), args.count("warmup")];
  return {
    versions: args.texts("minor"),
    crawlParents: args.flag("crawlParents"),
    ...(nameTemplate === undefined ? {} : { nameTemplate }),
    ...(order === undefined ? {} : { order }),
    ...(seed === undefined ? {} : { seed }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(warmup === undefined ? {} : { warmup }),
    ...(pin === undefined ? {} : { pin }),
    resume: args.flag("resume"),
    confirm: confirmCommandsOf(session),
  };
}

/** Options of one collector, given in several pieces; the last of a name counts. */
export function mergedParams(session: Session, pieces: readonly string[]): Settings {
  return new Map(pieces.flatMap((piece) => [...readParams(session.workspace, piece)]));
}

/**
 * The plug-ins that `run job` names by one option, with what another gives for each. Fails when options are given for
 * one that does not run.
 */
export function pluginsOf(
  session: Session,
  args: Arguments,
  [option, params]: readonly [option: string, params: string],
): RequestedPlugin[] {
  const names = args.texts(option);
  const given = args.pairs(params);
  const stray = given.find(([name]) => !names.includes(name));
  if (stray)
    throw new Failure("unusable-combination", {
      what: `options for '${stray[0]}', which is not among the ${option}s`,
      instead: `add --${option} ${stray[0]}`,
    });
  const own = (name: string): string[] => given.filter(([of]) => of === name).map(([, text]) => text);
  return names.map((name) => ({ name, params: mergedParams(session, own(name)) }));
}

/** Runs with a progress bar, and tells of each profile and failure when it happens. */
export async function watched(
  session: Session,
  work: (watcher: JobWatcher) => Promise<JobsResult>,
): Promise<JobsResult> {
  const progress = openProgress(session);
  const tellNoise = noiseTeller(session);
  try {
    return await work({
      progress: (done, total, version, job) =>
        progress.show(done, total, `${abbreviate(version)} ${job ? `${job.cmd} ${job.workload}`.trim() : ""}`),
      notice: (text) => session.output.note(terminalText(text)),
      kept: (profile) => {
        progress.hide();
        tellNoise(profile);
        if (session.format !== "text") return;
        const state =
          profile.path === null
            ? `registered at ${abbreviate(profile.version)}`
            : `pending for ${abbreviate(profile.version)}`;
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

/** Tells what makes the numbers of a profile doubtful; what is true of the whole machine only once. */
function noiseTeller({ output }: Session): (profile: JobsResult["kept"][number]) => void {
  const told = new Set<string>();
  return ({ name, noise }) => {
    for (const { about, text } of noiseWarnings(noise, availableParallelism())) {
      if (!told.has(about)) output.note(`${terminalText(name)}: ${text}`);
      if (about !== "variation") told.add(about);
    }
  };
}

/** `more` belongs to the JSON document. Exit status: that of the first failure, whatever else was kept. */
export function reportJobs(session: Session, { kept, failed, resumed }: JobsResult, more: object = {}): number {
  if (session.format === "json") {
    session.output.document("perfkeep.run/1", {
      kept,
      resumed,
      failed: failed.map(({ version, job, failure }) => ({
        version,
        cmd: job?.cmd ?? null,
        workload: job?.workload ?? null,
        failure,
      })),
      ...more,
    });
  }
  if (resumed > 0) session.output.note(`${resumed} jobs had been finished before`);
  if (failed.length > 0)
    session.output.note(`${counted(kept.length, "profile")} kept, ${counted(failed.length, "job")} failed`);
  return failed[0]?.failure.exit ?? exitStatus.fine;
}
