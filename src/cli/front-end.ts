import { Failure } from "../core/failures/failure.ts";
import { nearest } from "../core/text/name-suggestions.ts";
import { overview } from "./help.ts";
import { runVerb, verbFirst } from "./parse.ts";
import type { Session } from "./session.ts";
import type { FrontEnd, LazyVerb } from "./verb.ts";
import { verbs } from "./verbs.ts";
import { version } from "./version.ts";

/**
 * The front end for the name the program was started under; perfkeep's own for every name that is not an ancestor's.
 */
export async function frontEndFor(program: string): Promise<FrontEnd> {
  if (program === "perun") return (await import("./compat/perun/perun.ts")).perunFrontEnd;
  if (program === "perfbase") return (await import("./compat/perfbase/perfbase.ts")).perfbaseFrontEnd;
  const seed = /^(?:pb_|import_db$)/.test(program)
    ? (await import("./compat/pb-programs.ts")).seedFrontEnd(program)
    : null;
  return seed ?? verbFrontEnd("perfkeep", [...verbs, complete]);
}

/** What the scripts of completion ask, of all programs. */
const complete: LazyVerb = {
  name: "complete",
  group: "",
  isHidden: true,
  summary: "print the words that may stand next, for the scripts of completion",
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
    return help(program, list, rest[0], session);
  if (name === "--version" || name === "-V") {
    session.output.data(`${program} ${version}\n`);
    return 0;
  }
  return runVerb(program, await find(list, name).load(session, rest), rest, session);
}

async function help(
  program: string,
  list: readonly LazyVerb[],
  topic: string | undefined,
  session: Session,
): Promise<number> {
  if (topic !== undefined) return runVerb(program, await find(list, topic).load(session, []), ["--help"], session);
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
