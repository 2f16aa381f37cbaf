import { badValue, InvalidValue, readValue, type Value } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import {
  filledVariables,
  type Cut,
  type Origin,
  type DerivedLocation,
  type ExplicitLocation,
  type FilenameLocation,
  type FixedLocation,
  type InputLocation,
  type NamedLocation,
  type Separation,
  type TableLocation,
  type TableValue,
} from "../../../../formats/descriptions/index.ts";
import { Binding, type Named } from "../binding.ts";
import type { Derived, DerivedRules } from "../derived.ts";
import { explicitFinder } from "../finders/explicit-finder.ts";
import type { Source } from "../finders/finder.ts";
import type { Locator } from "../finders/locator.ts";
import { Planner, type Plan, type PlanRules, type PlanSink } from "../plan.ts";
import { anyMarker, markerOf } from "../row-mark.ts";
import type { DescribedInput } from "../rules.ts";
import { Slot, type SlotRules } from "../slot.ts";
import type { CellReader } from "../tables/table-column.ts";
import { isDelimited } from "../tables/table-shapes.ts";
import type { EntryReader } from "../tables/line-table.ts";
import { severalNumbers } from "../values/number-doubts.ts";
import { UnfitNumber, ValueReader } from "../value-reader.ts";
import { checkLocations, checkNamed, filenameValue, joinSeparating, refuseUnsupported } from "./set-locations.ts";
import { Separators, type Separator } from "./separators.ts";
import { entryReader, MarkedValues, SetCells, setLocators } from "./set-values.ts";

export interface SetPlan extends Plan {
  readonly separators: Separators;
  /** Notices to report before the first line is read. */
  readonly notices: readonly string[];
}

type Searched = NamedLocation | ExplicitLocation;
type Single = Searched | FixedLocation | FilenameLocation;

const planRules: PlanRules = {
  tables: { skipsPunctuation: true, headingsYield: false, misfitEnds: true, waits: true, restarts: true },
  strictPositions: true,
  endsInSkipped: false,
  keepsCut: false,
  convertsLooseBinary: true,
};

/** Fails with `description-error` where the description and the experiment do not agree. */
export function setPlanOf(input: DescribedInput, sink: PlanSink): SetPlan {
  return new SetPlanner(input, sink).plan();
}

class SetPlanner extends Planner {
  readonly #path: string;
  readonly #notices: string[] = [];
  readonly #locations: readonly InputLocation[];

  constructor({ description, experiment, fixed, path = "", shapes }: DescribedInput, sink: PlanSink) {
    refuseUnsupported(description);
    const locations = joinSeparating(description.locations);
    super(new Binding({ ...description, locations }, experiment, fixed), planRules, sink, shapes);
    this.#path = path;
    this.#locations = locations;
  }

  plan(): SetPlan {
    const { binding } = this;
    checkLocations(binding);
    const slots = [...this.#fixedSlots(), ...this.#slots()];
    const tables = this.tables();
    const separators = new Separators([
      ...this.of("separation").map((separation) => this.#separator(separation, slots)),
      ...this.#startingRuns(slots),
    ]);
    return {
      variables: binding.variables,
      slots,
      tables,
      separators,
      marks: separators.seekers,
      derived: this.#derived(),
      precedingLines: this.linesBeforeTables(tables),
      notices: this.#notices,
      searched: binding.names(["named", "explicit", "table", "pattern", "transposed", "matrix"]),
    };
  }

  #reader(
    variable: Variable,
    location: ConstructorParameters<typeof ValueReader>[1] & Pick<Named, "origin">,
  ): ValueReader {
    return this.binding.fitting(variable, location.origin, () => new ValueReader(variable, location));
  }

  protected cells(value: TableValue, location: TableLocation, variable: Variable): CellReader {
    const { binding } = this;
    const { blanks, separator, origin, ...table } = location;
    if (table.rows.length === 0 && table.start > 1)
      throw binding.error(origin, "only a table with a start row can skip lines");
    if (separator !== undefined && blanks !== undefined)
      throw binding.error(origin, "blanks and a separator exclude each other");
    if (value.typed && separator !== undefined)
      throw binding.error(value.origin, "typed entries cannot be counted between separators");
    if (variable.occurrence === "once") {
      throw binding.error(value.origin, `'${variable.name}' is once per run, a table column has many values`, {
        advice: "use NAMED or EXPL, or occurrence=multiple",
      });
    }
    const reader = this.#reader(variable, blanks === undefined ? value : { ...value, blanks });
    return new SetCells(reader, isDelimited(location), blanks);
  }

  protected entries(variable: Variable, { blanks: _, ...cut }: Cut, origin: Origin): EntryReader {
    const reader = this.#reader(variable, { ...cut, origin });
    const read: EntryReader["read"] = (text, line) => {
      const value = reader.readField(text);
      if (value instanceof UnfitNumber) throw value.at(line);
      return value;
    };
    const isNumber = hasUnits(variable.type);
    const doubt: EntryReader["doubt"] = (text) => (isNumber ? (severalNumbers(text, cut) ?? reader.loss) : undefined);
    return { variable, typeName: reader.typeName, read, doubt };
  }

  protected locators(location: NamedLocation, variable: Variable): Locator[] {
    return setLocators(location, variable);
  }

  #slot(variable: Variable, parts: { rules?: SlotRules; sources?: readonly Source[]; constant?: Value }): Slot {
    return new Slot({ variable, target: this.binding.target(variable), fit: sumRule(variable), ...parts });
  }

  #fixedSlots(): Slot[] {
    return [...this.binding.fixed].map(([variable, constant]) => this.#slot(variable, { constant }));
  }

  /** One slot per variable with single values, in the order of the description. */
  #slots(): Slot[] {
    const groups = new Map<Variable, Single[]>();
    for (const location of this.binding.locations) {
      if (!isSingle(location)) continue;
      const variable = this.binding.variable(location);
      groups.set(variable, [...(groups.get(variable) ?? []), location]);
    }
    return [...groups].map(([variable, locations]) => this.#slotOf(variable, locations));
  }

  #slotOf(variable: Variable, locations: readonly Single[]): Slot {
    const [first] = locations;
    if (first?.kind === "fixed") return this.#slot(variable, { constant: this.fixedValue(first) });
    if (first?.kind === "filename") {
      const { filters: _filters, maps: _maps, length: _length, ...cut } = first;
      const reader = this.#reader(variable, cut);
      const report = (notice: string): unknown => this.#notices.push(notice);
      return this.#slot(variable, { constant: filenameValue(first, reader, this.#path, report) });
    }
    const sources = locations.filter(isSearched).map((location) => this.#source(location, variable));
    const mode = first?.kind === "named" ? first.mode : undefined;
    return this.#slot(variable, { sources, rules: mode === undefined ? {} : { mode } });
  }

  #source(given: Searched, variable: Variable): Source {
    const location = given.kind === "named" ? this.withUnitOfKeyword(given, variable) : given;
    const reader = this.#reader(variable, location);
    if (location.kind === "explicit")
      return {
        finder: explicitFinder(location, (word) => reader.fits(word), { text: "" }),
        reader: entryReader(reader, location),
      };
    checkNamed(this.binding, location, variable);
    return { finder: this.namedFinder(location, variable), reader: new MarkedValues(reader, location) };
  }

  /** Locations and tables whose values or rows start a run. */
  #startingRuns(slots: readonly Slot[]): Separator[] {
    const singles = this.#locations.filter((location) => isSearched(location) && location.startsRun === true);
    const tables = this.of("table", this.#locations).filter(({ startsRun }) => startsRun);
    return [
      ...singles.filter(isSearched).map((mark) => this.#separatorAt(mark, true, 0, slots)),
      ...tables.map(({ rows }) => ({ run: true, marker: anyMarker(rows), slot: undefined, sources: [], skip: 0 })),
    ];
  }

  #separator({ mark, run, skip = 0, origin }: Separation, slots: readonly Slot[]): Separator {
    if (mark.kind !== "named") return { run, marker: markerOf(mark), slot: undefined, sources: [], skip };
    const variable = this.binding.variable(mark);
    if (variable.occurrence === "once" && !run) {
      throw this.binding.error(origin, `'${variable.name}' is once per run and cannot separate the sets of a run`, {
        advice: "add run=yes, or make it occurrence=multiple",
      });
    }
    return this.#separatorAt(mark, run, skip, slots);
  }

  #separatorAt(mark: Searched, run: boolean, skip: number, slots: readonly Slot[]): Separator {
    const variable = this.binding.variable(mark);
    const slot = slots.find((each) => each.variable === variable && each.sources.length > 0);
    if (slot) slot.separates = true;
    return { run, skip, slot, marker: undefined, sources: slot?.sources ?? [this.#overruled(mark, variable)] };
  }

  /** The location of a value that the user fixed: its lines separate nevertheless. */
  #overruled(mark: Searched, variable: Variable): Source {
    const own = this.of("named", this.binding.overruled).find((each) => this.binding.variable(each) === variable);
    return this.#source(own ?? mark, variable);
  }

  #derived(): Derived[] {
    const { binding } = this;
    const given = new Set([
      ...binding.fixed.keys(),
      ...binding.locations
        .filter(({ kind }) => kind !== "derived")
        .flatMap(filledVariables)
        .map((each) => binding.variable(each)),
    ]);
    return this.of("derived").map((location) => {
      const derived = this.derived(location, derivedRules);
      for (const operand of derived.operands.values()) this.#checkOperand(location, derived.variable, operand, given);
      given.add(derived.variable);
      return derived;
    });
  }

  #checkOperand(
    { origin, name }: DerivedLocation,
    variable: Variable,
    operand: Variable,
    given: ReadonlySet<Variable>,
  ): void {
    if (!given.has(operand))
      throw this.binding.error(
        origin,
        `no location before this line sets '${operand.name}', from which '${name}' is derived`,
      );
    if (variable.occurrence === "once" && operand.occurrence === "multiple")
      throw this.binding.error(origin, `'${name}' is once per run, but its operand '${operand.name}' is not`);
  }
}

function isSearched(location: InputLocation): location is Searched {
  return location.kind === "named" || location.kind === "explicit";
}

function isSingle(location: InputLocation): location is Single {
  return isSearched(location) || location.kind === "fixed" || location.kind === "filename";
}

/** Fails with `bad-content` when an integer sum exceeds 2^53. */
function sumRule(variable: Variable): Slot["fit"] {
  return (sum, line) => {
    if (variable.type !== "integer" || Number.isSafeInteger(sum)) return sum;
    throw badValue(String(sum), variable, "a sum beyond 2^53 is not exact", { location: `line ${line}` });
  };
}

function derivedRules(variable: Variable): DerivedRules {
  const text = (value: string): Value => parseDerived(value, variable);
  return {
    text,
    /** Integers must be integral up to rounding errors. */
    number: (value) => {
      if (variable.type === "boolean") return value !== 0;
      return hasUnits(variable.type) && variable.type !== "integer"
        ? value
        : text(String(Number(value.toPrecision(15))));
    },
  };
}

/** Fails with `bad-content`. */
function parseDerived(text: string, variable: Variable): Value {
  const value = readValue(text, variable.type, variable.size);
  if (!(value instanceof InvalidValue)) return value;
  throw badValue(text, variable, `${value.problem} (it is derived)`);
}
