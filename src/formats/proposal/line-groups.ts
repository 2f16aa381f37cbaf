import { groupBy } from "../../core/values/index.ts";
import { maskedLine, numberOf, wordsOf } from "./numbers.ts";
import type { SampleLine } from "./sample.ts";

/** Lines that differ only in their numbers, and in the label at their beginning if they have one. */
export interface LineGroup {
  readonly lines: readonly SampleLine[];
  /** The texts around the numbers, from the beginning of the line; one more than there are numbers. */
  readonly segments: readonly string[];
  /** True: the first segment is a label that varies. */
  readonly isLabelled: boolean;
  /** The last segment is a label that varies, as in profiles: `61.2  3067  100  MPI_Recv()`. */
  readonly isTrailed?: true;
}

/** Lines with labels are rows of a table if they are at most this far apart. */
const mostApart = 2;
const manyLabels = 5;
const longestSentence = 14;

interface GrowingGroup extends LineGroup {
  readonly lines: SampleLine[];
}

/** Groups lines with numbers that are no rows of other tables. */
export function lineGroups(lines: readonly SampleLine[]): LineGroup[] {
  const usable = lines.filter((line) => line.numbers.length > 0 && isReadable(line));
  const groups: GrowingGroup[] = [];
  const rest = withoutNoise(withoutLabelled(withoutTrailed(usable, groups), groups), groups);
  const single = rest.filter((line) => !groups.some((group) => absorb(group, line)));
  for (const same of groupBy(single, (line) => keyOf(segmentsOf(line))).values())
    groups.push({ ...lineGroupOf(same), lines: same });
  return groups.toSorted((a, b) => order(a.lines[0]!, b.lines[0]!));
}

/** Lines that differ only in their numbers. */
export function lineGroupOf(lines: readonly SampleLine[]): LineGroup {
  return { lines, segments: segmentsOf(lines[0]!), isLabelled: false };
}

/** Moves rows of numbers with a label at their end to groups; returns the other lines. */
function withoutTrailed(lines: readonly SampleLine[], groups: GrowingGroup[]): SampleLine[] {
  const rest: SampleLine[] = [];
  const whole = new Map(lines.map((line) => [withLeadingNumbers(withPart(line)), line]));
  for (const same of groupBy(whole.keys(), (line) => keyOf(segmentsOf(line).slice(0, -1))).values()) {
    const labels = new Set(same.map((line) => squeezedSegment(segmentsOf(line).at(-1) ?? "")));
    const isTable =
      labels.size > 2 &&
      same.every(isTrailed) &&
      same.every((line, at) => at === 0 || line.line - same[at - 1]!.line <= mostApart);
    if (isTable) groups.push({ ...lineGroupOf(same), lines: same, isTrailed: true });
    else rest.push(...same.map((line) => whole.get(line)!));
  }
  return rest.toSorted(order);
}

/** The line with a first word such as `8361/1` as one number, if numbers follow it. */
function withPart(line: SampleLine): SampleLine {
  const [first, second] = wordsOf(line.text);
  const [, text] = /^(\d+)\/\d+$/.exec(first?.text ?? "") ?? [];
  if (first === undefined || text === undefined || numberOf(second?.text ?? "") === undefined) return line;
  const { start, end } = first;
  const rest = line.numbers.filter((number) => number.start >= end);
  return { ...line, numbers: [{ start, end, text, suffix: "", hasPart: true }, ...rest] };
}

/** The line without the numbers in the label at its end, as in `12  0.001  0.002 file.py:12(name)`. */
function withLeadingNumbers(line: SampleLine): SampleLine {
  const own = line.numbers[0]?.hasPart ? 1 : 0;
  const label = wordsOf(line.text).find(({ text }, at) => at >= own && numberOf(text) === undefined && text !== "%");
  const numbers = line.numbers.filter(({ start }) => start < (label?.start ?? 0));
  return label === undefined || numbers.length < 2 ? { ...line } : { ...line, numbers };
}

/** Numbers between blanks, then a label. */
function isTrailed(line: SampleLine): boolean {
  const segments = segmentsOf(line);
  const [last = ""] = segments.splice(-1);
  return segments.length > 1 && segments.every((segment) => /^[\s%]*$/.test(segment)) && /^[\s%]+\S*\p{L}/u.test(last);
}

/** Moves rows with labels to groups; returns the other lines. */
function withoutLabelled(lines: readonly SampleLine[], groups: GrowingGroup[]): SampleLine[] {
  const rest: SampleLine[] = [];
  for (const same of groupBy(lines, (line) => keyOf(segmentsOf(line).slice(1))).values()) {
    const parts = groupBy(same, (line) => isLabelled(segmentsOf(line)[0] ?? ""));
    const labelled = parts.get(true) ?? [];
    rest.push(...(parts.get(false) ?? []));
    if (hasLabels(labelled)) groups.push({ lines: labelled, segments: segmentsOf(labelled[0]!), isLabelled: true });
    else rest.push(...labelled);
  }
  return rest;
}

/** Moves messages of many hosts or processes, which differ in their labels only, to groups; returns the other lines. */
function withoutNoise(lines: readonly SampleLine[], groups: GrowingGroup[]): SampleLine[] {
  const rest: SampleLine[] = [];
  for (const same of groupBy(lines, (line) => keyOf(segmentsOf(line)).replaceAll(/\d+/g, "0")).values()) {
    const isNoise = labelsOf(same) >= manyLabels && same.every((line) => /\p{L}/u.test(segmentsOf(line)[0] ?? ""));
    if (isNoise) groups.push({ lines: same, segments: segmentsOf(same[0]!), isLabelled: true });
    else rest.push(...same);
  }
  return rest;
}

/** Adds a line with a long label, or with a number in it (`1,4 pairs  231.6  0.1`), to its group. */
function absorb({ lines, segments, isLabelled: hasLabel }: GrowingGroup, line: SampleLine): boolean {
  const count = segments.length - 1;
  if (!hasLabel || count < 2 || line.numbers.length < count) return false;
  const shorter = { ...line, numbers: line.numbers.slice(-count) };
  const [label = ""] = segmentsOf(shorter);
  if (!/\p{L}/u.test(label) || wordsOf(label).some(({ text }) => numberOf(text) !== undefined)) return false;
  if (keyOf(segmentsOf(shorter).slice(1)) !== keyOf(segments.slice(1))) return false;
  lines.push(shorter);
  lines.sort(order);
  return true;
}

function order(a: SampleLine, b: SampleLine): number {
  return a.sample - b.sample || a.line - b.line;
}

/** The texts around the numbers of a line. Dates, paths and the like are U+E000. */
export function segmentsOf({ text, numbers }: SampleLine): string[] {
  const bare = maskedLine(text);
  const segments = numbers.map(({ start }, at) => bare.slice(numbers[at - 1]?.end ?? 0, start));
  return [...segments, bare.slice(numbers.at(-1)?.end ?? 0)];
}

function keyOf(segments: readonly string[]): string {
  return segments.map(squeezedSegment).join("\n");
}

/** Blanks next to `=`, `:` and brackets do not distinguish lines. */
function squeezedSegment(segment: string): string {
  return segment
    .replaceAll(/\uE000+/g, "\uE000")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([=:,|()[\]]) ?/g, "$1")
    .trim();
}

function isLabelled(first: string): boolean {
  return /\p{L}/u.test(first) && !first.includes("\uE000") && first.trim().length <= 60;
}

function labelsOf(lines: readonly SampleLine[]): number {
  return new Set(lines.map((line) => squeezedSegment(segmentsOf(line)[0]!))).size;
}

/** True when several numbers follow different labels in lines next to each other, or in many lines. */
function hasLabels(lines: readonly SampleLine[]): boolean {
  if ((lines[0]?.numbers.length ?? 0) < 2) return false;
  if (labelsOf(lines) >= manyLabels) return true;
  return lines.some((line, at) => {
    const before = lines[at - 1];
    return (
      before?.sample === line.sample &&
      line.line - before.line <= mostApart &&
      squeezedSegment(segmentsOf(before)[0]!) !== squeezedSegment(segmentsOf(line)[0]!)
    );
  });
}

/** Prompts, hashes, source text and long sentences are no measurements. */
function isReadable({ text, numbers }: SampleLine): boolean {
  if (/^\s*(?:\S*[$>] |executing:|Command line)/.test(text) || text.includes("\u001b")) return false;
  const words = text.split(/\s+/).length;
  return numbers.length >= 3 || words <= longestSentence || /[=:]\s*[-+.\d]+/.test(text);
}
