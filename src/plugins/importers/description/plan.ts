import { Failure, isFailure } from "../../../core/errors.ts";
import { findVariable, type Variable } from "../../../core/variable.ts";
import { Misfit } from "../../../core/misfit.ts";
import type { Values } from "../../../core/value.ts";
import type { Experiment } from "../../../core/experiment.ts";
import { nearest } from "../../../core/near-names.ts";
import type {
  Cut,
  ExplicitLocation,
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
import { explicitFinder } from "./explicit.ts";
import type { Line } from "./line.ts";
import { namedFinder, type Finder } from "./named.ts";
import { markerOf, type Marker } from "./row-mark.ts";
import { Slot } from "./slot.ts";
import { TableColumn } from "./table-column.ts";
import { TabularReader } from "./tabular.ts";

/** Begins a new input set, or run: a row, or new content of a parameter. */
export interface Separator {
  readonly run: boolean;
  readonly marker: Marker | undefined;
  readonly slot: Slot | undefined;
}

/** A description bound to its experiment: who looks for what, and which columns the rows have. */
export interface Plan {
  /** The `multiple` variables that the description fills, in the order of the experiment. */
  readonly variables: readonly Variable[];
  readonly slots: readonly Slot[];
  readonly tables: readonly TabularReader[];
  readonly separators: readonly Separator[];
  /** What is looked for, for the message that nothing was found. */
  readonly looked: readonly string[];
}

type Single = NamedLocation | ExplicitLocation | FixedLocation;
/** A place where contents of one variable stand. */
type Located =
  | Single
  | { readonly kind: "column"; readonly table: TableLocation; readonly name: string; readonly value: TableValue; readonly origin: Origin };

/** Fails with `description-error` where the description and the experiment do not agree. */
export function planOf(description: InputDescription, experiment: Experiment, fixed: Values, foreign: () => void): Plan {
  return new Planner(description, experiment, fixed, foreign).plan();
}

class Planner {
  private readonly file: string;
  private readonly experiment: Experiment;
  private readonly fixed: Values;
  private readonly foreign: () => void;
  private readonly separations: readonly Separation[];
  private readonly locations: readonly Located[];
  /** The single contents that the user fixed; the lines that would give them may separate still. */
  private readonly overruled: readonly Located[];
  private variables: readonly Variable[] = [];

  constructor(description: InputDescription, experiment: Experiment, fixed: Values, foreign: () => void) {
    this.file = description.file;
    this.experiment = experiment;
    this.foreign = foreign;
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
    const slots = [...this.fixedSlots(), ...this.locations.filter((each) => each.kind !== "column").map((location) => this.slot(location))];
    return {
      variables: this.variables,
      slots,
      tables: this.tables(),
      separators: this.separations.map((separation) => this.separator(separation, slots)),
      looked: this.locations.filter((location) => location.kind !== "fixed").map((location) => location.name),
    };
  }

  private located(location: InputLocation): Located[] {
    switch (location.kind) {
      case "separation":
        return [];
      case "table":
        return location.values.map((value) => ({ kind: "column", table: location, name: value.name, value, origin: value.origin }));
      case "named":
      case "explicit":
      case "fixed":
        return [location];
      default:
        throw this.error(location.origin, `the rules 'sets' have no ${location.kind} location`);
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

  /** Every variable has one location at most; those of the user's fixed contents are gone already. */
  private filledVariables(): Variable[] {
    const seen = new Map<string, Located>();
    for (const location of this.locations) {
      const { name } = this.variable(location);
      const before = seen.get(name);
      if (before) throw this.error(location.origin, `'${name}' has a location already, at line ${before.origin.line}`);
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

  private slot(location: Single): Slot {
    const variable = this.variable(location);
    const target = this.variables.indexOf(variable);
    if (location.kind === "fixed") return new Slot(variable, undefined, target, this.fixedContent(location, variable));
    return new Slot(variable, this.finder(location, this.reader(variable, location, location.origin)), target);
  }

  private finder(location: NamedLocation | ExplicitLocation, reader: ContentReader): Finder {
    return location.kind === "named" ? namedFinder(location, reader) : explicitFinder(location, reader);
  }

  private fixedContent(location: FixedLocation, variable: Variable): Content {
    const value = new ContentReader(variable, {}).readWhole(location.content);
    if (value !== undefined) return value;
    throw this.error(location.origin, `'${location.content.slice(0, 80)}' is no content for '${variable.name}' (${variable.type})`);
  }

  private tables(): TabularReader[] {
    const columns = this.locations.filter((location) => location.kind === "column");
    return [...new Set(columns.map((column) => column.table))].map((table) => {
      const [row] = table.rows;
      const own = columns.filter((column) => column.table === table).map((column) => this.column(table, column.value));
      return new TabularReader(table, own, row && markerOf(row), this.foreign);
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

  private separator({ mark, run, origin }: Separation, slots: readonly Slot[]): Separator {
    if (mark.kind !== "named") return { run, marker: markerOf(mark), slot: undefined };
    const variable = this.variable(mark);
    const slot = slots.find((each) => each.variable === variable && each.finder);
    if (variable.occurrence === "once" && !run) {
      throw this.error(origin, `'${variable.name}' is once per run and cannot separate the sets of a run`, {
        advice: "add run=yes, or make it occurrence=multiple",
      });
    }
    return slot ? { run, marker: undefined, slot } : { run, marker: this.overruledMarker(mark, variable), slot: undefined };
  }

  private overruledMarker(mark: NamedLocation, variable: Variable): Marker {
    const own = this.overruled.find((location) => location.kind === "named" && this.variable(location) === variable);
    const location = own?.kind === "named" ? own : mark;
    const finder = this.finder(location, this.reader(variable, location, location.origin));
    return { ...finder, marks: (line) => gives(finder, line) };
  }
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
