import { Failure, isFailure } from "../../../core/errors.ts";
import { findVariable, type Variable } from "../../../core/variable.ts";
import { Misfit } from "../../../core/misfit.ts";
import type { Value, Values } from "../../../core/value.ts";
import type { Experiment } from "../../../core/experiment.ts";
import { nearest } from "../../../core/near-names.ts";
import type {
  Cut,
  DerivedLocation,
  ExplicitLocation,
  FilenameLocation,
  FixedLocation,
  InputDescription,
  InputLocation,
  NamedLocation,
  Origin,
  Separation,
  TableLocation,
  TableValue,
} from "../../../formats/input-description.ts";
import { ContentReader, Fraction, type Content } from "./content.ts";
import { derivedOf, type Derived } from "./derived.ts";
import { explicitFinder } from "./explicit.ts";
import { filenameReader } from "./filename.ts";
import { foundNumber } from "./found-number.ts";
import type { Line } from "./line.ts";
import { anyFinder, namedFinder, type Finder } from "./named.ts";
import { anyMarker, markerOf, wantedRow, type Marker } from "./row-mark.ts";
import { foreignToSets } from "./sets-fields.ts";
import { Slot } from "./slot.ts";
import { TableColumn } from "./table-column.ts";
import { TabularReader } from "./tabular.ts";

/** Begins a new input set, or run: a row, or new content of a parameter. */
export interface Separator {
  readonly run: boolean;
  readonly marker: Marker | undefined;
  readonly slot: Slot | undefined;
  /** So many lines behind the mark. */
  readonly skip: number;
}

/** A description bound to its experiment: who looks for what, and which columns the rows have. */
export interface Plan {
  /** The `multiple` variables that the description fills, in the order of the experiment. */
  readonly variables: readonly Variable[];
  readonly slots: readonly Slot[];
  readonly tables: readonly TabularReader[];
  readonly separators: readonly Separator[];
  /** In the order in which they are computed. */
  readonly derived: readonly Derived[];
  /** Worth telling before the first line is read. */
  readonly notices: readonly string[];
  /** What is looked for, for the message that nothing was found. */
  readonly looked: readonly string[];
}

type Sought = NamedLocation | ExplicitLocation;
type Single = Sought | FixedLocation | FilenameLocation;
/** A place where contents of one variable stand. */
type Located =
  | Single
  | DerivedLocation
  | { readonly kind: "column"; readonly table: TableLocation; readonly name: string; readonly value: TableValue; readonly origin: Origin };

/** Fails with `description-error` where the description and the experiment do not agree. `path` is that of the input as the user typed it. */
export function planOf(description: InputDescription, experiment: Experiment, fixed: Values, foreign: () => void, path = ""): Plan {
  return new Planner(description, experiment, fixed, foreign, path).plan();
}

class Planner {
  private readonly file: string;
  private readonly experiment: Experiment;
  private readonly fixed: Values;
  private readonly foreign: () => void;
  private readonly path: string;
  private readonly notices: string[] = [];
  private readonly separations: readonly Separation[];
  private readonly locations: readonly Located[];
  /** The single contents that the user fixed; the lines that would give them may separate still. */
  private readonly overruled: readonly Located[];
  private variables: readonly Variable[] = [];

  constructor(description: InputDescription, experiment: Experiment, fixed: Values, foreign: () => void, path: string) {
    this.file = description.file;
    this.experiment = experiment;
    this.foreign = foreign;
    this.path = path;
    for (const location of description.locations) this.refuseForeign(location);
    this.separations = description.locations.filter((location) => location.kind === "separation");
    const located = description.locations.flatMap((location) => this.located(location));
    this.fixed = new Map([...fixed].map(([name, value]) => [findVariable(experiment.variables, name)?.name ?? name, value]));
    const separating = this.separations.map((each) => each.mark).filter((mark) => mark.kind === "named");
    const merged = mergeSeparating(located, separating);
    this.locations = merged.filter((location) => !this.isFixed(location));
    this.overruled = merged.filter((location) => this.isFixed(location));
  }

  plan(): Plan {
    this.variables = this.filledVariables();
    const slots = [...this.fixedSlots(), ...this.slots()];
    return {
      variables: this.variables,
      slots,
      tables: this.tables(),
      separators: [...this.separations.map((separation) => this.separator(separation, slots)), ...this.separating(slots)],
      derived: this.derived(),
      notices: this.notices,
      looked: this.locations.filter(({ kind }) => kind === "named" || kind === "explicit" || kind === "column").map(({ name }) => name),
    };
  }

  private refuseForeign(location: InputLocation): void {
    const columns = location.kind === "table" ? location.values : [];
    const marks = location.kind === "separation" && location.mark.kind === "named" ? [location.mark] : [];
    for (const each of [location, ...marks, ...columns]) {
      const foreign = foreignToSets(each);
      if (foreign === undefined) continue;
      throw this.error(each.origin, `${foreign} means nothing under the rules 'sets'`, {
        advice: "begin the description with RULES stream",
      });
    }
  }

  private located(location: InputLocation): Located[] {
    switch (location.kind) {
      case "separation":
        return [];
      case "table":
        return location.values.map((value) => ({ kind: "column", table: location, name: value.name, value, origin: value.origin }));
      case "split":
        return [];
      default:
        return [location];
    }
  }

  private isFixed(location: Located): boolean {
    return this.fixed.has(this.variable(location).name);
  }

  private error(origin: Origin, problem: string, details: { near?: string; advice?: string } = {}): Failure {
    return new Failure("description-error", { file: this.file, line: origin.line, column: origin.column, problem, ...details });
  }

  private variable(location: { readonly name: string; readonly origin: Origin }): Variable {
    const found = findVariable(this.experiment.variables, location.name);
    if (found) return found;
    const names = this.experiment.variables.map((variable) => variable.name);
    const near = nearest(location.name.slice(0, 64), names).join(", ");
    const advice = `it has ${names.join(", ")}`;
    throw this.error(location.origin, `experiment '${this.experiment.name}' has no parameter or result '${location.name}'`, {
      near,
      advice,
    });
  }

  /** Every variable has one location, or several named ones; those of the user's fixed contents are gone already. */
  private filledVariables(): Variable[] {
    const seen = new Map<string, Located>();
    for (const location of this.locations) {
      const { name } = this.variable(location);
      const before = seen.get(name);
      if (before && !areAlternatives(before, location))
        throw this.error(location.origin, `'${name}' has a location already, at line ${before.origin.line}`);
      seen.set(name, location);
    }
    return this.experiment.variables.filter(
      (variable) => variable.occurrence === "multiple" && (seen.has(variable.name) || this.fixed.has(variable.name)),
    );
  }

  private fixedSlots(): Slot[] {
    return [...this.fixed].map(([name, value]) => {
      const variable = this.variable({ name, origin: { line: 1, column: 1 } });
      return new Slot(variable, undefined, this.variables.indexOf(variable), value);
    });
  }

  private reader(variable: Variable, cut: Cut, origin: Origin): ContentReader {
    try {
      return new ContentReader(variable, cut);
    } catch (error) {
      if (isFailure(error, "unit-mismatch")) throw this.error(origin, `'${variable.name}': ${error.message}`, { advice: error.remedy });
      throw error;
    }
  }

  /** One for each variable with single contents, in the order of the description. */
  private slots(): Slot[] {
    const singles = this.locations.filter((location) => location.kind !== "column" && location.kind !== "derived");
    const groups = new Map<Variable, Single[]>();
    for (const location of singles) {
      const variable = this.variable(location);
      groups.set(variable, [...(groups.get(variable) ?? []), location]);
    }
    return [...groups].map(([variable, locations]) => this.slot(variable, locations));
  }

  private slot(variable: Variable, locations: readonly Single[]): Slot {
    const target = this.variables.indexOf(variable);
    const [first] = locations;
    if (first?.kind === "fixed") return new Slot(variable, undefined, target, this.fixedContent(first, variable));
    if (first?.kind === "filename") return new Slot(variable, undefined, target, this.filenameContent(first, variable));
    const sought = locations.filter((location) => location.kind === "named" || location.kind === "explicit");
    const finders = sought.map((location) => this.finder(location, this.reader(variable, location, location.origin)));
    return new Slot(variable, anyFinder(finders), target, null, first?.kind === "named" ? first.mode : undefined);
  }

  private finder(location: Sought, reader: ContentReader): Finder {
    if (location.kind === "explicit") return explicitFinder(location, reader);
    this.checkNamed(location, reader.variable);
    return namedFinder(location, reader);
  }

  /** What the type of the variable does not allow. */
  private checkNamed(location: NamedLocation, { name, type }: Variable): void {
    const { mode, lines, block, leads } = location;
    const [isNumber, isText] = [type === "integer" || type === "float", type === "string" || type === "text"];
    const several = lines !== undefined || block !== undefined;
    const refuse = (problem: string): Failure => this.error(location.origin, `'${name}' is of type ${type}, ${problem}`);
    if ((mode === "count" || mode === "accumulate") && !isNumber) throw refuse(`only numbers can ${mode}`);
    if (mode === "boolean" && type !== "boolean") throw refuse("mode boolean needs a boolean");
    if (several && !isText) throw refuse("contents of several lines are texts");
    if (several && (leads || mode !== undefined))
      throw this.error(location.origin, `a content of several lines has no ${leads ? "mark behind it" : `mode ${mode}`}`);
    if (lines !== undefined && block) throw this.error(location.origin, "lines and the marks of a block exclude each other");
  }

  /** null when the path has none, or (told) none of the variable's type. */
  private filenameContent(location: FilenameLocation, variable: Variable): Value {
    const { filters: _filters, maps: _maps, length: _length, ...cut } = location;
    const reader = this.reader(variable, cut, location.origin);
    const text = filenameReader(location, variable)(this.path);
    if (text === undefined) return null;
    const value = reader.readField(variable.type === "integer" || variable.type === "float" ? (foundNumber(text) ?? text) : text);
    if (value !== undefined && !(value instanceof Fraction)) return value;
    this.notices.push(`'${text.slice(0, 80)}' in the name of the input is no ${reader.typeName} for '${variable.name}'`);
    return null;
  }

  private fixedContent(location: FixedLocation, variable: Variable): Content {
    const value = new ContentReader(variable, {}).readWhole(location.content);
    if (value !== undefined) return value;
    throw this.error(location.origin, `'${location.content.slice(0, 80)}' is no content for '${variable.name}' (${variable.type})`);
  }

  private tables(): TabularReader[] {
    const columns = this.locations.filter((location) => location.kind === "column");
    return [...new Set(columns.map((column) => column.table))].map((table) => {
      const placed = this.placedValues(table);
      const own = placed.filter((_, at) => columns.some((column) => column.value === table.values[at]));
      return new TabularReader(
        table,
        own.map((value) => this.column(table, value)),
        anyMarker(table.rows),
        this.foreign,
      );
    });
  }

  /** The columns of a table with positions that are no longer relative. */
  private placedValues(table: TableLocation): TableValue[] {
    const { rows, start, separator, blanks, columns = Number.POSITIVE_INFINITY } = table;
    if (rows.length === 0 && start > 1) throw this.error(table.origin, "lines can only be left out behind a row");
    if (separator !== undefined && blanks !== undefined) throw this.error(table.origin, "blanks and a separator exclude each other");
    const places: (number | undefined)[] = [0];
    return table.values.map((value, at) => {
      const number = placeOf(value, places[at]);
      places.push(number);
      if (number === undefined) {
        if (value.position.kind === "relative")
          throw this.error(value.origin, "the position counts from a column whose number is not known");
        if (value.typed && separator !== undefined) throw this.error(value.origin, "typed entries cannot be counted between separators");
        return value;
      }
      if (number < 1 || number > columns) throw this.error(value.origin, `the table has no entry ${number}`);
      return { ...value, position: { kind: "number", number } };
    });
  }

  private column({ blanks }: TableLocation, value: TableValue): TableColumn {
    const variable = this.variable(value);
    if (variable.occurrence === "once") {
      throw this.error(value.origin, `'${variable.name}' is once per run, a column of a table has many contents`, {
        advice: "use NAMED or EXPL, or occurrence=multiple",
      });
    }
    const cut = blanks === undefined ? value : { ...value, blanks };
    return new TableColumn(cut, this.reader(variable, cut, value.origin), this.variables.indexOf(variable));
  }

  /** Locations with a content, or tables with a row, that begin a run. */
  private separating(slots: readonly Slot[]): Separator[] {
    const singles = [...this.locations, ...this.overruled].filter((location) => location.kind === "named" || location.kind === "explicit");
    const columns = [...this.locations, ...this.overruled].filter((location) => location.kind === "column");
    const tables = new Set(columns.map(({ table }) => table).filter(({ separates }) => separates));
    return [
      ...singles.filter(({ separates }) => separates).map((mark) => this.separatorAt(mark, true, 0, slots)),
      ...[...tables].map(({ rows }): Separator => ({ run: true, marker: anyMarker(rows), slot: undefined, skip: 0 })),
    ];
  }

  private separator({ mark, run, skip = 0, origin }: Separation, slots: readonly Slot[]): Separator {
    if (mark.kind !== "named") return { run, marker: markerOf(mark), slot: undefined, skip };
    const variable = this.variable(mark);
    if (variable.occurrence === "once" && !run) {
      throw this.error(origin, `'${variable.name}' is once per run and cannot separate the sets of a run`, {
        advice: "add run=yes, or make it occurrence=multiple",
      });
    }
    return this.separatorAt(mark, run, skip, slots);
  }

  private separatorAt(mark: Sought, run: boolean, skip: number, slots: readonly Slot[]): Separator {
    const variable = this.variable(mark);
    const slot = slots.find((each) => each.variable === variable && each.finder);
    return { run, skip, slot, marker: slot ? undefined : this.overruledMarker(mark, variable) };
  }

  private overruledMarker(mark: Sought, variable: Variable): Marker {
    const own = this.overruled.find((location) => location.kind === "named" && this.variable(location) === variable);
    const location = own?.kind === "named" ? own : mark;
    const finder = this.finder(location, this.reader(variable, location, location.origin));
    return {
      literals: finder.literals,
      get everyLine() {
        return finder.everyLine;
      },
      nextRow: (from) => wantedRow(finder, from),
      marks: (line) => gives(finder, line),
    };
  }

  private derived(): Derived[] {
    const locations = this.locations.filter((location) => location.kind === "derived");
    const given = new Set([
      ...this.fixed.keys(),
      ...this.locations.filter(({ kind }) => kind !== "derived").map((each) => this.variable(each).name),
    ]);
    return locations.map((location) => {
      const variable = this.variable(location);
      const typeOf = (name: string): Variable => this.variable({ name, origin: location.origin });
      const derived = derivedOf(location, variable, this.variables.indexOf(variable), typeOf);
      for (const name of derived.operands) this.checkOperand(location, variable, typeOf(name), given);
      given.add(variable.name);
      return derived;
    });
  }

  private checkOperand({ origin, name }: DerivedLocation, variable: Variable, operand: Variable, given: ReadonlySet<string>): void {
    if (!given.has(operand.name))
      throw this.error(origin, `nothing before this line gives '${operand.name}', which '${name}' is derived from`);
    if (variable.occurrence === "once" && operand.occurrence === "multiple")
      throw this.error(origin, `'${name}' is once per run, but '${operand.name}', which it is derived from, is not`);
  }
}

/** The number of the column; undefined when it is not known before the table is read. */
function placeOf({ position, typed }: TableValue, before: number | undefined): number | undefined {
  if (typed || position.kind === "keyword") return undefined;
  if (position.kind === "number") return position.number;
  return before === undefined ? undefined : before + position.offset;
}

/** Several named locations of a variable: the first content counts. */
function areAlternatives(one: Located, other: Located): boolean {
  return one.kind === "named" && other.kind === "named" && one.mode === undefined && other.mode === undefined;
}

/** The line gives the finder's variable a content, be it one that cannot be stored. */
export function gives(finder: Finder, line: Line): boolean {
  const value = finder.find(line);
  return value !== undefined && (!(value instanceof Misfit) || value instanceof Fraction);
}

/** A parameter that separates may have a NAMED line of its own; both say how its content is found. */
function mergeSeparating(located: readonly Located[], separating: readonly NamedLocation[]): Located[] {
  const merged: Located[] = [...located];
  for (const mark of separating) {
    const at = merged.findIndex((location) => location.kind === "named" && location.name.toLowerCase() === mark.name.toLowerCase());
    const named = merged[at];
    if (named?.kind !== "named") merged.push(mark);
    else merged[at] = { ...mark, ...named, aliases: [...named.aliases, ...mark.aliases], patterns: [...named.patterns, ...mark.patterns] };
  }
  return merged;
}
