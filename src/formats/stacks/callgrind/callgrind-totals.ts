import { Failure } from "../../../core/failures/failure.ts";

/**
 * How often each event happened in a process, by callgrind's name of it (`Ir`), from the file that callgrind wrote. A
 * file has a part for each dump; the parts add up. Layout: Valgrind's manual, Callgrind Format Specification. Fails
 * with `not-callgrind`.
 */
export function readCallgrindTotals(text: string, file: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  let events: readonly string[] = [];
  for (const [, key, rest = ""] of text.matchAll(/^(events|totals):[ \t]*(.*)$/gm)) {
    const words = rest.trim().split(/\s+/);
    if (key === "events") events = words;
    else
      for (const [at, event] of events.entries())
        sums.set(event, (sums.get(event) ?? 0) + countOf(words[at] ?? "0", file));
  }
  if (sums.size === 0) throw new Failure("not-callgrind", { file, reason: "it has no totals" });
  return sums;
}

function countOf(word: string, file: string): number {
  if (/^\d{1,18}$/.test(word)) return Number(word);
  throw new Failure("not-callgrind", { file, reason: `'${word.slice(0, 40)}' is no count` });
}
