import { completionCandidates } from "../../commands/configuration/index.ts";
import { isFailure, exitStatus } from "../../core/failures/index.ts";
import { terminalText } from "../../core/text/index.ts";
import { openRegistry } from "../../workspace/plugins/index.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { expectedAt, type OfferedWord } from "./context.ts";
import { verbFirst } from "../parse.ts";
import type { Session } from "../session.ts";
import type { LazyVerb, Verb, Meaning } from "../verb.ts";

/** Candidates at the cursor; `files`: the shell adds file names. */
interface Offer {
  readonly words: readonly OfferedWord[];
  readonly files: boolean;
}

/** Candidates for the last of `words`. Writes nothing, runs no configured commands, and ignores unreadable data. */
async function offer(session: Session, verbs: readonly LazyVerb[], words: readonly string[]): Promise<Offer> {
  const current = words.at(-1) ?? "";
  const [name, ...before] = verbFirst(words.slice(0, -1));
  if (name === undefined || name.startsWith("-")) {
    const expected = expectedAt(programOf(verbs), words.slice(0, -1), current).words;
    return { words: expected.filter(({ word }) => word.startsWith(current)), files: false };
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
  const candidates = [...fixed, ...open.map(({ word, synopsis }) => ({ word: lead + list + word, synopsis }))];
  return {
    words: candidates.filter(({ word }) => word.startsWith(current) && isPlain(word)),
    files: meanings.includes("file"),
  };
}

const inLists: readonly Meaning[] = ["variable", "parameter", "statistic"];

/** The completed part of a comma-separated list or of a range of revisions. */
function firstPart(typed: string, meanings: readonly Meaning[]): string {
  if (meanings.some((meaning) => inLists.includes(meaning))) return typed.replace(/[^,]*$/, "");
  return meanings.includes("revision") ? (/^.*\.\.\.?(?!\.)/.exec(typed)?.[0] ?? "") : "";
}

/** The program as a verb: its verbs and the general options. */
function programOf(verbs: readonly LazyVerb[]): Verb {
  return { name: "", summary: "", subverbs: verbs.filter(({ isHidden }) => !isHidden), run: () => Promise.resolve(0) };
}

/** Without user plug-ins: a cloned repository could contain untrusted ones. */
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

/** The shell would split names with line breaks, tabs or other control characters. */
function isPlain(word: string): boolean {
  return !/[\p{Cc}\p{Cf}]/u.test(word);
}

/** The verb that prints candidates at the cursor; `verbsOf` returns the commands of a program. */
export function completeFor(verbsOf: (program: string) => Promise<readonly LazyVerb[]>): Verb {
  return {
    name: "complete",
    summary: "print completion candidates, for the completion scripts",
    details: [
      "WORDS follow the program name on the command line; the last one is the word at the cursor, as typed so far.",
      "Each output line is a word, a tab and its description; a first line `:files` requests file names as well.",
    ].join("\n"),
    operands: [{ name: "[words...]", synopsis: "words of the command line, after --" }],
    options: [
      {
        flags: "--program <name>",
        synopsis: "program to complete",
        choices: ["perfkeep", "perun", "perfbase"],
        default: "perfkeep",
      },
    ],
    async run(session, args) {
      session.cleansUp = false;
      const verbs = await verbsOf(args.text("program") ?? "perfkeep");
      const { words, files } = await offer(session, verbs, args.rest(0));
      const lines = words.map(({ word, synopsis }) => `${word}\t${terminalText(synopsis).replaceAll("\t", " ")}\n`);
      session.output.data(`${files ? ":files\n" : ""}${lines.join("")}`);
      return exitStatus.fine;
    },
  };
}
