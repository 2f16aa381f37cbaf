import { Failure } from "../../../core/failures/failure.ts";
import type { OptionSpec } from "../../verb.ts";

/**
 * The words of a perfbase command line as its start script passed them on: an argument that begins with a double quote
 * goes on up to the one that ends with it, and a quoted text with blanks is one word. Without quotes an argument with
 * blanks fell apart.
 */
export function perfbaseWords(words: readonly string[]): string[] {
  return words.flatMap(split).reduce(join, { done: [], open: undefined } as Joining).done;
}

interface Joining {
  readonly done: string[];
  /** Pieces of a quoted text that is not closed yet. */
  open: string | undefined;
}

function split(word: string): string[] {
  return word.trim() === "" ? [word] : word.split(/[ \t\n]+/).filter((piece) => piece !== "");
}

function join(state: Joining, word: string): Joining {
  const quotes = word.split('"').length - 1;
  const whole = state.open === undefined ? word : `${state.open} ${word}`;
  const closed = (state.open === undefined ? quotes : quotes + 1) % 2 === 0;
  if (closed) state.done.push(whole.replaceAll('"', ""));
  return { done: state.done, open: closed ? undefined : whole };
}

/**
 * Long options in full: as everywhere in Python, the beginning of a name is enough where no other begins so. Fails with
 * `bad-usage`.
 */
export function spelledOut(words: readonly string[], options: readonly OptionSpec[], command: string): string[] {
  const names = options
    .flatMap(({ flags, also = [] }) => [...flags.split(/[ ,]+/), ...also])
    .filter((flag) => flag.startsWith("--"));
  const end = words.indexOf("--");
  return words.map((word, at) => {
    if (!word.startsWith("--") || (end >= 0 && at >= end)) return word;
    const [flag = ""] = word.split("=", 1);
    const meant = names.filter((name) => name.startsWith(flag));
    if (names.includes(flag) || meant.length === 0) return word;
    if (meant.length > 1)
      throw new Failure("bad-usage", {
        reason: `${flag} may mean ${meant.join(" or ")}`,
        command: `perfbase ${command}`,
      });
    return `${meant[0]}${word.slice(flag.length)}`;
  });
}

/** `-f a=1,b=2`: contents by name; a comma divides where a name and `=` follow. */
export function assignments(text: string): [string, string][] {
  return text.split(/,(?=[\p{L}_][\p{L}\p{N}_.-]*=)/u).map((part) => {
    const at = part.indexOf("=");
    if (at < 1) throw new Failure("bad-option", { option: "-f", value: part, expected: "name=content" });
    return [part.slice(0, at), part.slice(at + 1)];
  });
}
