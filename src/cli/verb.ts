import type { CandidateKind } from "../commands/configuration/index.ts";
import type { Arguments } from "./arguments.ts";
import type { Session } from "./session.ts";

/** A verb of the command line as data. The parser, help, manual pages and completion are made from it. */
export interface Verb {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Longer help; exit statuses that differ from the general table. */
  readonly details?: string;
  /** Command lines, printed at the end of the help. */
  readonly examples?: readonly string[];
  readonly operands?: readonly Operand[];
  readonly options?: readonly OptionSpec[];
  /** Accepted, but not documented or completed: options of an older command line. */
  readonly hiddenOptions?: readonly OptionSpec[];
  /** Output formats other than text; a verb that has some accepts `--format` and `-o`. */
  readonly formats?: readonly string[];
  /** Prints a figure in all formats but json, so that custom renderers can print it, too. */
  readonly figures?: true;
  readonly subverbs?: readonly Verb[];
  /** Rewrites command lines of Perun or perfbase into the order and spelling that the parser accepts. */
  arrange?(words: readonly string[]): readonly string[];
  /** Returns the exit status; throws a Failure. */
  run?(session: Session, args: Arguments): Promise<number>;
}

/** A positional argument: `<name>` is required, `[name]` optional, `name...` takes the remaining words. */
export interface Operand {
  readonly name: string;
  readonly synopsis: string;
  /** Valid words, for completion; the verb checks them itself. */
  readonly known?: readonly string[];
  /** Overrides what completion derives from the name in brackets (`completion/context.ts`). */
  readonly means?: readonly Meaning[];
}

/** What a word names, for completion. */
export type Meaning = CandidateKind | "file";

export interface OptionSpec {
  /** `-m, --minor <rev>`: `<x>` is a required value, `[x]` an optional one; `--no-x` is a switch, on by default. */
  readonly flags: string;
  readonly synopsis: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** The parser accepts other words than the choices: plug-ins can add some. */
  readonly open?: true;
  /** May be given several times; the values keep their order. */
  readonly repeat?: boolean;
  /** Takes this many words each time (Perun's `-cp NAME YAML`). */
  readonly words?: 2;
  /** Undocumented spellings of Perun and perfbase (`-cp`, `--minor-version`). */
  readonly also?: readonly string[];
  /** As for operands. */
  readonly means?: readonly Meaning[];
  /** Rarely used: `--help` of a verb with many options lists it only with `--all`. */
  readonly advanced?: true;
}

/** A verb whose definition is loaded on demand, so that start-up time does not depend on the number of verbs. */
export interface LazyVerb {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly group: string;
  /** Not listed in the overview. */
  readonly isHidden?: boolean;
  /** `words` follow the name of the verb: subverbs can depend on the plug-in that they name. */
  load(session: Session, words: readonly string[]): Promise<Verb>;
}

/** The commands of one program name. */
export interface FrontEnd {
  /** Its commands, unless it is a single one. */
  readonly verbs?: readonly LazyVerb[];
  run(words: readonly string[], session: Session): Promise<number>;
}
