import type { Unit } from "../../core/values/index.ts";
import { unitAfter, unitNamed, wordsOf, type NumberToken } from "./numbers.ts";

const mostWords = 5;
const fillers = new Set(["is", "the", "of", "a", "an", "to", "be", "was", "are", "for", "about", "approximately"]);

/** What the texts around the n-th number call it, and the unit after it. */
export function headingAround(
  segments: readonly string[],
  at: number,
  { text, suffix }: Pick<NumberToken, "text" | "suffix">,
): { readonly heading: string; readonly unit: Unit | undefined } {
  const after = (segments[at + 1] ?? "").slice(suffix.length);
  const [next = ""] = wordsOf(after).map(({ text }) => text);
  const unit = suffix === "" ? unitAfter(text, next) : unitNamed(suffix);
  const before = lastClause(segments[at] ?? "");
  const following = firstClause(unit && suffix === "" ? after.replace(next, "") : after);
  // In `4 nodes, 16 ranks` the names follow the numbers.
  const isFollowed = /[,;|]\s*$/.test(segments[at] ?? "") && following !== "";
  if (before !== "" && !isFollowed) return { heading: before, unit };
  return { heading: following === "" ? "value" : following, unit };
}

/** The words directly before a number: `(elements), Offset = ` gives `Offset`. */
function lastClause(segment: string): string {
  const text = segment.replaceAll("\uE000", "").replace(/[\s=:([{<|"'#]+$/, "");
  const clause = text.split(/[,;|"]|\)\s|\.\s|\s-\s|\s{3,}/).findLast((each) => /\p{L}/u.test(each)) ?? "";
  return trimmed(clause, -mostWords);
}

/** The words directly after a number: ` by 1 MPI processor grid` gives `MPI processor grid`. */
function firstClause(segment: string): string {
  const [clause = ""] = segment
    .replaceAll("\uE000", "")
    .trim()
    .split(/[,;|"(=:]|\.\s|\s{3,}/);
  return trimmed(clause, mostWords);
}

function trimmed(clause: string, most: number): string {
  const words = wordsOf(clause).map(({ text }) => text);
  const kept = most < 0 ? words.slice(most) : words.slice(0, most);
  while (kept.length > 0 && fillers.has(kept[0]!.toLowerCase())) kept.shift();
  while (kept.length > 0 && fillers.has(kept.at(-1)!.toLowerCase())) kept.pop();
  return kept.join(" ");
}
