import { InvalidValue, readFloat, formatValue } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut, NamedLocation } from "../../../../formats/descriptions/index.ts";
import type { Pattern } from "../../../../formats/text/index.ts";
import { occurrence } from "../finders/explicit-finder.ts";
import type { Spot, SpotReader } from "../finders/finder.ts";
import {
  capturedText,
  groupFor,
  matchesIn,
  matchLocator,
  patternLocator,
  stripper,
  type Locator,
} from "../finders/locator.ts";
import type { Cell, CellReader, TableColumn } from "../tables/table-column.ts";
import { possibleRange, possibleThousands } from "../values/number-doubts.ts";
import { UnitDoubts } from "../values/unit-doubts.ts";
import { unitInHeading, withoutTolerance } from "../values/unit-words.ts";
import { isTextType, type PresentValue } from "../value-reader.ts";
import { valueText } from "./cut-text.ts";
import type { TypedText } from "./typed-text.ts";

/**
 * Reads the first text that a location finds, or with `anyText` the first one that has a value; several lines are a
 * value as a whole.
 */
export function streamReader(typed: TypedText, cut: Cut, anyText: boolean, leads = false): SpotReader {
  const { variable } = typed;
  const unitDoubts = new UnitDoubts(variable, cut);
  return {
    onlyFirst: !anyText,
    isText: isTextType(variable),
    read: (spot, line) => {
      if (spot.lines === "open") return undefined;
      const near = leads && hasUnits(variable.type) ? { ...spot, text: withoutTolerance(spot.text) } : spot;
      const value = typed.read(spot.lines ? spot.text : valueText(near, cut, leads, typed.extent), line);
      return value ?? (hasUnits(variable.type) ? missingNumber(spot, variable, leads) : undefined);
    },
    doubt: ({ text, mark, lines, isWhole }) => {
      if (lines !== undefined || !hasUnits(variable.type)) return undefined;
      const near = text.replace(/^[\s=:|]+/, "");
      const groups = mark === undefined && isWhole !== true ? undefined : possibleThousands(near, cut, leads);
      const doubt = groups ?? typed.doubt ?? possibleRange(near, leads);
      return doubt ?? unitDoubts.nextToMark(near, leads);
    },
  };
}

/** Reported when the text next to a mark has no number. */
function missingNumber({ mark, text }: Spot, { name, type }: Variable, leads: boolean): InvalidValue | undefined {
  if (text.trim() === "") return undefined;
  return mark?.kind === "keyword"
    ? new InvalidValue(`'${mark.text}' found, but no ${type} ${leads ? "before" : "after"} it`)
    : new InvalidValue(`no ${type} for '${name}' in '${text.trim().slice(0, 80)}'`);
}

/** True when a word is of the variable's type, number or text. */
export function fitsType({ type }: Variable): (word: string) => boolean {
  return (word) => hasUnits(type) !== readFloat(word.slice(0, 500)) instanceof InvalidValue;
}

/** The marks of a location; without any, valid values and inputs of maps serve as keywords and as values. */
export function streamLocators(location: NamedLocation, variable: Variable): Locator[] {
  const { name, matches = [], aliases, patterns, triggers = [], leads = false, blanks } = location;
  const side = { leads, strip: (text: string) => text };
  const aliased = { leads, strip: stripper(leads, blanks) };
  const locators = [
    ...matches.map((match) => matchLocator(match, side)),
    ...(isAliased(location) ? [name, ...aliases] : aliases).map((text) => matchLocator({ text }, aliased, true)),
    ...patterns.map((source) => patternLocator(source, (pattern, text) => pieceAt(pattern, text, location, variable))),
  ];
  return locators.length > 0 || triggers.length > 0 ? locators : valueLocators(location, variable);
}

/** True for locations that search the variable's name and its aliases, as under the rules `sets`. */
export function isAliased({ aliases, matches = [], patterns, triggers = [] }: NamedLocation): boolean {
  return aliases.length > 0 && matches.length + patterns.length + triggers.length === 0;
}

/** Splits a line at a pattern; perfbase selects one of the pieces by its number. */
function pieceAt(pattern: Pattern, text: string, location: NamedLocation, variable: Variable): Spot | undefined {
  const first = pattern.search(text);
  if (!first) return undefined;
  const { leads = false, name } = location;
  const own = groupFor(pattern, name);
  if (own !== undefined) return { text: capturedText(text, first, own, location, variable), isWhole: true };
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, groups } of matchesIn(pattern, text)) {
    pieces.push(text.slice(at, start), ...groups.map((group) => group ?? ""));
    at = end;
  }
  pieces.push(text.slice(at));
  if (pieces.length > 3) return { text: pieces.slice(0, -1).join("") };
  const isWhole = !leads && pieces.length === 3;
  if (isWhole) return { text: capturedText(text, first, 0, location, variable), isWhole };
  return { text: pieces[leads ? 0 : 1] ?? "" };
}

function valueLocators({ maps = [] }: NamedLocation, variable: Variable): Locator[] {
  const valid = (variable.valid ?? []).map((value) => ({
    kind: "keyword" as const,
    text: formatValue(value, variable.type),
  }));
  return [...valid, ...maps.map(({ from }) => from)].map((mark) => {
    if (mark.kind === "pattern") {
      return patternLocator(mark.source, (pattern, text) => {
        const match = pattern.search(text);
        return match && { text: text.slice(match.start, match.end), terminator: "\n" };
      });
    }
    const { text } = mark;
    const found: Spot[] = [{ text, terminator: "\n" }];
    return {
      ...matchLocator({ text }, { leads: false, strip: (rest) => rest }),
      spots: (line) => (line.includes(text) ? found : []),
    };
  });
}

/** Reads the cells of a column; the variable's default stands for text that is not a value. */
export class StreamCells implements CellReader {
  readonly typeName: string;
  readonly isPlainNumber: boolean;
  readonly #typed: TypedText;
  readonly #fallback: PresentValue | undefined;
  /** Rows without a value are skipped; texts may be empty. */
  readonly #needsValue: boolean;

  readonly #isDelimited: boolean;

  constructor(typed: TypedText, isDelimited: boolean) {
    this.#isDelimited = isDelimited;
    const { type } = typed.variable;
    this.#typed = typed;
    this.typeName = type;
    this.isPlainNumber = typed.isPlainNumber;
    this.#fallback = typed.variable.default ?? undefined;
    this.#needsValue = type !== "string" && type !== "text";
  }

  read(cell: Cell, { entry, location }: TableColumn): PresentValue | null | undefined {
    const text = entry >= 0 ? this.#textOf(cell) : wordAfter(cell.row, location);
    const value = text === undefined ? undefined : this.#typed.read(text, cell.number);
    if (value === undefined && this.#fallback === undefined && (text === undefined || this.#needsValue))
      return undefined;
    return value ?? this.#fallback ?? null;
  }

  get doubt(): string | undefined {
    return this.#typed.doubt;
  }

  /** A heading with a unit of the variable's dimension is the unit of the column, unless it is given. */
  below(heading: string): CellReader {
    const unit = unitInHeading(heading, this.#typed.variable.unit);
    const typed = unit && this.#typed.withUnit(unit);
    return typed ? new StreamCells(typed, this.#isDelimited) : this;
  }

  /** The entry, with the entries after it that belong to its value. */
  #textOf(cell: Cell): string {
    const { extent } = this.#typed;
    if (!extent || this.#isDelimited) return cell.text;
    const words = cell.rest.split(/\s+/, mostWords);
    return words[0] === cell.text ? words.slice(0, extent(words, true)).join(" ") : cell.text;
  }
}

/** Most entries of one value. */
const mostWords = 12;

function wordAfter(row: string, { position, repetition }: TableColumn["location"]): string | undefined {
  const keyword = position.kind === "keyword" ? position.text : "";
  const at = occurrence(row, keyword, repetition);
  return at < 0
    ? undefined
    : row
        .slice(at + keyword.length)
        .trim()
        .split(/\s+/, 1)[0];
}
