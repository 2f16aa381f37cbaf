import { exitStatus } from "../../core/failures/kind.ts";
import { terminalText } from "../../core/terminal-text.ts";
import { offer } from "../completion/offer.ts";
import type { LazyVerb, Verb } from "../verb.ts";

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
