import type { ColumnDraft, NamedDraft, RuleDraft, TableDraft } from "./drafts.ts";
import { headingsOf } from "./headings.ts";
import { lineGroupOf, segmentsOf, type LineGroup } from "./line-groups.ts";
import { headingAround } from "./number-names.ts";
import { escapePattern, numberOf, numbersPattern, partPattern, wordsOf, type NumberToken } from "./numbers.ts";
import { lineKey, type Cell, type SampleLine } from "./sample.ts";

/** The rules for a group that occurs at most once in each set of values: one named value for each number. */
function namedRules(group: LineGroup, all: readonly SampleLine[]): NamedDraft[] {
  if (!group.segments.some((segment) => /\p{L}{2}|^\s*\p{L}\s*[=:]/u.test(segment))) return [];
  return (group.lines[0]?.numbers ?? []).map((_, at) => ({
    kind: "named",
    mark: keywordOf(group, at, all) ?? { kind: "pattern", source: patternOf(group, at, all) },
    column: numberColumn(group, at, at + 1),
  }));
}

/** A pattern for the n-th number, with as much of the line as it takes to exclude other lines. */
function patternOf({ lines, segments }: LineGroup, at: number, all: readonly SampleLine[]): string {
  const [first = "", ...more] = segments.slice(0, at + 1);
  const number = numbersPattern(lines);
  const start = `^\\s*${[first.trimStart(), ...more].map(segmentPattern).join(number)}(${number})`;
  const rest = segments.slice(at + 1).map(segmentPattern);
  const tails = ["", rest[0] ?? "", `${rest.join(number)}$`];
  const own = new Set(lines);
  const isUnique = (source: string): boolean => {
    const pattern = new RegExp(source);
    return all.every((line) => own.has(line) || line.numbers.length === 0 || !pattern.test(line.text));
  };
  const tail = tails.find((each, index) => (index > 0 || /\p{L}/u.test(first)) && isUnique(start + each));
  return start + (tail ?? tails[2] ?? "");
}

/** The text before a number as a keyword, if only the lines of the group have it. */
function keywordOf(
  { lines, segments }: LineGroup,
  at: number,
  all: readonly SampleLine[],
): NamedDraft["mark"] | undefined {
  const segment = segments[at] ?? "";
  const text = (
    at === 0 ? segment : (segment.split(/[,;)]|\s{2,}/).findLast((each) => /\p{L}/u.test(each)) ?? "")
  ).trim();
  if (!/\p{L}\S*\s*[=:]?$/u.test(text) || text.includes("\uE000") || text.length < 3) return undefined;
  if (!new RegExp(`${escapePattern(text)}[\\s=:]*$`).test(segment)) return undefined;
  const own = new Set(lines);
  const isUnique = (keyword: string): boolean => all.every((line) => own.has(line) === line.text.includes(keyword));
  const found = [text.replace(/[\s=:]+$/, ""), text].find((each) => each.length > 2 && isUnique(each));
  return found === undefined ? undefined : { kind: "keyword", text: found };
}

/** The rule for a group that occurs several times: each of its lines is a row. Undefined if no number can be read. */
function rowsRule(given: LineGroup, all: readonly SampleLine[]): TableDraft | undefined {
  const own = new Set(given.lines.map(lineKey));
  const othersOf = (source: string): readonly SampleLine[] => {
    const matcher = new RegExp(source);
    return all.filter((line) => line.numbers.length > 0 && !own.has(lineKey(line)) && matcher.test(line.text));
  };
  const general = groupPattern(given);
  const exact = othersOf(general).length > 0 ? labelledPattern(given) : undefined;
  const pattern = exact !== undefined && othersOf(exact).length === 0 ? exact : general;
  if (given.lines.some((line) => !new RegExp(pattern).test(line.text))) return undefined;
  const others = othersOf(pattern);
  const count = given.segments.length - 1;
  if (!given.isLabelled && others.length > 0) return undefined;
  if (others.some((line) => line.numbers.length <= count)) return undefined;
  // Messages that were printed into each other: their first numbers are read.
  const lines = [...given.lines, ...others.map((line) => ({ ...line, numbers: line.numbers.slice(0, count) }))];
  const group = { ...given, lines };
  const blanks = gluedTo(lines);
  const headings = headingNames(group, all);
  const numbers = (lines[0]?.numbers ?? []).flatMap((_, at) => {
    const position = positionOf(lines, at, blanks);
    return position ? [{ ...numberColumn(group, at, position.position, headings?.[at]), ...position }] : [];
  });
  if (numbers.length === 0) return undefined;
  const label = group.isLabelled ? [labelColumn(group)] : group.isTrailed ? trailingLabel(group, blanks) : [];
  return {
    kind: "table",
    marks: [{ kind: "pattern", source: pattern }],
    start: 0,
    most: 1,
    ...(blanks === "" ? {} : { blanks }),
    columns: [...label, ...numbers],
  };
}

/** The pattern of all lines of a group. */
function groupPattern({ lines, segments, isLabelled, isTrailed }: LineGroup): string {
  const number = numbersPattern(lines);
  const [first = "", ...rest] = segments;
  const label = /\s$/.test(first)
    ? String.raw`(?:.*\s)?\S*[^\s\d.eE+-]\S*\s+`
    : String.raw`.*${escapePattern(first.at(-1) ?? "")}`;
  const start = isLabelled ? label : segmentPattern(first.trimStart());
  const end = [...rest.slice(0, -1), isTrailed ? "" : (rest.at(-1) ?? "").trimEnd()];
  const trailer = isTrailed ? String.raw`%?\s+\S*[^\s\d.eE+-].*` : String.raw`\s*`;
  // Only the first number may have a part after a slash.
  const plain = number.replace(`(?:${partPattern})?`, "");
  const numbers = end.map((segment, at) => (at === 0 ? number : plain) + segmentPattern(segment)).join("");
  return `^\\s*${start}${numbers}${trailer}$`;
}

const mostLabels = 16;

/** The pattern of the lines of a group with their labels, where other lines have as many numbers. */
function labelledPattern(group: LineGroup): string | undefined {
  const labels = [...new Set(group.lines.map((line) => segmentPattern((segmentsOf(line)[0] ?? "").trim())))];
  if (!group.isLabelled || labels.length > mostLabels) return undefined;
  const sign = /\s$/.test(group.segments[0] ?? "") ? String.raw`\s+` : "";
  return groupPattern({ ...group, segments: ["", ...group.segments.slice(1)], isLabelled: false }).replace(
    String.raw`^\s*`,
    () => String.raw`^\s*(?:${labels.join("|")})${sign}`,
  );
}

/** A pattern for a text between numbers: blanks may vary, and dates and paths may be any. */
export function segmentPattern(segment: string): string {
  return segment
    .replaceAll(/\uE000+/g, "\uE000")
    .split(/(\s*[=:,|()[\]]\s*|\s+|\uE000)/)
    .map((piece) => {
      if (piece === "\uE000") return ".+?";
      if (piece === "") return "";
      const sign = piece.trim();
      if (sign === "") return String.raw`\s+`;
      return /^[=:,|()[\]]$/.test(sign) ? String.raw`\s*${escapePattern(sign)}\s*` : escapePattern(piece);
    })
    .join("")
    .replaceAll(/(?:\\s\*){2,}/g, String.raw`\s*`);
}

/** The characters next to numbers that have to count as blanks, so that each number is an entry of its own. */
function gluedTo(lines: readonly SampleLine[]): string {
  const glued = new Set<string>();
  for (const { text, numbers } of lines)
    for (const { start, end, suffix } of numbers) {
      const word = wordsOf(text).find((each) => each.start <= start && each.end >= end);
      if (!word || numberOf(word.text)) continue;
      for (const character of [text[start - 1], text[end + suffix.length]])
        if (character !== undefined && /[=:,;|/@#~*'"()[\]{}<>]/.test(character)) glued.add(character);
    }
  return [...glued].toSorted().join("");
}

/** Where the n-th number is in each line: an entry, or an entry among the numbers; undefined if it varies. */
function positionOf(
  lines: readonly SampleLine[],
  at: number,
  blanks: string,
): { readonly position: number; readonly typed?: true } | undefined {
  const isScaled = lines.some(({ numbers }) => scaled.test(numbers[at]!.text));
  const found = lines.map(({ text, numbers }) => entryOf(text, numbers[at]!, blanks, isScaled));
  const [first] = found;
  if (!first || found.some((each) => each === undefined)) return undefined;
  if (found.every((each) => each?.entry === first.entry)) return { position: first.entry };
  return found.every((each) => each?.ofNumbers === first.ofNumbers)
    ? { position: first.ofNumbers, typed: true }
    : undefined;
}

const scaled = /(?:[kKMGT]i?|x)$/;

/**
 * 1-based entry of a number among all entries, and among those that are numbers for its column: `86k` is one only for
 * a column with prefixes.
 */
function entryOf(
  text: string,
  token: NumberToken,
  blanks: string,
  isScaled: boolean,
): { entry: number; ofNumbers: number } | undefined {
  const words = wordsOf(text, blanks);
  const index = words.findIndex(({ start, end }) => start <= token.start && end >= token.end);
  const word = words[index];
  const own = word && (token.hasPart ? word.text.split("/", 1)[0] : numberOf(word.text)?.text);
  if (own !== token.text) return undefined;
  const before = words.slice(0, index).filter((each) => {
    const number = numberOf(each.text);
    if (number === undefined || (!isScaled && scaled.test(number.text))) return false;
    return number.suffix === "" || number.suffix === token.suffix;
  });
  return { entry: index + 1, ofNumbers: before.length + 1 };
}

function numberColumn(group: LineGroup, at: number, position: number, name?: string): ColumnDraft {
  const { lines } = group;
  const { heading, unit } = headingAround(group, lines[0]?.numbers ?? [], at);
  return {
    heading: name ?? heading,
    type: "number",
    position,
    ...(unit ? { unit } : {}),
    ...(lines.some(({ numbers }) => numbers[at]?.hasPart)
      ? { filters: [{ source: `${partPattern}$`, ignoreCase: false }] }
      : {}),
    cells: lines.map((line) => cellOf(line, line.numbers[at]?.text ?? "")),
  };
}

function cellOf({ sample, line }: SampleLine, text: string): Cell {
  return { sample, line, text };
}

/** The label of each row: its rest from the first word on, without everything from the first number on. */
function labelColumn(group: LineGroup): ColumnDraft {
  const { lines, segments } = group;
  const rest = [...segments.slice(1, -1), (segments.at(-1) ?? "").trimEnd()].map(
    (segment) => numbersPattern(lines) + segmentPattern(segment),
  );
  return {
    heading: "label",
    type: "text",
    position: 1,
    wholeRest: true,
    filters: [{ source: `[\\s=:|,(\\[{<]*${rest.join("")}\\s*$`, ignoreCase: false }],
    cells: lines.map((line) =>
      cellOf(
        line,
        line.text
          .slice(0, line.numbers[0]?.start)
          .replace(/[\s=:|,([{<]+$/, "")
          .trim(),
      ),
    ),
  };
}

/** The label at the end of the rows. */
function trailingLabel({ lines }: LineGroup, blanks: string): ColumnDraft[] {
  const cells = lines.map((line) => {
    const { end, suffix } = line.numbers.at(-1)!;
    return cellOf(
      line,
      line.text
        .slice(end + suffix.length)
        .replace(/^[%\s]+/, "")
        .trim(),
    );
  });
  const entries = new Set(lines.map((line) => entryOf(line.text, line.numbers.at(-1)!, blanks, false)?.entry));
  const [last] = entries;
  if (entries.size !== 1 || last === undefined) return [];
  return [{ heading: "label", type: "text", position: last + 1, wholeRest: true, cells }];
}

/** Names from a heading above labelled rows; undefined if there is none, or several different ones. */
function headingNames(
  { lines, isLabelled, isTrailed }: LineGroup,
  all: readonly SampleLine[],
): readonly string[] | undefined {
  if (!isLabelled && !isTrailed) return undefined;
  const own = new Map(lines.map((line) => [lineKey(line), line]));
  const rowAt = (at: number): SampleLine | undefined => all[at] && own.get(lineKey(all[at]));
  const starts = all.flatMap((_, at) => (rowAt(at) && !rowAt(at - 1) ? [at] : []));
  const found = starts.map((at) => {
    const rows: SampleLine[] = [];
    for (let next = at, row = rowAt(at); row; row = rowAt(++next)) rows.push(row);
    const numeric = rows[0]!.numbers.map(() => true);
    const words = rows.map(({ numbers }) => numbers);
    return headingsOf(all, at, words, numeric, isLabelled ? "before" : "after")?.names;
  });
  // Rows after a message have no heading of their own; rows before the first heading are others.
  const [first] = found;
  return first && new Set(found.flatMap((names) => names?.join("\n") ?? [])).size === 1 ? first : undefined;
}

/** The rules of a group: named values if each set has at most one of its lines, else rows. */
export function lineRules(group: LineGroup, all: readonly SampleLine[], isSingle: boolean): RuleDraft[] {
  if (isSingle && !group.isLabelled && !group.isTrailed) return namedRules(group, all);
  const rows = rowsRule(group, all);
  if (rows) return [rows];
  // Lines whose labels distinguish them, such as `percentile 99.9 = 21.1`, are single values.
  return isSingle ? group.lines.flatMap((line) => namedRules(lineGroupOf([line]), all)) : [];
}
