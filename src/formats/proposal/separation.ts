import { groupBy } from "../../core/values/index.ts";
import type { TextMark } from "../descriptions/index.ts";
import { longestPattern } from "../text/index.ts";
import { segmentsOf } from "./line-groups.ts";
import { segmentPattern } from "./line-rules.ts";
import { escapePattern, numbersPattern, wordsOf } from "./numbers.ts";
import { isRuleLine } from "./headings.ts";
import { lineKey, type SampleLine } from "./sample.ts";

/** Something that a set of values should have at most once. */
export interface Occurring {
  readonly lines: readonly SampleLine[];
  /** Numbers of each occurrence. */
  readonly weight: number;
}

/** Lines that start sets of values. */
export interface Separator {
  readonly lines: readonly SampleLine[];
  readonly mark: TextMark;
  /** The lines begin with this text, and what follows varies: it names the set. "": all of the line does. */
  readonly prefix?: string;
}

const mostCandidates = 400;
const mostLines = 5000;
/** Characters of a pattern. Other notations of numbers make it longer. */
const longestMark = longestPattern * 0.9;

/** The lines that best divide the samples so that nothing occurs twice between two of them; undefined: none help. */
export function separatorOf(
  lines: readonly SampleLine[],
  occurring: readonly Occurring[],
  isRow: (line: SampleLine) => boolean,
): Separator | undefined {
  const repeated = occurring.filter((each) => mostOf(each.lines, []) > 1);
  if (repeated.length === 0) return undefined;
  let best: Separator | undefined;
  let most = 0;
  for (const candidate of [...candidatesIn(lines, isRow), ...sectionsOf(lines, repeated, isRow)]) {
    const score = scoreOf(candidate, repeated);
    // Of equals, the first in the file begins the set; a prefix also names it, and is better than a list of titles.
    const names = candidate.prefix !== undefined && (candidate.prefix !== "" || best?.prefix === undefined);
    if (score > most * (names ? 0.999 : 1)) [best, most] = [candidate, Math.max(score, most)];
  }
  return best;
}

/**
 * How much the separator divides. What occurs before it begins a set does not belong to the set that it starts: a line
 * with numbers or a name would be stored with the values of another repetition.
 */
function scoreOf({ lines, prefix }: Separator, repeated: readonly Occurring[]): number {
  const own = new Set(lines);
  const starts = firstLines(lines);
  const isBefore = (each: Occurring): boolean =>
    [...firstLines(each.lines)].some(([sample, line]) => line < (starts.get(sample) ?? 0));
  // Lines that divide nothing but themselves are rows.
  const divided = repeated.filter(
    (each) => each.lines.some((line) => !own.has(line)) && mostOf(each.lines, lines) === 1,
  );
  const [before, after] = [divided.filter(isBefore), divided.filter((each) => !isBefore(each))].map((each) =>
    each.reduce((sum, { lines: its, weight }) => sum + weight * its.length, 0),
  ) as [number, number];
  const isBare = prefix === undefined && lines.every(({ numbers }) => numbers.length === 0);
  return isBare ? Math.max(before, after) : after;
}

/** The first of the lines in each sample. */
function firstLines(lines: readonly SampleLine[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const { sample, line } of lines) if (!first.has(sample)) first.set(sample, line);
  return first;
}

/** The last line of each sample that occurs in several sets; what follows it belongs to all of them. */
export function lastRepeated(occurring: readonly Occurring[]): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const { lines } of occurring) {
    const bySample = groupBy(lines, ({ sample }) => sample);
    for (const [sample, its] of bySample)
      if (its.length > 1) last.set(sample, Math.max(last.get(sample) ?? 0, its.at(-1)!.line));
  }
  return last;
}

/** True when one of the lines is between the first separator of its sample and the last line that is repeated. */
export function isWithinSets(
  lines: readonly SampleLine[],
  separators: readonly SampleLine[],
  last: ReadonlyMap<number, number>,
): boolean {
  const starts = firstLines(separators);
  return lines.some(
    ({ sample, line }) => line >= (starts.get(sample) ?? Number.POSITIVE_INFINITY) && line <= (last.get(sample) ?? 0),
  );
}

/** The maximum number of lines in one set. Both lists are in order. */
export function mostOf(lines: readonly SampleLine[], separators: readonly SampleLine[]): number {
  let [most, count, next, sample] = [0, 0, 0, -1];
  for (const line of lines) {
    if (line.sample !== sample) [count, sample] = [0, line.sample];
    for (; next < separators.length && isUpTo(separators[next]!, line); next++) count = 0;
    count += 1;
    most = Math.max(most, count);
  }
  return most;
}

function isUpTo(a: SampleLine, b: SampleLine): boolean {
  return a.sample < b.sample || (a.sample === b.sample && a.line <= b.line);
}

function candidatesIn(lines: readonly SampleLine[], isRow: (line: SampleLine) => boolean): Separator[] {
  const usable = lines.filter((line) => !isRow(line) && hasText(line) && line.text.length < 300);
  const equal = groupBy(usable, (line) => segmentsOf(line).join("\u0002").replaceAll(/\s+/g, " ").trim());
  const byPrefix = groupBy(usable, prefixOf);
  return [
    ...[...equal.values()].filter(isRepeated).map((same) => ({ lines: same, mark: markOf(same, lines) })),
    ...[...byPrefix].flatMap(([prefix, same]) =>
      prefix !== "" && isRepeated(same) && new Set(same.map(({ text }) => text.trim())).size > 1
        ? [{ lines: same, prefix, mark: prefixMark(prefix) }]
        : [],
    ),
  ]
    .filter(({ mark }) => mark.kind !== "pattern" || mark.source.length <= longestMark)
    .toSorted((a, b) => a.lines[0]!.sample - b.lines[0]!.sample || a.lines[0]!.line - b.lines[0]!.line)
    .slice(0, mostCandidates);
}

const mostSections = 30;

/** Lines directly above the first lines that repeat, if they have no numbers and differ: `Time Summary:`. */
function sectionsOf(
  lines: readonly SampleLine[],
  repeated: readonly Occurring[],
  isRow: (line: SampleLine) => boolean,
): Separator[] {
  const [first] = repeated.toSorted(
    (a, b) => a.lines[0]!.sample - b.lines[0]!.sample || a.lines[0]!.line - b.lines[0]!.line,
  );
  const at = new Map(lines.map((line, index) => [lineKey(line), index]));
  const above = (first?.lines ?? []).flatMap((line) => lines[(at.get(lineKey(line)) ?? 0) - 1] ?? []);
  const texts = new Set(above.map(({ text }) => text.trim()));
  const isTitle = ({ text, numbers }: SampleLine): boolean => numbers.length === 0 && /\p{L}{3}/u.test(text);
  if (above.length !== first?.lines.length || above.length > mostSections || texts.size !== above.length) return [];
  if (!above.every((line) => isTitle(line) && !isRow(line)) || mostOf(above, []) < 2) return [];
  const source = `^\\s*((?:${[...texts].map(segmentPattern).join("|")}))\\s*$`;
  if (source.length > longestMark) return [];
  return [{ lines: above, prefix: "", mark: { kind: "pattern", source } }];
}

/** Lines of numbers only are rows, and those of punctuation only are anywhere. */
function hasText(line: SampleLine): boolean {
  return segmentsOf(line).some((segment) => !isRuleLine(segment));
}

function isRepeated(lines: readonly SampleLine[]): boolean {
  return lines.length <= mostLines && mostOf(lines, []) > 1;
}

/** `# Benchmarking` of `# Benchmarking PingPong`: all but one to three last words, which have no numbers. */
function prefixOf({ text, numbers }: SampleLine): string {
  const words = wordsOf(text).map((word) => word.text);
  if (numbers.length > 0 || words.length < 2 || words.length > 5) return "";
  const count = /^[#*%]+$/.test(words[0] ?? "") ? 2 : 1;
  const prefix = words.slice(0, count).join(" ");
  return words.length > count && /\p{L}{3}/u.test(prefix) ? prefix : "";
}

function prefixMark(prefix: string): TextMark {
  return { kind: "pattern", source: `^\\s*${prefix.split(" ").map(escapePattern).join("\\s+")}\\s` };
}

function markOf(same: readonly SampleLine[], lines: readonly SampleLine[]): TextMark {
  const [first] = same as [SampleLine];
  const text = first.text.trim();
  const own = new Set(same);
  const [start = "", ...rest] = segmentsOf(first);
  const pattern = [start.trimStart(), ...rest].map(segmentPattern).join(numbersPattern(same));
  const source = `^\\s*${pattern.replace(/(?:\\s[*+])$/, "")}\\s*$`;
  const isLiteral = same.every((line) => line.text.includes(text));
  const isUnique = isLiteral && lines.every((line) => own.has(line) || !line.text.includes(text));
  // Numbers that are equal by chance are different in the next output.
  const matcher = new RegExp(source);
  const isOwn = first.numbers.length > 0 && lines.every((line) => own.has(line) || !matcher.test(line.text));
  return isUnique && !isOwn ? { kind: "keyword", text } : { kind: "pattern", source };
}
