import { completionCandidates } from "../../commands/configuration/completion-candidates.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { terminalText } from "../../core/text/terminal-text.ts";
import { openRegistry } from "../../workspace/plugins/registry.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { expectedAt, type OfferedWord } from "./context.ts";
import { verbFirst } from "../parse.ts";
import type { Session } from "../session.ts";
import type { LazyVerb, Verb, Meaning } from "../verb.ts";

/** What is offered at the cursor; `files`: names of files as well, which shells know better. */
interface Offer {
  readonly words: readonly OfferedWord[];
  readonly files: boolean;
}

/**
 * The words that may stand where the last of `words` begins. Nothing is written, nothing of a configuration is run, and
 * what cannot be read is passed over: somebody is in the middle of a line.
 */
async function offer(session: Session, verbs: readonly LazyVerb[], words: readonly string[]): Promise<Offer> {
  const current = words.at(-1) ?? "";
  const [name, ...before] = verbFirst(words.slice(0, -1));
  if (name === undefined || name.startsWith("-")) {
    const found = expectedAt(programOf(verbs), words.slice(0, -1), current).words;
    return { words: found.filter(({ word }) => word.startsWith(current)), files: false };
  }
  const lazy = verbs.find((verb) => verb.name === name || verb.aliases?.includes(name));
  const verb = await lazy?.load(session, []).catch(unread);
  if (verb === undefined) return { words: [], files: false };
  const { words: fixed, meanings, experiment } = expectedAt(verb, before, current);
  const [, lead = ""] = /^(--[\w-]+=)/.exec(current) ?? [];
  const list = firstPart(current.slice(lead.length), meanings);
  const listed = new Set(list.split(","));
  const named = (await Promise.all(meanings.map((meaning) => wordsOf(session, meaning, experiment)))).flat();
  const open = named.filter(({ word }) => !listed.has(word));
  const found = [...fixed, ...open.map(({ word, synopsis }) => ({ word: lead + list + word, synopsis }))];
  return {
    words: found.filter(({ word }) => word.startsWith(current) && isPlain(word)),
    files: meanings.includes("file"),
  };
}

const inLists: readonly Meaning[] = ["variable", "parameter", "statistic"];

/** What stands before the word at the cursor: names have commas between them, the ends of a range of versions dots. */
function firstPart(typed: string, meanings: readonly Meaning[]): string {
  if (meanings.some((meaning) => inLists.includes(meaning))) return typed.replace(/[^,]*$/, "");
  return meanings.includes("revision") ? (/^.*\.\.\.?(?!\.)/.exec(typed)?.[0] ?? "") : "";
}

/** The program as if it were a verb: its verbs, and what every verb takes. */
function programOf(verbs: readonly LazyVerb[]): Verb {
  return { name: "", summary: "", subverbs: verbs.filter(({ isHidden }) => !isHidden), run: () => Promise.resolve(0) };
}

/** The registry has no plug-ins of the user's: a clone may have brought them along. */
async function wordsOf(
  { world }: Session,
  meaning: Meaning,
  experiment: string | undefined,
): Promise<readonly OfferedWord[]> {
  if (meaning === "file") return [];
  const quiet = { ...world, warn: () => {} };
  try {
    return await completionCandidates(new Workspace(quiet, openRegistry()), meaning, experiment);
  } catch (error) {
    return unread(error) ?? [];
  }
}

function unread(error: unknown): undefined {
  if (!isFailure(error)) throw error;
}

/** Names with line breaks, tabs or other control characters would be taken apart by the shell. */
function isPlain(word: string): boolean {
  return !/[\p{Cc}\p{Cf}]/u.test(word);
}

/** Prints what may stand at the cursor; `verbsOf`: the commands of a program. */
export function completeFor(verbsOf: (program: string) => Promise<readonly LazyVerb[]>): Verb {
  return {
    name: "complete",
    summary: "print the words that may stand next, for the scripts of completion",
    details: [
      "WORDS are those of a command line behind the name of the program; the last one is what is typed so far of the word at the cursor.",
      "Each line holds a word, a tab, and what it is; a first line `:files` asks for names of files as well.",
    ].join("\n"),
    operands: [{ name: "[words...]", synopsis: "the words, after --" }],
    options: [
      {
        flags: "--program <name>",
        synopsis: "whose words they are",
        choices: ["perfkeep", "perun", "perfbase"],
        default: "perfkeep",
      },
    ],
    async run(session, args) {
      session.tidiesUp = false;
      const verbs = await verbsOf(args.text("program") ?? "perfkeep");
      const { words, files } = await offer(session, verbs, args.rest(0));
      const lines = words.map(({ word, synopsis }) => `${word}\t${terminalText(synopsis).replaceAll("\t", " ")}\n`);
      session.output.data(`${files ? ":files\n" : ""}${lines.join("")}`);
      return exitStatus.fine;
    },
  };
}
