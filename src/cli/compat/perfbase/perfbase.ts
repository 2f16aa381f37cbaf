import { Failure } from "../../../core/failures/index.ts";
import { nearest } from "../../../core/text/index.ts";
import { reportFailure } from "../../failure-line.ts";
import { overview } from "../../help.ts";
import { optionsOf, runVerb } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { FrontEnd, LazyVerb, OptionSpec, Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { everyOption } from "./options.ts";
import { splitArguments, expandLongOptions } from "./argument-words.ts";

/** These commands of perfbase manage a personal server. */
function serverVerb(name: string, options: readonly OptionSpec[] = []): LazyVerb {
  const summary = "nothing to do: the embedded database needs no server";
  const verb: Verb = {
    name,
    summary,
    options: [...options, ...everyOption],
    run: async (session) => {
      session.output.note(`perfbase ${name}: the embedded database needs no server; --dbhost names a shared one`);
      return 0;
    },
  };
  return { name, summary, group: "Server", load: async () => verb };
}

const experiments = "Experiments";
const runs = "Runs";

/** The commands of perfbase, each translated to one of ours. */
const verbs: readonly LazyVerb[] = [
  {
    name: "setup",
    group: experiments,
    summary: "create an experiment",
    load: async () => (await import("./experiments.ts")).setup,
  },
  {
    name: "update",
    group: experiments,
    summary: "change an experiment",
    load: async () => (await import("./experiments.ts")).update,
  },
  {
    name: "info",
    group: experiments,
    summary: "describe experiments",
    load: async () => (await import("./info.ts")).info,
  },
  {
    name: "attach",
    group: experiments,
    summary: "attach descriptions",
    load: async () => (await import("./attach.ts")).attach,
  },
  {
    name: "dump",
    group: experiments,
    summary: "write an experiment to a file",
    load: async () => (await import("./experiments.ts")).dump,
  },
  {
    name: "restore",
    group: experiments,
    summary: "restore an experiment from a file",
    load: async () => (await import("./experiments.ts")).restore,
  },
  {
    name: "check",
    group: experiments,
    summary: "check consistency",
    load: async () => (await import("./delete.ts")).check,
  },
  { name: "input", group: runs, summary: "import result files", load: async () => (await import("./input.ts")).input },
  { name: "query", group: runs, summary: "evaluate a query", load: async () => (await import("./query.ts")).query },
  {
    name: "delete",
    group: runs,
    summary: "delete runs or an experiment",
    load: async () => (await import("./delete.ts")).deleteVerb,
  },
  {
    name: "undelete",
    group: runs,
    summary: "restore deleted runs or experiments",
    load: async () => (await import("./delete.ts")).undelete,
  },
  { name: "ls", group: runs, summary: "list runs", load: async () => (await import("./find.ts")).ls },
  {
    name: "find",
    group: runs,
    summary: "find runs by values",
    load: async () => (await import("./find.ts")).find,
  },
  serverVerb("init", [{ flags: "-d, --data <folder>", synopsis: "data folder of the server" }]),
  serverVerb("start", [
    { flags: "-f, --force", synopsis: "start another server" },
    { flags: "-p, --port <port>", synopsis: "port of the server" },
  ]),
  serverVerb("stop"),
];

/** perfbase: its commands and argument splitting; errors are printed as `#* ERROR` with exit status 1. */
export const perfbaseFrontEnd: FrontEnd = {
  verbs,
  run: (words, session) => guarded(session, () => dispatch(splitArguments(words), session)),
};

async function dispatch([name, ...rest]: readonly string[], session: Session): Promise<number> {
  if (name === undefined || name === "-h" || name === "--help" || name === "help") {
    session.output.data(overview("perfbase", version, verbs));
    return 0;
  }
  if (
    name === "-V" ||
    name === "--version" ||
    name === "version" ||
    rest.includes("-V") ||
    rest.includes("--version")
  ) {
    session.output.data(`perfbase (perfkeep) ${version}\n`);
    return 0;
  }
  if (name === "--commands") {
    session.output.data(verbs.map((each) => `${each.name}\n`).join(""));
    return 0;
  }
  const lazy = verbs.find((each) => each.name === name);
  if (lazy) {
    const verb = await lazy.load(session, rest);
    const words = expandLongOptions(rest, optionsOf(verb), name);
    return runVerb("perfbase", verb, isTraced(words, session) ? ["--verbose", ...words] : words, session);
  }
  const names = verbs.map((each) => each.name);
  throw new Failure("unknown-verb", { verb: name, near: nearest(name, names)[0] });
}

function isTraced(words: readonly string[], session: Session): boolean {
  return (
    words.includes("--debug") || words.includes("--sqltrace") || session.world.environment["PB_RUNMODE"] === "debug"
  );
}

async function guarded(session: Session, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { line } = reportFailure(error, "perfbase", false, session.world.environment["PERFKEEP_DEBUG"] === "1");
    session.output.error(`#* ERROR: ${line.replace(/^perfbase: error: /, "")}`);
    return 1;
  }
}
