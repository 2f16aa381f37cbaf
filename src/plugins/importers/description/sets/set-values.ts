import { InvalidValue } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { Cut, ExplicitLocation, NamedLocation, TextMark } from "../../../../formats/descriptions/index.ts";
import type { Pattern, PatternMatch } from "../../../../formats/text/index.ts";
import { entryText } from "../finders/explicit-finder.ts";
import type { FinderResult, Spot, SpotReader } from "../finders/finder.ts";
import {
  capturedText,
  groupFor,
  matchLocator,
  patternLocator,
  secondMatch,
  stripper,
  type Locator,
  type Side,
} from "../finders/locator.ts";
import type { Cell, CellReader, TableColumn } from "../tables/table-column.ts";
import { possibleRange, possibleThousands } from "../values/number-doubts.ts";
import { UnitDoubts } from "../values/unit-doubts.ts";
import { unitInHeading } from "../values/unit-words.ts";
import { isTextType, type ReadValue, type ValueReader } from "../value-reader.ts";

/** Reads the values of a NAMED location: every mark is tried until one has a value. */
export class MarkedValues implements SpotReader {
  readonly onlyFirst = false;
  readonly isText: boolean;
  readonly #reader: ValueReader;
  readonly #leads: boolean;
  readonly #cut: NamedLocation;
  readonly #unitDoubts: UnitDoubts;

  constructor(reader: ValueReader, location: NamedLocation) {
    this.#reader = reader;
    this.isText = isTextType(reader.variable);
    this.#leads = location.leads === true;
    this.#cut = location;
    this.#unitDoubts = new UnitDoubts(reader.variable, location);
  }

  doubt({ text, terminator, lines, isWhole }: Spot): string | undefined {
    const isNumber = hasUnits(this.#reader.variable.type) && terminator === undefined && lines === undefined;
    const leads = this.#leads && isWhole !== true;
    if (!isNumber) return undefined;
    const { loss } = this.#reader;
    const doubt = possibleThousands(text, this.#cut, leads) ?? possibleRange(text, leads) ?? loss;
    return doubt ?? this.#unitDoubts.nextToMark(text, leads);
  }

  read(spot: Spot): FinderResult {
    if (spot.lines) return this.#readLines(spot);
    const value = this.#valueOf(spot);
    return value ?? (spot.mark && this.#misfit(spot.mark, spot.text));
  }

  #readLines({ text, lines }: Spot): FinderResult {
    const { name } = this.#reader.variable;
    if (lines === "open") return new InvalidValue(`the block of '${name}' does not end before this line`);
    if (lines === "cut") return new InvalidValue(`'${name}' is longer than ${1 << 20} characters`);
    return this.#reader.readField(text);
  }

  #valueOf({ text, terminator, isWhole }: Spot): FinderResult {
    if (terminator === undefined) return this.#readText(text, isWhole === true);
    const at = this.#leads ? text.lastIndexOf(terminator) : text.indexOf(terminator);
    if (at < 0) return this.#reader.readField(text);
    return this.#reader.readField(this.#leads ? text.slice(at + terminator.length) : text.slice(0, at));
  }

  #readText(text: string, isWhole: boolean): FinderResult {
    if (isWhole) return readWhole(this.#reader, text);
    return this.#leads ? this.#reader.readLast(text) : this.#reader.read(text);
  }

  /** Reported when a mark has no valid value; texts always have one. */
  #misfit(mark: TextMark, text: string): InvalidValue | undefined {
    const { variable, typeName } = this.#reader;
    if (mark.kind === "pattern")
      return this.isText
        ? undefined
        : new InvalidValue(`'${mark.source.slice(0, 80)}' matches, but yields no ${typeName}`);
    if (text === "" || !hasUnits(variable.type)) return undefined;
    return new InvalidValue(`'${mark.text}' found, but no ${typeName} ${this.#leads ? "before" : "after"} it`);
  }
}

/** Reads the values of an EXPL location. */
export function entryReader(reader: ValueReader, cut: Cut): SpotReader {
  const { name, type } = reader.variable;
  const misfit = hasUnits(type)
    ? new InvalidValue(`'${name}': no ${reader.typeName} at its position in this row`)
    : undefined;
  const unitDoubts = new UnitDoubts(reader.variable, cut);
  return {
    onlyFirst: true,
    isText: isTextType(reader.variable),
    read: (spot) => (spot.isWhole ? readWhole(reader, spot.text) : reader.read(spot.text)) ?? misfit,
    doubt: ({ text }) =>
      misfit === undefined ? undefined : (possibleRange(text) ?? reader.loss ?? unitDoubts.nextToMark(text)),
  };
}

/** Reads a text that is not cut at its first blank. */
function readWhole(reader: ValueReader, text: string): FinderResult {
  return isTextType(reader.variable) ? reader.readField(text) : reader.read(text);
}

/** The marks of a NAMED location: the variable's name and its aliases, unless it has others; then its patterns. */
export function setLocators(location: NamedLocation, variable: Variable): Locator[] {
  const { name, aliases, matches = [], patterns, triggers = [], leads = false, blanks } = location;
  const side = { leads, strip: stripper(leads, blanks) };
  const isNamed = patterns.length + matches.length + triggers.length === 0;
  return [
    ...(isNamed ? [name, ...aliases] : aliases).map((text) => matchLocator({ text }, side, true)),
    ...matches.map((match) => matchLocator(match, side)),
    ...patterns.map((source) =>
      patternLocator(source, (pattern, text) => capture(pattern, text, side, location, variable)),
    ),
  ];
}

/** The group of a pattern with the variable's name, else its first group, else the text next to its match. */
function capture(
  pattern: Pattern,
  text: string,
  { leads, strip }: Side,
  location: NamedLocation,
  variable: Variable,
): Spot | undefined {
  const match = pattern.search(text);
  if (!match) return undefined;
  const mark: TextMark = { kind: "pattern", source: pattern.source };
  if (match.groups.length > 0) {
    const group = groupFor(pattern, location.name) ?? 0;
    const spotOf = (found: PatternMatch): Spot => ({
      text: capturedText(text, found, group, location, variable),
      mark,
      isWhole: true,
    });
    const next = (): Spot | undefined => {
      const second = secondMatch(pattern, text);
      return second && spotOf(second);
    };
    return { ...spotOf(match), next };
  }
  return { text: strip(leads ? text.slice(0, match.start) : text.slice(match.end)), mark };
}

/** Reads the cells of a column; an empty entry between separators is a missing value. */
export class SetCells implements CellReader {
  readonly typeName: string;
  readonly isPlainNumber: boolean;
  readonly #reader: ValueReader;
  readonly #isDelimited: boolean;
  readonly #entry: Pick<ExplicitLocation, "blanks">;

  constructor(reader: ValueReader, isDelimited: boolean, blanks: string | undefined) {
    this.#reader = reader;
    this.#isDelimited = isDelimited;
    this.#entry = blanks === undefined ? {} : { blanks };
    this.typeName = reader.typeName;
    this.isPlainNumber = reader.isPlainNumber;
  }

  get doubt(): string | undefined {
    return this.#reader.loss;
  }

  read(cell: Cell, { entry, location }: TableColumn): ReadValue | null {
    const reader = this.#reader;
    if (entry < 0) {
      const text = entryText(cell.row, { ...location, ...this.#entry }, (word) => reader.fits(word));
      return text === undefined ? undefined : reader.read(text, true);
    }
    if (this.#isDelimited)
      return cell.isEmpty || (location.optional && reader.leavesNothing(cell.text))
        ? null
        : reader.readField(cell.text);
    return reader.isWord ? cell.text : reader.read(cell.rest, true);
  }

  /** A heading with a unit of the variable's dimension (`t[usec]`) is the unit of the column, unless it is given. */
  below(heading: string): CellReader {
    const unit = unitInHeading(heading, this.#reader.variable.unit);
    const reader = unit && this.#reader.withUnit(unit);
    return reader ? new SetCells(reader, this.#isDelimited, this.#entry.blanks) : this;
  }
}
