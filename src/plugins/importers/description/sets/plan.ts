import { findVariable, type Variable } from "../../../../core/variables/index.ts";
import type { Values } from "../../../../core/values/index.ts";
import type { Experiment } from "../../../../core/experiments/index.ts";
import {
  operandOrigin,
  type DerivedLocation,
  type InputDescription,
  type InputLocation,
  type Separation,
} from "../../../../formats/descriptions/index.ts";
import { Binding } from "../binding.ts";
import { derivedOf, type Derived } from "./derived.ts";
import { hasValue } from "../finder.ts";
import { anyFinder } from "./named-finder.ts";
import {
  areAlternatives,
  filenameValue,
  finderOf,
  fixedValue,
  mergeSeparating,
  type Located,
  type Single,
  type SearchedLocation,
  tablesOf,
} from "./plan-locations.ts";
import { anyMarker, markerOf, nextSelectedRow, type Marker } from "../row-mark.ts";
import { unsupportedFeature } from "./unsupported-fields.ts";
import { Slot } from "./slot.ts";
import type { TabularReader } from "../table-reader.ts";

/** Starts a new input set or run: a row, or a new value of a parameter. */
export interface Separator {
  readonly run: boolean;
  readonly marker: Marker | undefined;
  readonly slot: Slot | undefined;
  /** The set or run starts this many lines after the mark. */
  readonly skip: number;
}

/** A description compiled for its experiment: the finders, and the columns of the rows. */
export interface Plan {
  /** The `multiple` variables that the description fills, in the order of the experiment. */
  readonly variables: readonly Variable[];
  readonly slots: readonly Slot[];
  readonly tables: readonly TabularReader[];
  readonly separators: readonly Separator[];
  /** In order of evaluation. */
  readonly derived: readonly Derived[];
  /** Notices to report before the first line is read. */
  readonly notices: readonly string[];
  /** Names that are searched, for the message that nothing was found. */
  readonly searched: readonly string[];
}

/**
 * Compiles a description for an experiment. Fails with `description-error` where they do not agree. `path` is that of
 * the input as the user typed it.
 */
export function planOf(
  description: InputDescription,
  experiment: Experiment,
  fixed: Values,
  foreign: () => void,
  path = "",
): Plan {
  return new Planner(description, experiment, fixed, foreign, path).plan();
}

class Planner {
  readonly #binding: Binding;
  readonly #experiment: Experiment;
  readonly #fixed: Values;
  readonly #foreign: () => void;
  readonly #path: string;
  readonly #notices: string[] = [];
  readonly #separations: readonly Separation[];
  readonly #locations: readonly Located[];
  /** Locations of values that the user fixed; their lines may still separate. */
  readonly #overruled: readonly Located[];
  #variables: readonly Variable[] = [];

  constructor(description: InputDescription, experiment: Experiment, fixed: Values, foreign: () => void, path: string) {
    this.#binding = new Binding(description.file, experiment);
    this.#experiment = experiment;
    this.#foreign = foreign;
    this.#path = path;
    for (const location of description.locations) this.#refuseForeign(location);
    this.#separations = description.locations.filter((location) => location.kind === "separation");
    const located = description.locations.flatMap((location) => this.#located(location));
    this.#fixed = new Map(
      [...fixed].map(([name, value]) => [findVariable(experiment.variables, name)?.name ?? name, value]),
    );
    const separating = this.#separations.map((each) => each.mark).filter((mark) => mark.kind === "named");
    const merged = mergeSeparating(located, separating);
    this.#locations = merged.filter((location) => !this.#isFixed(location));
    this.#overruled = merged.filter((location) => this.#isFixed(location));
  }

  plan(): Plan {
    this.#variables = this.#filledVariables();
    const slots = [...this.#fixedSlots(), ...this.#slots()];
    return {
      variables: this.#variables,
      slots,
      tables: tablesOf(
        this.#binding,
        this.#locations.filter((location) => location.kind === "column"),
        this.#variables,
        this.#foreign,
      ),
      separators: [
        ...this.#separations.map((separation) => this.#separator(separation, slots)),
        ...this.#separating(slots),
      ],
      derived: this.#derived(),
      notices: this.#notices,
      searched: this.#locations
        .filter(({ kind }) => kind === "named" || kind === "explicit" || kind === "column")
        .map(({ name }) => name),
    };
  }

  #refuseForeign(location: InputLocation): void {
    const columns = location.kind === "table" ? location.values : [];
    const marks = location.kind === "separation" && location.mark.kind === "named" ? [location.mark] : [];
    for (const each of [location, ...marks, ...columns]) {
      const foreign = unsupportedFeature(each);
      if (foreign === undefined) continue;
      throw this.#binding.error(each.origin, `${foreign} is not supported by the rules 'sets'`, {
        advice: "begin the description with RULES stream",
      });
    }
  }

  #located(location: InputLocation): Located[] {
    switch (location.kind) {
      case "separation":
        return [];
      case "table":
        return location.values.map((value) => ({
          kind: "column",
          table: location,
          name: value.name,
          value,
          origin: value.origin,
        }));
      case "split":
        return [];
      default:
        return [location];
    }
  }

  #isFixed(location: Located): boolean {
    return this.#fixed.has(this.#binding.variable(location).name);
  }

  /** Every variable has one location or several named ones; values fixed by the user have none here. */
  #filledVariables(): Variable[] {
    const seen = new Map<string, Located>();
    for (const location of this.#locations) {
      const { name } = this.#binding.variable(location);
      const before = seen.get(name);
      if (before && !areAlternatives(before, location))
        throw this.#binding.error(location.origin, `'${name}' has a location already, at line ${before.origin.line}`);
      seen.set(name, location);
    }
    return this.#experiment.variables.filter(
      (variable) => variable.occurrence === "multiple" && (seen.has(variable.name) || this.#fixed.has(variable.name)),
    );
  }

  #fixedSlots(): Slot[] {
    return [...this.#fixed].map(([name, value]) => {
      const variable = this.#binding.variable({ name, origin: { line: 1, column: 1 } });
      return new Slot(variable, undefined, this.#variables.indexOf(variable), value);
    });
  }

  /** One slot per variable with single values, in the order of the description. */
  #slots(): Slot[] {
    const singles = this.#locations.filter((location) => location.kind !== "column" && location.kind !== "derived");
    const groups = new Map<Variable, Single[]>();
    for (const location of singles) {
      const variable = this.#binding.variable(location);
      groups.set(variable, [...(groups.get(variable) ?? []), location]);
    }
    return [...groups].map(([variable, locations]) => this.#slot(variable, locations));
  }

  #slot(variable: Variable, locations: readonly Single[]): Slot {
    const target = this.#variables.indexOf(variable);
    const [first] = locations;
    if (first?.kind === "fixed")
      return new Slot(variable, undefined, target, fixedValue(this.#binding, first, variable));
    if (first?.kind === "filename")
      return new Slot(
        variable,
        undefined,
        target,
        filenameValue(this.#binding, first, variable, this.#path, (notice) => this.#notices.push(notice)),
      );
    const sought = locations.filter((location) => location.kind === "named" || location.kind === "explicit");
    const finders = sought.map((location) =>
      finderOf(this.#binding, location, this.#binding.reader(variable, location, location.origin)),
    );
    return new Slot(variable, anyFinder(finders), target, null, first?.kind === "named" ? first.mode : undefined);
  }

  /** Locations and tables whose values or rows start a run. */
  #separating(slots: readonly Slot[]): Separator[] {
    const singles = [...this.#locations, ...this.#overruled].filter(
      (location) => location.kind === "named" || location.kind === "explicit",
    );
    const columns = [...this.#locations, ...this.#overruled].filter((location) => location.kind === "column");
    const tables = new Set(columns.map(({ table }) => table).filter(({ startsRun }) => startsRun));
    return [
      ...singles.filter(({ startsRun }) => startsRun).map((mark) => this.#separatorAt(mark, true, 0, slots)),
      ...[...tables].map(({ rows }): Separator => ({ run: true, marker: anyMarker(rows), slot: undefined, skip: 0 })),
    ];
  }

  #separator({ mark, run, skip = 0, origin }: Separation, slots: readonly Slot[]): Separator {
    if (mark.kind !== "named") return { run, marker: markerOf(mark), slot: undefined, skip };
    const variable = this.#binding.variable(mark);
    if (variable.occurrence === "once" && !run) {
      throw this.#binding.error(origin, `'${variable.name}' is once per run and cannot separate the sets of a run`, {
        advice: "add run=yes, or make it occurrence=multiple",
      });
    }
    return this.#separatorAt(mark, run, skip, slots);
  }

  #separatorAt(mark: SearchedLocation, run: boolean, skip: number, slots: readonly Slot[]): Separator {
    const variable = this.#binding.variable(mark);
    const slot = slots.find((each) => each.variable === variable && each.finder);
    return { run, skip, slot, marker: slot ? undefined : this.#overruledMarker(mark, variable) };
  }

  #overruledMarker(mark: SearchedLocation, variable: Variable): Marker {
    const own = this.#overruled.find(
      (location) => location.kind === "named" && this.#binding.variable(location) === variable,
    );
    const location = own?.kind === "named" ? own : mark;
    const finder = finderOf(this.#binding, location, this.#binding.reader(variable, location, location.origin));
    return {
      literals: finder.literals,
      get everyLine() {
        return finder.everyLine;
      },
      nextRow: (from) => nextSelectedRow(finder, from),
      marks: (line) => hasValue(finder, line),
    };
  }

  #derived(): Derived[] {
    const locations = this.#locations.filter((location) => location.kind === "derived");
    const given = new Set([
      ...this.#fixed.keys(),
      ...this.#locations.filter(({ kind }) => kind !== "derived").map((each) => this.#binding.variable(each).name),
    ]);
    return locations.map((location) => {
      const variable = this.#binding.variable(location);
      const typeOf = (name: string): Variable =>
        this.#binding.variable({ name, origin: operandOrigin(location.origin, name) });
      const derived = derivedOf(location, variable, this.#variables.indexOf(variable), typeOf);
      for (const name of derived.operands) this.#checkOperand(location, variable, typeOf(name), given);
      given.add(variable.name);
      return derived;
    });
  }

  #checkOperand(
    { origin, name }: DerivedLocation,
    variable: Variable,
    operand: Variable,
    given: ReadonlySet<string>,
  ): void {
    if (!given.has(operand.name))
      throw this.#binding.error(
        origin,
        `no location before this line sets '${operand.name}', from which '${name}' is derived`,
      );
    if (variable.occurrence === "once" && operand.occurrence === "multiple")
      throw this.#binding.error(origin, `'${name}' is once per run, but its operand '${operand.name}' is not`);
  }
}
