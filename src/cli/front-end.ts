import { Failure } from "../core/failures/index.ts";
import { nearest } from "../core/text/index.ts";
import { overview } from "./help.ts";
import { runVerb, verbFirst } from "./parse.ts";
import type { Session } from "./session.ts";
import type { FrontEnd, LazyVerb } from "./verb.ts";
import { verbs } from "./verbs.ts";
import { version } from "./version.ts";

/** The front end for a program name; that of perfkeep for unknown names. */
export async function frontEndFor(program: string): Promise<FrontEnd> {
  if (program === "perun") return (await import("./compat/perun/perun.ts")).perunFrontEnd;
  if (program === "perfbase") return (await import("./compat/perfbase/perfbase.ts")).perfbaseFrontEnd;
  const pb = /^(?:pb_|import_db$)/.test(program) ? (await import("./compat/pb-programs.ts")).pbFrontEnd(program) : null;
  return pb ?? verbFrontEnd("perfkeep", [...verbs, complete]);
}

/** Called by the completion scripts of all programs. */
const complete: LazyVerb = {
  name: "complete",
  group: "",
  isHidden: true,
  summary: "print completion candidates, for the completion scripts",
  load: async () =>
    (await import("./completion/complete.ts")).completeFor(async (program) => (await frontEndFor(program)).verbs ?? []),
};

function verbFrontEnd(program: string, list: readonly LazyVerb[]): FrontEnd {
  return { verbs: list, run: (words, session) => dispatch(program, list, words, session) };
}

async function dispatch(
  program: string,
  list: readonly LazyVerb[],
  words: readonly string[],
  session: Session,
): Promise<number> {
  const [name, ...rest] = verbFirst(words);
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return help(program, list, rest, session);
  if (name === "--version" || name === "-V") {
    session.output.data(`${program} ${version}\n`);
    return 0;
  }
  return runVerb(program, await find(list, name).load(session, rest), rest, session);
}

async function help(
  program: string,
  list: readonly LazyVerb[],
  words: readonly string[],
  session: Session,
): Promise<number> {
  const topic = words.find((word) => !word.startsWith("-"));
  const options = ["--help", ...words.filter((word) => word === "--all")];
  if (topic !== undefined) return runVerb(program, await find(list, topic).load(session, []), options, session);
  session.output.data(overview(program, version, list));
  return 0;
}

function find(list: readonly LazyVerb[], name: string): LazyVerb {
  const verb = list.find((candidate) => candidate.name === name || candidate.aliases?.includes(name));
  if (verb) return verb;
  const near = nearest(
    name,
    list.filter(({ isHidden }) => !isHidden).map((candidate) => candidate.name),
  );
  throw new Failure("unknown-verb", { verb: name, near: near[0] });
}
