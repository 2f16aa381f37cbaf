import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { nearest } from "../../../core/text/index.ts";
import { reportFailure } from "../../failure-line.ts";
import { overview } from "../../help.ts";
import { runVerb } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { FrontEnd, LazyVerb, OptionSpec, Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { groupDetails, groupWords } from "./command-group.ts";

const start = "Start";
const profiles = "Profiles";
const verdicts = "Verdicts";

/** The commands of Perun, each translated to one of ours. */
const verbs: readonly LazyVerb[] = [
  {
    name: "init",
    group: start,
    summary: "create an instance",
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
    summary: "manage plug-ins, statistics and temporary files",
    load: async () => (await import("./configuration.ts")).utils,
  },
  {
    name: "stats",
    group: start,
    summary: "manage statistics of commits",
    load: async () => (await import("./listings.ts")).stats,
  },
  {
    name: "temp",
    group: start,
    summary: "manage temporary files of the store",
    load: async () => (await import("./listings.ts")).temp,
  },
  {
    name: "collect",
    group: profiles,
    summary: "measure a command",
    load: async (session, words) => (await import("./collect.ts")).collect(session, words),
  },
  {
    name: "run",
    group: profiles,
    summary: "measure a matrix of commands, workloads and commits",
    load: async () => (await import("./run.ts")).run,
  },
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
    load: async () => (await import("../../verbs/profiles/add.ts")).perunAdd,
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
    summary: "show profiles of the current commit",
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
    summary: "compare two profiles",
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
    summary: "detect regressions",
    load: async () => (await import("./verdicts.ts")).check,
  },
];

/** Options before the command. */
const globals: readonly OptionSpec[] = [
  { flags: "-d, --dev-mode", synopsis: "print stack traces of errors" },
  { flags: "--no-pager", synopsis: "do not pipe long output through a pager" },
  { flags: "--no-color", synopsis: "do not use colors", also: ["-nc"] },
  { flags: "-y, --say-yes", synopsis: "answer yes to questions about ambiguous profiles" },
  { flags: "-v, --verbose", synopsis: "print what is done", also: ["-vv", "-vvv"] },
  { flags: "--version", synopsis: "print the version" },
  { flags: "-m, --metrics <words>", synopsis: "refused: perfkeep records no metrics of itself", words: 2 },
];

/** Perun: its commands, options and exit statuses. */
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

/** Perun exits with 0, with 1 for failures and with 2 for usage errors. */
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
      what: "--metrics: perfkeep records no metrics of itself",
      instead: "remove it; time(1) and perf stat measure a command of perun",
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
  const verb = await lazy.load(session, words);
  return runVerb("perun", verb, withOutput(isBareGroup(verb, words) ? [...words, "--help"] : words, options), session);
}

/** Groups of Perun that have operands before the sub-command. */
const groupsWithOperands: ReadonlySet<string> = new Set(["show", "showdiff", "postprocessby"]);

/** Whether the words only name a command group. Perun prints its help then and exits with 0. */
function isBareGroup(verb: Verb, [word, ...words]: readonly string[]): boolean {
  const subverbs = verb.subverbs ?? [];
  if (word === undefined) return groupsWithOperands.has(verb.name) || (subverbs.length > 0 && !verb.run);
  const named = subverbs.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
  return named !== undefined && !groupsWithOperands.has(verb.name) && isBareGroup(named, words);
}

function unknown(name: string): Failure {
  const names = verbs.map((each) => each.name);
  return new Failure("unknown-verb", { verb: name, near: nearest(name, names)[0] });
}

/** Adds the general options before `--`, after which all words are operands. */
function withOutput(words: readonly string[], options: readonly string[]): string[] {
  const general = [
    ...(options.includes("--verbose") ? ["--verbose"] : []),
    ...(options.includes("--no-color") ? ["--color=never"] : []),
    ...(options.includes("--no-pager") ? ["--no-pager"] : []),
  ];
  const end = words.indexOf("--");
  return end < 0 ? [...words, ...general] : [...words.slice(0, end), ...general, ...words.slice(end)];
}
