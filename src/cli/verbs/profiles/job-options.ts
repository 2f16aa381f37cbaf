import { commitJson } from "../../print/index.ts";
import { readParams, type RunOptions } from "../../../commands/jobs/index.ts";
import { availableParallelism } from "node:os";
import { counted, terminalText } from "../../../core/text/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { exitStatus, Failure } from "../../../core/failures/index.ts";
import type { Settings } from "../../../core/values/index.ts";
import {
  type JobsResult,
  type JobWatcher,
  runOrders,
  type RequestedPlugin,
  noiseWarnings,
} from "../../../workspace/jobs/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import { noteFailure } from "../../failure-line.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";

export const buildOption: OptionSpec = {
  flags: "--build <command>",
  synopsis: "command that builds a work tree before measuring (default: execute.pre_run)",
  repeat: true,
};

/** Options of all verbs that measure. */
export const jobOptions: readonly OptionSpec[] = [
  {
    flags: "-m, --minor <rev>",
    synopsis: "commit or range a..b to measure in a work tree of its own (default: the working tree)",
    repeat: true,
    also: ["--minor-version"],
  },
  buildOption,
  { flags: "--crawl-parents", synopsis: "also measure all ancestors of these commits", advanced: true },
  {
    flags: "--first-parent",
    synopsis: "ranges and --crawl-parents: follow only first parents, without merged commits",
    advanced: true,
  },
  {
    flags: "--output-filename-template <text>",
    synopsis: "template of profile names (default: format.output_profile_template)",
    also: ["-ot"],
    advanced: true,
  },
  {
    flags: "--order <order>",
    synopsis: "order of repetitions across commits (default: interleaved for run matrix, else sequential)",
    choices: runOrders,
  },
  { flags: "--seed <number>", synopsis: "seed of the random order (default: 1)", advanced: true },
  {
    flags: "--rounds <count>",
    synopsis: "number of rounds of repetitions (default: 1; if interleaved, one per repetition)",
    advanced: true,
  },
  { flags: "--warmup <count>", synopsis: "number of discarded warm-up runs (default: that of the collector)" },
  { flags: "--pin <processors>", synopsis: "pin commands to these processors: 2, 0-3, or auto" },
  {
    flags: "--canary",
    synopsis: "time a loop that never changes next to each measurement, for check series (default: execute.canary)",
    advanced: true,
  },
  { flags: "--resume", synopsis: "resume this run after it was killed, interrupted or failed" },
];

export function runOptionsOf(session: Session, args: Arguments): RunOptions {
  const [nameTemplate, pin] = [args.text("outputFilenameTemplate"), args.text("pin")];
  const order = runOrders.find((known) => known === args.text("order"));
  const preRun = args.texts("build");
  const [seed, rounds, warmup] = [args.count("seed"), args.count("rounds", 1), args.count("warmup")];
  return {
    versions: args.texts("minor"),
    crawlParents: args.flag("crawlParents"),
    ...(args.flag("firstParent") ? { firstParent: true } : {}),
    ...(preRun.length === 0 ? {} : { preRun }),
    ...(nameTemplate === undefined ? {} : { nameTemplate }),
    ...(order === undefined ? {} : { order }),
    ...(seed === undefined ? {} : { seed }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(warmup === undefined ? {} : { warmup }),
    ...(pin === undefined ? {} : { pin }),
    ...(args.flag("canary") ? { canary: true } : {}),
    resume: args.flag("resume"),
    confirm: confirmCommandsOf(session),
  };
}

/** Merges option texts of a plug-in; the last value of a name wins. */
export function mergedParams(session: Session, texts: readonly string[]): Settings {
  return new Map(texts.flatMap((text) => [...readParams(session.workspace, text)]));
}

/**
 * The plug-ins that `option` names, with their options from `params`. Fails with `unusable-combination` for options of
 * other plug-ins.
 */
export function pluginsOf(
  session: Session,
  args: Arguments,
  [option, params]: readonly [option: string, params: string],
): RequestedPlugin[] {
  const names = args.texts(option);
  const given = args.pairs(params);
  const unused = given.find(([name]) => !names.includes(name));
  if (unused)
    throw new Failure("unusable-combination", {
      what: `options for '${unused[0]}', which is not among the ${option}s`,
      instead: `add --${option} ${unused[0]}`,
    });
  const own = (name: string): string[] => given.filter(([of]) => of === name).map(([, text]) => text);
  return names.map((name) => ({ name, params: mergedParams(session, own(name)) }));
}

/** Shows progress and reports each profile and failure as it occurs. */
export async function withProgress(
  session: Session,
  work: (watcher: JobWatcher) => Promise<JobsResult>,
): Promise<JobsResult> {
  const progress = openProgress(session);
  const warnOfNoise = noiseWarner(session);
  const noticed = new Set<string>();
  try {
    return await work({
      progress: (done, total, version, job) =>
        progress.show(done, total, `${abbreviate(version)} ${job ? `${job.cmd} ${job.workload}`.trim() : ""}`),
      notice: (text) => {
        if (!noticed.has(text)) session.output.note(text);
        noticed.add(text);
      },
      kept: (profile) => {
        progress.hide();
        warnOfNoise(profile);
        if (session.format !== "text") return;
        const state =
          profile.path === null
            ? `registered at ${abbreviate(profile.version)}`
            : `pending for ${abbreviate(profile.version)}`;
        session.output.report(
          `${terminalText(profile.name)} ${state}${profile.dirty ? " (measured with uncommitted changes)" : ""}` +
            `${profile.summary === null ? "" : `: ${terminalText(profile.summary)}`}\n`,
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

/** Warns of noise in a profile; of the machine only once. In text, the summary of a profile has its variation. */
function noiseWarner({ output, format }: Session): (profile: JobsResult["kept"][number]) => void {
  const reported = new Set<string>();
  return ({ name, noise, summary }) => {
    for (const { about, text } of noiseWarnings(noise, availableParallelism())) {
      if (about === "variation" && format === "text" && summary !== null) continue;
      if (!reported.has(about)) output.note(`${name}: ${text}`);
      if (about !== "variation") reported.add(about);
    }
  };
}

/** Prints the result; `more` are further members of the JSON document. Returns the exit status of the first failure. */
export function reportJobs(session: Session, { kept, failed, resumed }: JobsResult, more: object = {}): number {
  if (session.format === "json") {
    session.output.document("perfkeep.run/2", {
      stored: kept.map(profileJson),
      resumed,
      failed: failed.map(({ version, job, failure }) => ({
        commit: version,
        cmd: job?.cmd ?? null,
        workload: job?.workload ?? null,
        failure,
      })),
      ...more,
    });
  }
  if (resumed > 0) session.output.note(`${resumed} jobs were already finished`);
  const pending = kept.filter(({ path }) => path !== null).length;
  if (pending > 1 && session.format === "text")
    session.output.report(
      `${pending} profiles are pending: perfkeep add --all registers them where they were measured\n`,
    );
  if (failed.length > 0)
    session.output.note(`${counted(kept.length, "profile")} stored, ${counted(failed.length, "job")} failed`);
  return failed[0]?.failure.exit ?? exitStatus.fine;
}

function profileJson({ noise: { stolen, ...noise }, summary: _, ...profile }: JobsResult["kept"][number]): object {
  return { ...commitJson(profile), noise: { ...noise, steal: stolen } };
}
