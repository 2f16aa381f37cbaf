import type { Variable } from "../../../core/variables/index.ts";
import {
  operandOrigin,
  type Cut,
  type DerivedLocation,
  type FixedLocation,
  type InputLocation,
  type MatrixLocation,
  type NamedLocation,
  type Origin,
  type PatternLocation,
  type TableLocation,
  type TableValue,
  type TransposedLocation,
  type TransposedValue,
} from "../../../formats/descriptions/index.ts";
import type { Binding, Named } from "./binding.ts";
import { BlockFinder } from "./finders/block-finder.ts";
import { Derived, namesIn, type DerivedRules } from "./derived.ts";
import type { Finder } from "./finders/finder.ts";
import type { Locator } from "./finders/locator.ts";
import { LinesFinder, NamedFinder } from "./finders/named-finder.ts";
import { anyMarker, type Seeker } from "./row-mark.ts";
import type { Slot } from "./slot.ts";
import { TableColumn, type CellReader } from "./tables/table-column.ts";
import type { RowTable, TableSink } from "./tables/row-table.ts";
import { TableReader } from "./tables/table-reader.ts";
import type { TableRules } from "./tables/table-rules.ts";
import { LineReader } from "./tables/line-reader.ts";
import type { EntryReader, LineTable, ReportLine } from "./tables/line-table.ts";
import { loaded, type TableShapes } from "./tables/table-shapes.ts";
import { Triggers } from "./finders/triggers.ts";
import { isLooseBinary, unitInHeading } from "./values/unit-words.ts";
import { ValueReader, type PresentValue } from "./value-reader.ts";

/** A description compiled for its experiment: the finders, and the columns of the rows. */
export interface Plan {
  /** The `multiple` variables that the description fills, in the order of the experiment. */
  readonly variables: readonly Variable[];
  readonly slots: readonly Slot[];
  readonly tables: readonly RowTable[];
  /** In order of evaluation. */
  readonly derived: readonly Derived[];
  /** Always searched: marks of separators and blocks. */
  readonly marks: readonly Seeker[];
  /** Number of preceding lines to store. */
  readonly precedingLines: number;
  /** Names that are searched, for the message that nothing was found. */
  readonly searched: readonly string[];
}

/** Receives what the plan of an input reports while it is read. */
export interface PlanSink extends TableSink {
  /** Reports a text of several lines that is too long. */
  reportCut(): void;
}

/** What the two sets of rules do differently in a plan. */
export interface PlanRules {
  readonly tables: TableRules;
  /**
   * Positions relative to a column without a known number, and entries after the last one, are refused; else such
   * positions count from the last column with a number.
   */
  readonly strictPositions: boolean;
  /** `MByte` in a keyword is converted for a variable in MiByte. */
  readonly convertsLooseBinary: boolean;
  /** An end mark in a skipped line ends its block. */
  readonly endsInSkipped: boolean;
  /** The beginning of a text that is too long is stored, with a notice; else the text is invalid. */
  readonly keepsCut: boolean;
}

/** Compiles the parts of a description that are the same under both sets of rules. */
export abstract class Planner {
  protected readonly binding: Binding;
  protected readonly sink: PlanSink;
  readonly #rules: PlanRules;
  readonly #shapes: TableShapes | undefined;
  readonly #report: ReportLine = (kind, line, problem) => this.sink.report(kind, line, problem);

  constructor(binding: Binding, rules: PlanRules, sink: PlanSink, shapes: TableShapes | undefined) {
    this.#shapes = shapes;
    this.binding = binding;
    this.sink = sink;
    this.#rules = rules;
  }

  /** How the cells of a column are read. */
  protected abstract cells(value: TableValue, table: TableLocation, variable: Variable): CellReader;
  /** How the entries of matrices, transposed tables and patterns are read. */
  protected abstract entries(variable: Variable, cut: Cut, origin: Origin): EntryReader;
  /** The marks next to which a value is searched, in order of precedence. */
  protected abstract locators(location: NamedLocation, variable: Variable): Locator[];

  protected of<K extends InputLocation["kind"]>(
    kind: K,
    locations: readonly InputLocation[] = this.binding.locations,
  ): Extract<InputLocation, { kind: K }>[] {
    return locations.filter((location): location is Extract<InputLocation, { kind: K }> => location.kind === kind);
  }

  /** Fails with `description-error` when the location has nothing to search for. */
  protected namedFinder(location: NamedLocation, variable: Variable): Finder {
    const cut = (): void => (this.#rules.keepsCut ? this.sink.reportCut() : undefined);
    const { block, lines, triggers: selecting = [] } = location;
    if (block) return new BlockFinder(block, this.#rules.endsInSkipped, cut);
    const triggers = selecting.length > 0 ? new Triggers(selecting) : undefined;
    const locators = this.locators(location, variable);
    if (locators.length === 0 && !triggers)
      throw this.binding.error(location.origin, `'${variable.name}' has neither a mark nor valid values`);
    const finder = new NamedFinder(locators, triggers);
    return lines === undefined ? finder : new LinesFinder(finder, lines, cut);
  }

  /** The location with the unit in the keywords before its value, as in a heading: `alias="time (ms):"`. */
  protected withUnitOfKeyword(location: NamedLocation, variable: Variable): NamedLocation {
    const { aliases, matches = [], patterns, unit, scale, leads, maps = [] } = location;
    if (unit !== undefined || scale !== undefined || leads || patterns.length + maps.length > 0) return location;
    const keywords = [...aliases, ...matches.map(({ text }) => text)];
    const [found, ...others] = new Set(
      keywords.map((keyword) => unitInHeading(keyword.replace(/[\s:=|]+$/, ""), variable.unit)),
    );
    const isLoose = found && !this.#rules.convertsLooseBinary && isLooseBinary(found, variable.unit);
    return found && others.length === 0 && !isLoose ? { ...location, unit: found } : location;
  }

  protected fixedValue({ name, value: text, origin }: FixedLocation): PresentValue {
    const variable = this.binding.variable({ name, origin });
    const value = new ValueReader(variable, {}).readComplete(text);
    if (value !== undefined) return value;
    throw this.binding.error(origin, `'${text.slice(0, 80)}' is no value for '${variable.name}' (${variable.type})`);
  }

  /** The sources of rows, in the order of the description. */
  protected tables(): RowTable[] {
    return this.binding.locations.flatMap((location): RowTable[] => {
      switch (location.kind) {
        case "table":
          return [this.#table(location)];
        case "pattern":
          return [this.#lines(this.#pattern(location))];
        case "transposed":
          return [this.#lines(this.#transposed(location))];
        case "matrix":
          return [this.#lines(this.#matrix(location))];
        default:
          return [];
      }
    });
  }

  /** Number of lines before their marked rows that tables have to know. */
  protected linesBeforeTables(tables: readonly RowTable[]): number {
    return Math.max(0, ...tables.map((table) => (table instanceof TableReader ? table.linesBefore : 0)));
  }

  #lines(table: LineTable): RowTable {
    return new LineReader(table, (variable) => this.binding.target(variable), this.sink);
  }

  #pattern(location: PatternLocation): LineTable {
    const groups = location.groups.filter((group) => !this.binding.isFixed(group));
    return loaded(this.#shapes).pattern(
      location,
      groups.map((group) => this.#rowReader(group)),
      this.#report,
    );
  }

  #transposed(location: TransposedLocation): LineTable {
    const values = location.values.filter((value) => !this.binding.isFixed(value));
    return loaded(this.#shapes).transposed(
      location,
      values.map((value) => ({ value, reader: this.#rowReader(this.#withUnitOfMark(value)) })),
      this.#report,
    );
  }

  /** The text before the values may have their unit, as a heading has that of its column. */
  #withUnitOfMark(value: TransposedValue): TransposedValue {
    if (value.row.kind === "pattern" || value.unit !== undefined || value.scale !== undefined) return value;
    const unit = unitInHeading(value.row.text, this.binding.variable(value).unit);
    return unit ? { ...value, unit } : value;
  }

  #matrix(location: MatrixLocation): LineTable {
    const [across, down, cell] = [location.across, location.down, location.cell].map((each) => this.#rowReader(each));
    if (!across || !down || !cell) throw new Error("a matrix has three variables");
    return loaded(this.#shapes).matrix(location, { across, down, cell }, this.#report);
  }

  /** Fails with `description-error` for variables that are once per run. */
  #rowReader(value: Cut & Named): EntryReader {
    const variable = this.binding.variable(value);
    if (variable.occurrence === "once")
      throw this.binding.error(value.origin, `'${variable.name}' is once per run, but each row has a value`, {
        advice: "use NAMED, or occurrence=multiple",
      });
    return this.entries(variable, value, value.origin);
  }

  #table(location: TableLocation): TableReader {
    const { binding } = this;
    const columns = this.#positioned(location)
      .filter((value) => !binding.isFixed(value))
      .map((value) => {
        const variable = binding.variable(value);
        return new TableColumn(value, variable, binding.target(variable), this.cells(value, location, variable));
      });
    const rows = location.rows.filter((row) => row.kind !== "keyword" || row.text !== "");
    return new TableReader(location, columns, anyMarker(rows), this.#rules.tables, this.sink, this.#shapes);
  }

  /** The columns of a table with absolute positions. */
  #positioned(table: TableLocation): TableValue[] {
    const { strictPositions } = this.#rules;
    const { columns = Number.POSITIVE_INFINITY } = table;
    let before: number | undefined = 0;
    return table.values.map((value): TableValue => {
      const { position, typed, origin } = value;
      if (position.kind === "characters") return value;
      const isRelative = position.kind === "relative";
      if (isRelative && before === undefined)
        throw this.binding.error(origin, "the position is relative to a column without a known number");
      if (position.kind === "keyword" || typed) {
        if (strictPositions) before = undefined;
        if (isRelative) throw this.binding.error(origin, "a position that is relative cannot be typed");
        return value;
      }
      const number: number = isRelative ? (before ?? 0) + position.offset : position.number;
      before = number;
      if (number < 1 || (strictPositions && number > columns))
        throw this.binding.error(origin, `the table has no entry ${number}`);
      return { ...value, position: { kind: "number", number } };
    });
  }

  protected derived(location: DerivedLocation, rulesOf: (variable: Variable) => DerivedRules): Derived {
    const { binding } = this;
    const variable = binding.variable(location);
    const operands = new Map(
      namesIn(location).map((name) => {
        const operand = binding.variable({ name, origin: operandOrigin(location.origin, name) });
        return [name.toLowerCase(), operand];
      }),
    );
    return new Derived({ location, variable, target: binding.target(variable), operands, rules: rulesOf(variable) });
  }
}
