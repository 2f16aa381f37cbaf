import type { ColumnDraft, TableDraft } from "./drafts.ts";
import { isRuleLine } from "./headings.ts";
import { isMissingMark, withoutMarks } from "./missing-marks.ts";
import { wordsOf } from "./numbers.ts";
import type { Cell, SampleLine } from "./sample.ts";
import { leadingNumber, unitOfFields } from "./separated-tables.ts";
import { headingMark } from "./tables.ts";

/** A column of characters, 0-based; the last one goes up to the end of the line. */
interface CharacterColumn {
  readonly start: number;
  readonly end: number | undefined;
}

/** Rows below a heading and a line of dashes that shows the width of each column; entries may be empty. */
export interface RuledBlock {
  readonly heading: number;
  readonly columns: readonly CharacterColumn[];
  readonly from: number;
  readonly end: number;
}

const ruler = /^\s*[-=]{2,}(?:\s+[-=]{2,}){2,}\s*$/;

/** Finds tables with empty entries or entries of several words, such as those of sacct. */
export function ruledBlocksIn(lines: readonly SampleLine[], taken: ReadonlySet<number>): RuledBlock[] {
  return lines.flatMap(({ text, sample }, at) => {
    if (taken.has(at) || !ruler.test(text) || at === 0 || isRuleLine(lines[at - 1]!.text)) return [];
    const columns = charactersOf(text);
    let end = at + 1;
    while (lines[end]?.sample === sample && !isRuleLine(lines[end]!.text)) end += 1;
    const rows = lines.slice(at + 1, end);
    const isUneven = rows.some((row) => wordsOf(row.text).length !== columns.length);
    const isWhole = [lines[at - 1]!, ...rows].every((row) => isWithin(row.text, columns));
    return rows.length > 1 && isUneven && isWhole ? [{ heading: at - 1, columns, from: at + 1, end }] : [];
  });
}

/** The columns that the rules show. */
function charactersOf(text: string): CharacterColumn[] {
  const rules = wordsOf(text);
  return rules.map(({ start, end }, at) => ({ start, end: at === rules.length - 1 ? undefined : end }));
}

/** True if no word crosses the border of a column. */
function isWithin(text: string, columns: readonly CharacterColumn[]): boolean {
  return wordsOf(text).every(({ start, end }) =>
    columns.some((column) => start >= column.start && (column.end === undefined || end <= column.end)),
  );
}

export function ruledTables(lines: readonly SampleLine[], blocks: readonly RuledBlock[]): TableDraft[] {
  const headings = blocks.map(({ heading }) => lines[heading]!.text.trim());
  return blocks.map((block, at) => {
    const own = blocks.filter(({ heading }) => lines[heading]!.text.trim() === headings[at]);
    const mark = headingMark(headings[at]!, headings, lines, own);
    const columns = block.columns.flatMap((column) => columnDraft(lines, block, column));
    return { kind: "table", marks: [mark], start: 1, columns };
  });
}

function columnDraft(lines: readonly SampleLine[], block: RuledBlock, { start, end }: CharacterColumn): ColumnDraft[] {
  const cells = lines.slice(block.from, block.end).flatMap(({ sample, line, text }): Cell[] => {
    const entry = text.slice(start, end).trim();
    return entry === "" ? [] : [{ sample, line, text: entry }];
  });
  if (!cells.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) return [];
  const above = lines[block.heading - 1];
  const isHeading =
    above && above.numbers.length === 0 && !isRuleLine(above.text) && isWithin(above.text, block.columns);
  const heading = [isHeading ? above : undefined, lines[block.heading]]
    .map((line) => line?.text.slice(start, end).trim() ?? "")
    .join(" ")
    .trim();
  const characters = { first: start + 1, ...(end === undefined ? {} : { last: end }) };
  const present = cells.filter(({ text }) => !isMissingMark(text));
  const numbers = present.map(({ text }) => leadingNumber(text));
  const isNumber =
    present.length > 0 &&
    present.every(({ text }, at) => numbers[at] && wordsOf(text).length <= (numbers[at].unit ? 2 : 1));
  return [
    isNumber
      ? withoutMarks({
          ...unitOfFields(numbers.map((number) => number?.unit ?? "")),
          heading,
          type: "number",
          position: 1,
          characters,
          cells: cells.map((cell) => ({ ...cell, text: leadingNumber(cell.text)?.text ?? cell.text })),
        })
      : { heading, type: "text", position: 1, characters, wholeRest: true, cells },
  ];
}
