import type { WordKind } from "../commands/configuration/completion-candidates.ts";
import type { Arguments } from "./arguments.ts";
import type { Session } from "./session.ts";

/**
 * A verb of the command line as data: what it accepts, and what it does. `arguments.ts` turns it into a parser and its
 * help.
 */
export interface Verb {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Longer help: examples, exit statuses that differ from the general table. */
  readonly details?: string;
  /** Command lines that stand at the end of its help. */
  readonly examples?: readonly string[];
  readonly operands?: readonly Operand[];
  readonly options?: readonly OptionSpec[];
  /** Output formats besides text; their presence gives the verb `--format` and `-o`. */
  readonly formats?: readonly string[];
  /** What it prints is a figure in any format but json: renderers of the user's are formats of it, too. */
  readonly figures?: true;
  readonly subverbs?: readonly Verb[];
  /** Puts words in the order and spelling that the parser reads, where an ancestor's form differs. */
  arrange?(words: readonly string[]): readonly string[];
  /** Answers the exit status. Throws a Failure for everything that ends the command early. */
  run?(session: Session, args: Arguments): Promise<number>;
}

/** A positional argument: `<name>` is required, `[name]` optional, a trailing `...` takes all that follow. */
export interface Operand {
  readonly name: string;
  readonly synopsis: string;
  /** Words that may stand here, for completion; the verb itself refuses others. */
  readonly known?: readonly string[];
  /**
   * What its words name, for completion, where the name in angle brackets does not tell it (`completion/meanings.ts`).
   */
  readonly means?: readonly Meaning[];
}

/** What a word can name: something of the project, or a file. */
export type Meaning = WordKind | "file";

export interface OptionSpec {
  /**
   * As people write it: `-m, --minor <rev>`; `<x>` takes a value, `[x]` may, nothing makes it a switch, `--no-x` a
   * switch that is on.
   */
  readonly flags: string;
  readonly synopsis: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Words beside the choices are not refused by the parser: plug-ins of the user's may bring some along. */
  readonly open?: true;
  /** May be given several times; all values are kept in order. */
  readonly repeat?: boolean;
  /** Takes this many words each time (Perun's `-cp NAME YAML`). */
  readonly words?: 2;
  /** Other spellings that are accepted and left out of the help: the ancestors' (`-cp`, `--minor-version`). */
  readonly also?: readonly string[];
  /** As with operands. */
  readonly means?: readonly Meaning[];
}

/**
 * A verb whose definition is loaded only when it is asked for, so that start-up does not grow with the number of verbs.
 */
export interface LazyVerb {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly group: string;
  /** For programs: the overview does not list it. */
  readonly isHidden?: boolean;
  /** `words` are those behind its name: a verb may have subverbs that a plug-in of the user's brings along. */
  load(session: Session, words: readonly string[]): Promise<Verb>;
}

/** A set of commands spoken under one program name. */
export interface FrontEnd {
  /** Its commands, where it has several. */
  readonly verbs?: readonly LazyVerb[];
  run(words: readonly string[], session: Session): Promise<number>;
}
