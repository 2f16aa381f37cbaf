import type { Span } from "./table-shapes.ts";

interface Word extends Span {
  readonly text: string;
}

/**
 * The heading of each entry of a row: the words above it in the lines of the header, from top to bottom. Words that a
 * single blank separates belong together unless they stand above several entries. undefined: a word stands in the
 * middle between two entries.
 */
export function alignedHeadings(lines: readonly string[], entries: readonly Span[]): string[] | undefined {
  const phrases = lines.map((line) => phrasesOf(wordsOf(line)));
  const joined = assign(phrases, entries);
  if (joined?.every((heading) => heading !== "")) return joined;
  const separate = assign(
    phrases.map((line) => line.map((words) => words.map((word) => [word])).flat()),
    entries,
  );
  return separate?.every((heading) => heading !== "") ? separate : joined;
}

/** The displayed column of each character of a line, and that of its end; tabs extend to multiples of 8. */
export function displayedColumns(line: string): number[] {
  const columns: number[] = [];
  let column = 0;
  for (const character of line) {
    columns.push(...Array.from({ length: character.length }, () => column));
    column = character === "\t" ? column + 8 - (column % 8) : column + 1;
  }
  return [...columns, column];
}

function assign(lines: readonly (readonly (readonly Word[])[])[], entries: readonly Span[]): string[] | undefined {
  const headings = entries.map((): string[] => []);
  for (const phrase of lines.flat()) {
    const span = { start: phrase[0]?.start ?? 0, end: phrase.at(-1)?.end ?? 0 };
    const parts =
      entries.filter((entry) => overlap(entry, span) > 0).length > 1 ? phrase.map((word) => [word]) : [phrase];
    for (const part of parts) {
      const at = entryFor(part, entries);
      if (at === undefined) return undefined;
      headings[at]?.push(...part.map(({ text }) => text));
    }
  }
  return headings.map((words) => words.join(" "));
}

/** The entry with the largest overlap, else the nearest; undefined: two are equally near. */
function entryFor(words: readonly Word[], entries: readonly Span[]): number | undefined {
  const span = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
  // An overlap counts more than any distance.
  const scores = entries.map((entry) => {
    const shared = overlap(entry, span);
    return shared > 0 ? shared : -Math.max(entry.start - span.end, span.start - entry.end) - 1;
  });
  const best = Math.max(...scores);
  const at = scores.indexOf(best);
  return scores.lastIndexOf(best) === at ? at : undefined;
}

function overlap(one: Span, other: Span): number {
  return Math.min(one.end, other.end) - Math.max(one.start, other.start);
}

/** Groups words that one blank separates. */
function phrasesOf(words: readonly Word[]): Word[][] {
  const phrases: Word[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of words) {
    if (word.start - end <= 1) phrases.at(-1)?.push(word);
    else phrases.push([word]);
    ({ end } = word);
  }
  return phrases;
}

/** The words of a line, without a comment sign at its start. */
function wordsOf(line: string): Word[] {
  const columns = displayedColumns(line);
  const words = [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    start: columns[index] ?? 0,
    end: columns[index + text.length] ?? 0,
  }));
  return /^(?:[#%*;!]+|\/\/)$/.test(words[0]?.text ?? "") ? words.slice(1) : words;
}
