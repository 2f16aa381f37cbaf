import { InvalidValue } from "../../../../core/values/index.ts";
import type { BlockMark, NamedLocation, TextMark } from "../../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../../formats/text/index.ts";
import type { ValueReader } from "../value-reader.ts";
import type { Line } from "../line.ts";
import type { Finder, FinderResult } from "../finder.ts";
import { anyMarker } from "../row-mark.ts";

/** Maximum length in characters of a multi-line value; longer ones are invalid. */
const longestText = 1 << 20;

/** A multi-line text that is being collected. */
class MultiLineText {
  readonly #pieces: string[] = [];
  #length = 0;

  add(piece: string): void {
    this.#length += piece.length + 1;
    if (this.#length <= longestText) this.#pieces.push(piece);
  }

  read(reader: ValueReader): FinderResult {
    if (this.#length > longestText + 1)
      return new InvalidValue(`'${reader.variable.name}' is longer than ${longestText} characters`);
    return reader.readField(this.#pieces.join("\n"));
  }
}

/** Caches the result per line: `find` has state that changes with every line. */
function oncePerLine(find: (line: Line) => FinderResult): (line: Line) => FinderResult {
  let [number, found]: [number, FinderResult] = [-1, undefined];
  return (line) => {
    if (line.number !== number) [number, found] = [line.number, find(line)];
    return found;
  };
}

/**
 * Reads `lines` complete lines from the match on; 0: up to the next empty line. `piece` returns the text after the
 * match, if the line has one.
 */
export function linesFinder(lines: number, seeker: Finder, piece: (line: Line) => string | undefined): Finder {
  const { reader } = seeker;
  let gathering: MultiLineText | undefined;
  let left = 0;
  const end = (): FinderResult => {
    const value = gathering?.read(reader);
    gathering = undefined;
    return value;
  };
  const find = (line: Line): FinderResult => {
    const text = gathering ? line.rest(line.start) : piece(line);
    if (text === undefined) return undefined;
    if (gathering && lines === 0 && text.trim() === "") return end();
    if (!gathering) [gathering, left] = [new MultiLineText(), lines];
    gathering.add(text);
    left -= 1;
    return left === 0 ? end() : undefined;
  };
  return {
    reader,
    literals: seeker.literals,
    get everyLine() {
      return gathering !== undefined || seeker.everyLine;
    },
    ...(seeker.nextRow ? { nextRow: (from: number) => seeker.nextRow?.(from) ?? Number.POSITIVE_INFINITY } : {}),
    find: oncePerLine(find),
    finish: end,
  };
}

/** The text between the marks of a block. A block without an end has no value. */
export function blockFinder({ begin, end }: NonNullable<NamedLocation["block"]>, reader: ValueReader): Finder {
  const [begins, ends] = [begin.map(positionOf), end.map(positionOf)];
  const marker = anyMarker(begin.map(({ mark }) => mark));
  let gathering: MultiLineText | undefined;
  /** Lines still to skip. */
  let skip = 0;
  const gather = (text: string): FinderResult => {
    const stop = earliest(ends, text);
    gathering?.add(stop ? text.slice(0, stop.start) : text);
    if (!stop) return undefined;
    const value = gathering?.read(reader);
    gathering = undefined;
    return value;
  };
  const find = (line: Line): FinderResult => {
    const text = line.rest(line.start);
    if (gathering) return --skip > 0 ? undefined : gather(text);
    const start = earliest(begins, text);
    if (!start) return undefined;
    [gathering, skip] = [new MultiLineText(), start.skip];
    return skip > 0 ? undefined : gather(text.slice(start.end));
  };
  return {
    reader,
    literals: marker?.literals ?? [],
    get everyLine() {
      return gathering !== undefined || marker?.everyLine !== false;
    },
    find: oncePerLine(find),
    finish() {
      if (!gathering) return undefined;
      gathering = undefined;
      return new InvalidValue(`the block of '${reader.variable.name}' does not end before this line`);
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly skip: number;
}

function positionOf({ mark, skip }: BlockMark): (text: string) => Span | undefined {
  const search = searchOf(mark);
  return (text) => {
    const span = search(text);
    return span && { start: span.start, end: span.end, skip };
  };
}

function searchOf(mark: TextMark): (text: string) => { start: number; end: number } | undefined {
  if (mark.kind === "pattern") return compilePattern(mark.source).search;
  return (text) => {
    const start = text.indexOf(mark.text);
    return start < 0 ? undefined : { start, end: start + mark.text.length };
  };
}

function earliest(searches: readonly ((text: string) => Span | undefined)[], text: string): Span | undefined {
  const spans = searches.flatMap((search) => search(text) ?? []);
  return spans.sort((a, b) => a.start - b.start)[0];
}
