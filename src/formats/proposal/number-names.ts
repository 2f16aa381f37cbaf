import type { Unit } from "../../core/values/index.ts";
import { hasPluralMark } from "../text/index.ts";
import type { LineGroup } from "./line-groups.ts";
import { unitAfter, unitNamed, wordsOf, type NumberToken } from "./numbers.ts";

const mostWords = 5;
const fillers = new Set(["is", "the", "of", "a", "an", "to", "be", "was", "are", "for", "about", "approximately"]);

interface Heading {
  readonly heading: string;
  readonly unit: Unit | undefined;
}

const tolerance = /(?:\u00b1|\+\/?-)\s*$/;

/** What the texts around the n-th number call it, and the unit after it. */
export function headingAround(group: LineGroup, numbers: readonly NumberToken[], at: number): Heading {
  const { segments } = group;
  if (at > 0 && tolerance.test(segments[at] ?? "")) return toleranceHeading(group, numbers, at);
  if (!/^\s*(?:\u00b1|\+\/?-)\s*$/.test(segments[at + 1] ?? "")) return plainHeading(group, numbers, at);
  // The name and the unit of `5.2` in `5.2 \u00b1 0.3 ms` follow its tolerance.
  return headingAround({ ...group, segments: segments.toSpliced(at + 1, 1) }, numbers.toSpliced(at + 1, 1), at);
}

/** The deviation of the text directly before it, or of the number before it. */
function toleranceHeading(group: LineGroup, numbers: readonly NumberToken[], at: number): Heading {
  const { unit, rest } = unitAndRest(group.segments, numbers, at - 1);
  const before = headingAround(group, numbers, at - 1);
  const name = lastClause(rest.replace(tolerance, "")) || before.heading;
  const { unit: own } = unitAndRest(group.segments, numbers, at);
  return { heading: `${name} deviation`, unit: own ?? unit ?? before.unit };
}

function plainHeading(
  { segments: given, isLabelled, isTrailed }: LineGroup,
  numbers: readonly NumberToken[],
  at: number,
): Heading {
  const segments = isTrailed ? [...given.slice(0, -1), numbers.at(-1)?.suffix ?? ""] : given;
  const { unit, rest } = unitAndRest(segments, numbers, at);
  const following = firstClause(rest);
  const { rest: own } = at === 0 ? { rest: segments[0] ?? "" } : unitAndRest(segments, numbers, at - 1);
  const first = segments[0] ?? "";
  if (isPostfixed(segments)) {
    const prefix = isLabelled ? "" : lastClause(first);
    const name = following === "" ? nameOfUnit(unit) : following;
    return { heading: at === 0 && following === "" && prefix !== "" ? prefix : `${prefix} ${name}`.trim(), unit };
  }
  // The label of a row is the name of none of its numbers.
  const before = at === 0 && isLabelled ? "" : lastClause(own);
  // In `4 nodes, 16 ranks` and `47 %TX 41 %RX` the names follow the numbers.
  const isEachFollowed =
    !isLabelled &&
    !/\p{L}/u.test(first) &&
    /\p{L}/u.test(segments.at(-1) ?? "") &&
    !/[=:]\s*$/.test(segments[at] ?? "");
  const isFollowed =
    (isEachFollowed || isEqualAmount(segments, at) || /[,;|]\s*$/.test(segments[at] ?? "")) && following !== "";
  if (before !== "" && !isFollowed && !isEqualAmount(segments, at)) return { heading: before, unit };
  return { heading: following === "" ? nameOfUnit(unit) : following, unit };
}

/** True for the second number of `1.00 sec = 16258.9 Mbps`: the unit before it is none of its name. */
function isEqualAmount(segments: readonly string[], at: number): boolean {
  const unit = at === 0 ? undefined : /^\s*(\S+)\s*=\s*$/.exec(segments[at] ?? "")?.[1];
  const after = segments[at + 1] ?? "";
  return unit !== undefined && unitNamed(unit) !== undefined && /\p{L}/u.test(after) && !/[=:]\s*$/.test(after);
}

/** The unit after the n-th number, and the text between it and the next number. */
function unitAndRest(
  segments: readonly string[],
  numbers: readonly NumberToken[],
  at: number,
): { readonly unit: Unit | undefined; readonly rest: string } {
  const { text, suffix } = numbers[at]!;
  const after = (segments[at + 1] ?? "").slice(suffix.length);
  if (suffix !== "") return { unit: unitNamed(suffix), rest: after };
  const [next] = wordsOf(after);
  const afterUnit = after.slice(next?.end ?? 0);
  // In `ns/day = 58.9  seconds/ns = 1465` and `Elapsed: 0.05 MiB: 256` the second unit is the name of the next number.
  const isName = /^\s*[=:]/.test(afterUnit) || (/[\w\s][=:]$/.test(next?.text ?? "") && at + 1 < numbers.length);
  const unit = next && !isName ? unitAfter(text, next.text) : undefined;
  return unit ? { unit, rest: `${/[,;|)]$/.exec(next?.text ?? "")?.[0] ?? ""}${afterUnit}` } : { unit, rest: after };
}

/** True for `init: 0.53s CPU 0.61s WALL (1 calls)`: the name of each number follows it. */
function isPostfixed(segments: readonly string[]): boolean {
  const [first = "", ...rest] = segments;
  const inner = rest.slice(0, -1);
  return (
    inner.length > 0 &&
    /[=:]\s*$|\p{L}\s{2,}$/u.test(first) &&
    inner.every((segment) => /^\s?\S*\p{L}/u.test(segment) && !/[=:]/.test(segment)) &&
    /^\s*\p{L}{2}/u.test(rest.at(-1) ?? "")
  );
}

/** A name for a number that has none but its unit. */
function nameOfUnit(unit: Unit | undefined): string {
  const isTime = (base: string): boolean => base === "s" || base === "h" || base === "d";
  const factors = unit?.factors ?? [];
  if (factors.length > 1 && factors.some(({ base, exponent }) => isTime(base) && exponent < 0)) return "rate";
  const [{ base, exponent } = { base: "", exponent: 1 }] = factors.length === 1 ? factors : [];
  if (exponent !== 1) return "value";
  return isTime(base) ? "time" : base === "Byte" || base === "bit" ? "size" : "value";
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

/** The unit in a heading such as `Time (s)` or `Rate MB/s`. */
export function unitOfHeading(heading: string): ReturnType<typeof unitNamed> {
  for (const [, inner] of heading.matchAll(/[([]([^()[\]]*)[)\]]/g)) {
    const unit = unitNamed((inner ?? "").trim().replace(/^in\s+/, ""));
    if (unit && !(inner === "s" && hasPluralMark(heading))) return unit;
  }
  const words = wordsOf(heading).map(({ text }) => text);
  if (words.length === 1 && /^%[A-Za-z]+$/.test(heading.trim())) return unitNamed("%");
  const [last = ""] = words.slice(-1);
  const named = words.find((word) => word.includes("/") && unitNamed(word));
  if (named !== undefined) return unitNamed(named);
  return words.length > 1 && (words.at(-2) === "in" || /^[A-Za-z]?B$|^[mun]?s(?:ecs?)?$|^%$|[Ff]lops$/.test(last))
    ? unitNamed(last)
    : undefined;
}
