import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { nearest } from "../../../core/text/name-suggestions.ts";
import { reportFailure } from "../../failure-line.ts";
import { overview } from "../../help.ts";
import { runVerb } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { FrontEnd, LazyVerb, OptionSpec } from "../../verb.ts";
import { version } from "../../version.ts";
import { groupDetails, groupWords } from "./command-group.ts";

const start = "Start";
const profiles = "Profiles";
const verdicts = "Verdicts";

/** Perun's commands, each a translation onto ours. */
const verbs: readonly LazyVerb[] = [
  {
    name: "init",
    group: start,
    summary: "make an instance",
    load: async () => (await import("../../verbs/configuration/init.ts")).init,
  },
  {
    name: "config",
    group: start,
    summary: "read and change the configuration",
    load: async () => (await import("./configuration.ts")).config,
  },
  {
    name: "utils",
    group: start,
    summary: "plug-ins, statistics, temporary files",
    load: async () => (await import("./configuration.ts")).utils,
  },
  {
    name: "stats",
    group: start,
    summary: "statistics of versions",
    load: async () => (await import("../../verbs/maintenance/stats.ts")).stats,
  },
  {
    name: "temp",
    group: start,
    summary: "temporary files of the store",
    load: async () => (await import("../../verbs/maintenance/temp.ts")).temp,
  },
  {
    name: "collect",
    group: profiles,
    summary: "measure a command",
    load: async (session, words) => (await import("./collect.ts")).collect(session, words),
  },
  { name: "run", group: profiles, summary: "measure many", load: async () => (await import("./run.ts")).run },
  {
    name: "postprocessby",
    group: profiles,
    summary: "derive models from a profile",
    load: async (session, words) => (await import("./collect.ts")).postprocessby(session, words),
  },
  {
    name: "add",
    group: profiles,
    summary: "register profiles for a commit",
    load: async () => (await import("../../verbs/profiles/add.ts")).add,
  },
  {
    name: "rm",
    aliases: ["remove"],
    group: profiles,
    summary: "remove profiles from a commit",
    load: async () => (await import("../../verbs/profiles/rm.ts")).rm,
  },
  {
    name: "status",
    group: profiles,
    summary: "show this version's profiles",
    load: async () => (await import("./history.ts")).status,
  },
  {
    name: "log",
    group: profiles,
    summary: "show commit history with profiles",
    load: async () => (await import("./history.ts")).log,
  },
  { name: "show", group: profiles, summary: "display a profile", load: async () => (await import("./show.ts")).show },
  {
    name: "showdiff",
    group: profiles,
    summary: "look at how two profiles differ",
    load: async () => (await import("./showdiff.ts")).showdiff,
  },
  {
    name: "fuzz",
    group: verdicts,
    summary: "search for slow inputs",
    load: async () => (await import("./verdicts.ts")).fuzz,
  },
  {
    name: "check",
    group: verdicts,
    summary: "find what got slower",
    load: async () => (await import("./verdicts.ts")).check,
  },
];

/** The options before the command. */
const globals: readonly OptionSpec[] = [
  { flags: "-d, --dev-mode", synopsis: "print where in the program an error arose" },
  { flags: "--no-pager", synopsis: "print long output directly" },
  { flags: "--no-color", synopsis: "no colours", also: ["-nc"] },
  { flags: "-y, --say-yes", synopsis: "answer yes to questions about which profile is meant" },
  { flags: "-v, --verbose", synopsis: "say more about what is done", also: ["-vv", "-vvv"] },
  { flags: "--version", synopsis: "print the version" },
  { flags: "-m, --metrics <words>", synopsis: "refused: perfkeep keeps no figures of itself", words: 2 },
];

/** Perun: its commands and options, its exit statuses: 1 for every error but 2 for wrong words. */
export const perunFrontEnd: FrontEnd = { verbs, run: begin };

async function begin(words: readonly string[], session: Session): Promise<number> {
  let withStack = session.world.environment["PERFKEEP_DEBUG"] === "1";
  session.program = "perun";
  try {
    const { options, operands, rest } = groupWords(words, globals, 1, "perun");
    withStack ||= options.includes("--dev-mode");
    return statusOf(await dispatch(session, options, [...operands, ...rest]));
  } catch (error) {
    session.output.discard();
    session.output.error(reportFailure(error, "perun", false, withStack).line);
    return error instanceof Failure ? statusOf(error.exit) : exitStatus.bug;
  }
}

/** Perun ends with 0, with 1 when something failed, and with 2 for wrong words. */
function statusOf(status: number): number {
  return [exitStatus.fine, exitStatus.usage, exitStatus.interrupted].some((known) => known === status)
    ? status
    : exitStatus.found;
}

async function dispatch(
  session: Session,
  options: readonly string[],
  [name, ...words]: readonly string[],
): Promise<number> {
  if (options.includes("--metrics"))
    throw new Failure("unusable-combination", {
      what: "--metrics: perfkeep keeps no figures of itself",
      instead: "leave it out",
    });
  if (options.includes("--version")) {
    session.output.data(`perun (perfkeep) ${version}\n`);
    return exitStatus.fine;
  }
  if (name === undefined || name === "--help") {
    session.output.data(
      `${overview("perun", version, verbs)}\n${groupDetails("", globals).replace("sub-command", "command")}\n`,
    );
    return exitStatus.fine;
  }
  const lazy = verbs.find((each) => each.name === name || each.aliases?.includes(name));
  if (!lazy) throw unknown(name);
  session.assumesYes = options.includes("--say-yes");
  return runVerb("perun", await lazy.load(session, words), withOutput(words, options), session);
}

function unknown(name: string): Failure {
  const names = verbs.map((each) => each.name);
  return new Failure("unknown-verb", { verb: name, near: nearest(name, names)[0] });
}

/**
 * What was said before the command holds for all of it; it stands before `--`, behind which everything is an operand.
 */
function withOutput(words: readonly string[], options: readonly string[]): string[] {
  const said = [
    ...(options.includes("--verbose") ? ["--verbose"] : []),
    ...(options.includes("--no-color") ? ["--color=never"] : []),
    ...(options.includes("--no-pager") ? ["--no-pager"] : []),
  ];
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...said] : [...words.slice(0, end), ...said, ...words.slice(end)];
}
