import type { Value } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type {
  Cut,
  FilenameLocation,
  InputLocation,
  NamedLocation,
  Origin,
  SplitLocation,
  TableLocation,
  TableValue,
} from "../../../../formats/descriptions/index.ts";
import { Binding } from "../binding.ts";
import type { DerivedRules } from "../derived.ts";
import { explicitFinder } from "../finders/explicit-finder.ts";
import { filenameReader } from "../filename-reader.ts";
import type { Source } from "../finders/finder.ts";
import type { Locator } from "../finders/locator.ts";
import { Planner, type Plan, type PlanRules, type PlanSink } from "../plan.ts";
import { markerOf, type Marker } from "../row-mark.ts";
import type { DescribedInput } from "../rules.ts";
import { Slot, type SlotRules } from "../slot.ts";
import type { CellReader } from "../tables/table-column.ts";
import { Split, type SplitEdge } from "./split.ts";
import { fitsType, isAliased, StreamCells, streamLocators, streamReader } from "./stream-values.ts";
import { isDelimited } from "../tables/table-shapes.ts";
import type { EntryReader } from "../tables/line-table.ts";
import { severalNumbers } from "../values/number-doubts.ts";
import { TypedText } from "./typed-text.ts";

/** A mark that starts a run; its first `skip` matches are ignored. */
export interface RunMark {
  readonly marker: Marker;
  readonly skip: number;
}

/** `slots` are in order of precedence. */
export interface StreamPlan extends Plan {
  /** Slots from this index on rank below the columns of tables. */
  readonly afterTables: number;
  readonly splits: readonly Split[];
  readonly separations: readonly RunMark[];
}

/** Maximum distance of a trigger from its mark, in lines. */
const mostPrecedingLines = 1000;

const planRules: PlanRules = {
  tables: { skipsPunctuation: false, headingsYield: true, misfitEnds: false, waits: false, restarts: false },
  strictPositions: false,
  endsInSkipped: true,
  keepsCut: true,
  convertsLooseBinary: false,
};

/** Fails with `description-error` where the description and the experiment do not agree. */
export function streamPlanOf(input: DescribedInput, sink: PlanSink): StreamPlan {
  return new StreamPlanner(input, sink).plan();
}

class StreamPlanner extends Planner {
  readonly #path: string | undefined;

  constructor({ description, experiment, fixed, path, shapes }: DescribedInput, sink: PlanSink) {
    super(new Binding(description, experiment, fixed), planRules, sink, shapes);
    this.#path = path;
  }

  plan(): StreamPlan {
    const { binding } = this;
    const before = [...this.#given(), ...this.#named(), ...this.#filenames(), ...this.#explicit()];
    const splits = this.of("split").map((location) => this.#split(location));
    const constants = this.of("fixed").map((each) => this.#constant(binding.variable(each), this.fixedValue(each)));
    const separations = this.#separations();
    const tables = this.tables();
    return {
      variables: binding.variables,
      slots: [...before, ...constants, ...splits.flatMap(({ slots }) => slots)],
      afterTables: before.length,
      tables,
      splits: splits.map(({ split }) => split),
      derived: this.of("derived").map((each) => this.derived(each, (variable) => this.#derivedRules(variable))),
      separations,
      marks: [...splits.flatMap(({ split }) => split.finders), ...separations.map(({ marker }) => marker)],
      precedingLines: Math.max(this.#precedingLines(), this.linesBeforeTables(tables)),
      searched: binding.names(["named", "explicit", "table", "pattern", "transposed", "matrix", "filename", "split"]),
    };
  }

  #typed(variable: Variable, cut: Cut, origin: Origin): TypedText {
    return this.binding.fitting(variable, origin, () => new TypedText(variable, cut));
  }

  protected cells(value: TableValue, table: TableLocation, variable: Variable): CellReader {
    if (value.typed) throw this.binding.error(value.origin, `the rules 'stream' have no typed columns`);
    return new StreamCells(this.#typed(variable, value, value.origin), isDelimited(table));
  }

  protected entries(variable: Variable, { blanks: _, ...cut }: Cut, origin: Origin): EntryReader {
    const typed = this.#typed(variable, cut, origin);
    const doubt: EntryReader["doubt"] = (text) =>
      typed.doubt ?? (hasUnits(variable.type) ? severalNumbers(text, cut) : undefined);
    return { variable, typeName: variable.type, read: (text, line) => typed.read(text, line), doubt };
  }

  protected locators(location: NamedLocation, variable: Variable): Locator[] {
    return streamLocators(location, variable);
  }

  #slot(variable: Variable, parts: { rules?: SlotRules; sources?: readonly Source[]; constant?: Value }): Slot {
    const typed = new TypedText(variable, {});
    const fit: Slot["fit"] = (value, line) => typed.fit(value, line);
    return new Slot({ variable, target: this.binding.target(variable), fit, ...parts });
  }

  /** Values that the user fixed. */
  #given(): Slot[] {
    const values = [...this.binding.fixed].filter(([, value]) => value !== null);
    return values.map(([variable, value]) => this.#constant(variable, value));
  }

  #constant(variable: Variable, constant: Value): Slot {
    return this.#slot(variable, { constant });
  }

  #named(): Slot[] {
    return this.of("named").map((location) => {
      const variable = this.binding.variable(location);
      return this.#slot(variable, { rules: location, sources: [this.#namedSource(location, variable)] });
    });
  }

  #namedSource(location: NamedLocation, variable: Variable): Source {
    const { leads, origin, triggers = [] } = location;
    const typed = this.#typed(variable, this.withUnitOfKeyword(location, variable), origin);
    this.#checkMode(location, variable);
    const far = triggers.find(({ skip }) => Math.abs(skip) > mostPrecedingLines);
    if (far)
      throw this.binding.error(
        origin,
        `the trigger of '${variable.name}' is more than ${mostPrecedingLines} lines away (${far.skip})`,
      );
    return {
      finder: this.namedFinder(location, variable),
      reader: streamReader(typed, location, isAliased(location), leads),
    };
  }

  /** Fails unless counts and sums have numbers, and multi-line texts a text type. */
  #checkMode({ mode, lines, block, origin }: NamedLocation, { name, type }: Variable): void {
    const isText = type === "string" || type === "text";
    if ((mode === "count" || mode === "accumulate") && !hasUnits(type))
      throw this.binding.error(origin, `'${name}' is not a number (${type}) and cannot ${mode}`);
    if (mode === "boolean" && type !== "boolean")
      throw this.binding.error(origin, `'${name}' is ${type}, the mode needs a boolean`);
    if (mode === undefined && (lines !== undefined || block) && !isText)
      throw this.binding.error(origin, `'${name}' is ${type}: only a string or a text has many lines`);
  }

  #explicit(): Slot[] {
    return this.of("explicit").map((location) => {
      const variable = this.binding.variable(location);
      return this.#slot(variable, { rules: location, sources: [this.#explicitSource(location, variable)] });
    });
  }

  #explicitSource(location: Extract<InputLocation, { kind: "explicit" }>, variable: Variable): Source {
    const typed = this.#typed(variable, location, location.origin);
    const finder = explicitFinder(location, fitsType(variable), undefined);
    return { finder, reader: streamReader(typed, location, false) };
  }

  #filenames(): Slot[] {
    return this.of("filename").flatMap((location) => this.#filename(location) ?? []);
  }

  #filename(location: FilenameLocation): Slot | undefined {
    const variable = this.binding.variable(location);
    this.#typed(variable, location, location.origin);
    const {
      filters: _filters,
      maps: _maps,
      escapes: _escapes,
      length: _length,
      blanks: _blanks,
      ...unshaped
    } = location;
    const text = this.#path === undefined ? undefined : filenameReader(location, variable)(this.#path);
    const value = text === undefined ? undefined : new TypedText(variable, unshaped).read(text, 0);
    return value === undefined ? undefined : this.#constant(variable, value);
  }

  #split(location: SplitLocation): { split: Split; slots: Slot[] } {
    const slots = location.stores.map(({ name }) => {
      const variable = this.binding.variable({ name, origin: location.origin });
      const rules = { sticky: false as const, ...(location.update ? { update: location.update } : {}) };
      return this.#slot(variable, { rules });
    });
    const stores = location.stores.map(({ store }, at) => ({ slot: slots[at] as Slot, store }));
    const edges = (side: readonly InputLocation[]): SplitEdge[] => side.map((each) => this.#splitEdge(each));
    return { split: new Split(edges(location.enter), edges(location.leave), stores), slots };
  }

  #splitEdge(location: InputLocation): SplitEdge {
    if (location.kind !== "named" && location.kind !== "explicit")
      throw this.binding.error(location.origin, `a split location cannot have a ${location.kind} location`);
    const variable = this.binding.variable(location);
    const source =
      location.kind === "named" ? this.#namedSource(location, variable) : this.#explicitSource(location, variable);
    return { variable, source, storesRow: location.storesRow ?? false };
  }

  #derivedRules(variable: Variable): DerivedRules {
    const typed = new TypedText(variable, {});
    return {
      number: (value, line) => typed.fit(value, line),
      text: (text, line) => typed.read(text, line) ?? null,
    };
  }

  #separations(): RunMark[] {
    return this.of("separation").map(({ mark, skip = 0, origin }) => {
      if (mark.kind === "named")
        throw this.binding.error(origin, `the rules 'stream' separate by a keyword or a pattern`);
      return { marker: markerOf(mark), skip };
    });
  }

  #precedingLines(): number {
    const nested = this.of("split").flatMap(({ enter, leave }) => this.of("named", [...enter, ...leave]));
    const named = [...this.of("named"), ...nested];
    return Math.max(0, ...named.flatMap(({ triggers = [] }) => triggers.map(({ skip }) => -skip)));
  }
}
