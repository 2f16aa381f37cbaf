import { Failure } from "../../../core/failures/index.ts";
import type { OptionSpec } from "../../verb.ts";

/**
 * Splits a perfbase command line like its start script: arguments are split at blanks, and those between double quotes
 * are joined.
 */
export function splitArguments(words: readonly string[]): string[] {
  return words.flatMap(split).reduce(join, { done: [], open: undefined } as Joining).done;
}

interface Joining {
  readonly done: string[];
  /** An unfinished quoted text. */
  open: string | undefined;
}

function split(word: string): string[] {
  return word.trim() === "" ? [word] : word.split(/[ \t\n]+/).filter((piece) => piece !== "");
}

function join(state: Joining, word: string): Joining {
  const quotes = word.split('"').length - 1;
  const joined = state.open === undefined ? word : `${state.open} ${word}`;
  const closed = (state.open === undefined ? quotes : quotes + 1) % 2 === 0;
  if (closed) state.done.push(joined.replaceAll('"', ""));
  return { done: state.done, open: closed ? undefined : joined };
}

/** Expands unambiguous prefixes of long options, as Python does. Fails with `bad-usage`. */
export function expandLongOptions(words: readonly string[], options: readonly OptionSpec[], command: string): string[] {
  const names = options
    .flatMap(({ flags, also = [] }) => [...flags.split(/[ ,]+/), ...also])
    .filter((flag) => flag.startsWith("--"));
  const end = words.indexOf("--");
  return words.map((word, at) => {
    if (!word.startsWith("--") || (end >= 0 && at >= end)) return word;
    const [flag = ""] = word.split("=", 1);
    const matches = names.filter((name) => name.startsWith(flag));
    if (names.includes(flag) || matches.length === 0) return word;
    if (matches.length > 1)
      throw new Failure("bad-usage", {
        reason: `${flag} is ambiguous: ${matches.join(" or ")}`,
        command: `perfbase ${command}`,
      });
    return `${matches[0]}${word.slice(flag.length)}`;
  });
}

/** Parses `a=1,b=2`; a comma is a separator only before a name and `=`. Fails with `bad-option`. */
export function assignments(text: string): [string, string][] {
  return text.split(/,(?=[\p{L}_][\p{L}\p{N}_.-]*=)/u).map((part) => {
    const at = part.indexOf("=");
    if (at < 1) throw new Failure("bad-option", { option: "-f", value: part, expected: "name=value" });
    return [part.slice(0, at), part.slice(at + 1)];
  });
}
