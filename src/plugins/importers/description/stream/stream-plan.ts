import type { Experiment } from "../../../../core/experiments/index.ts";
import type { Value, Values } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import {
  operandOrigin,
  type DerivedLocation,
  type ExplicitLocation,
  type FilenameLocation,
  type FixedLocation,
  type InputDescription,
  type InputLocation,
  type NamedLocation,
  type SplitLocation,
  type TableLocation,
} from "../../../../formats/descriptions/index.ts";
import { ValueReader } from "../value-reader.ts";
import { filenameReader } from "../filename-reader.ts";
import { markerOf, type Marker } from "../row-mark.ts";
import { Binder } from "./binder.ts";
import { explicitFinder, namedFinder } from "./finders.ts";
import type { TextFinder } from "./text-finder.ts";
import { StreamColumn } from "./stream-column.ts";
import { namesIn, StreamDerived, StreamSlot } from "./stream-slot.ts";
import { StreamSplit, type SplitEdge } from "./stream-split.ts";
import { StreamTable, type RowSink } from "./stream-table.ts";

/** A mark that starts a run; its first `skip` matches are ignored. */
export interface RunMark {
  readonly marker: Marker;
  readonly skip: number;
}

/** A description compiled for its experiment: the finders, and the columns of the rows. */
export interface StreamPlan {
  /** The `multiple` variables that the description fills, in the order of the experiment. */
  readonly variables: readonly Variable[];
  /** In order of precedence. */
  readonly slots: readonly StreamSlot[];
  /** Slots from this index on rank below the columns of tables. */
  readonly afterTables: number;
  readonly tables: readonly StreamTable[];
  readonly splits: readonly StreamSplit[];
  readonly derived: readonly StreamDerived[];
  readonly separations: readonly RunMark[];
  /** Number of preceding lines to store. */
  readonly precedingLines: number;
  /** Names that are searched, for the message that nothing was found. */
  readonly searched: readonly string[];
}

export interface StreamSource {
  readonly description: InputDescription;
  readonly experiment: Experiment;
  readonly fixed: Values;
  /** As the user typed it. */
  readonly path: string | undefined;
}

/** Maximum distance of a trigger from its mark, in lines. */
const mostPrecedingLines = 1000;

/** Fails with `description-error` where the description and the experiment do not agree. */
export function streamPlanOf(source: StreamSource, taker: RowSink & { reportCut(): void }): StreamPlan {
  return new StreamPlanner(source, taker).plan();
}

class StreamPlanner {
  readonly #binder: Binder;
  readonly #path: string | undefined;
  readonly #locations: readonly InputLocation[];
  readonly #taker: RowSink & { reportCut(): void };

  constructor({ description, experiment, fixed, path }: StreamSource, taker: RowSink & { reportCut(): void }) {
    this.#binder = new Binder(description, experiment, fixed);
    this.#path = path;
    this.#taker = taker;
    this.#locations = this.#binder.locations;
  }

  plan(): StreamPlan {
    const before = [...this.#given(), ...this.#named(), ...this.#filenames(), ...this.#explicit()];
    const splits = this.#of("split").map((location) => this.#split(location));
    const after = [...this.#fixed(), ...splits.flatMap(({ slots }) => slots)];
    return {
      variables: this.#binder.variables,
      slots: [...before, ...after],
      afterTables: before.length,
      tables: this.#of("table").map((location) => this.#table(location)),
      splits: splits.map(({ split }) => split),
      derived: this.#of("derived").map((location) => this.#derived(location)),
      separations: this.#separations(),
      precedingLines: this.#precedingLines(),
      searched: this.#binder.names,
    };
  }

  #of<K extends InputLocation["kind"]>(kind: K): Extract<InputLocation, { kind: K }>[] {
    return this.#locations.filter(
      (location): location is Extract<InputLocation, { kind: K }> => location.kind === kind,
    );
  }

  /** Values that the user fixed. */
  #given(): StreamSlot[] {
    return [...this.#binder.fixed]
      .map(([variable, value]) => this.#constant(variable, value))
      .filter((slot) => slot !== undefined);
  }

  #constant(variable: Variable, value: Value): StreamSlot | undefined {
    if (value === null) return undefined;
    const typed = this.#binder.typed(variable, {}, { line: 1, column: 1 });
    return new StreamSlot(typed, this.#binder.target(variable), {}, undefined, value);
  }

  #named(): StreamSlot[] {
    return this.#of("named").map((location) => {
      const variable = this.#binder.variable(location);
      return new StreamSlot(
        this.#binder.typed(variable, location, location.origin),
        this.#binder.target(variable),
        location,
        this.#finder(location),
      );
    });
  }

  #finder(location: NamedLocation): TextFinder {
    const variable = this.#binder.variable(location);
    this.#binder.checkMode(location, variable);
    const far = location.triggers?.find(({ skip }) => Math.abs(skip) > mostPrecedingLines);
    if (far)
      throw this.#binder.error(
        location.origin,
        `the trigger of '${variable.name}' is more than ${mostPrecedingLines} lines away (${far.skip})`,
      );
    const finder = namedFinder(location, variable, () => this.#taker.reportCut());
    if (finder) return finder;
    throw this.#binder.error(location.origin, `'${variable.name}' has neither a mark nor valid values`);
  }

  #explicit(): StreamSlot[] {
    return this.#of("explicit").map((location: ExplicitLocation) => {
      const variable = this.#binder.variable(location);
      const typed = this.#binder.typed(variable, location, location.origin);
      return new StreamSlot(typed, this.#binder.target(variable), location, explicitFinder(location, variable));
    });
  }

  #filenames(): StreamSlot[] {
    return this.#of("filename")
      .map((location) => this.#filename(location))
      .filter((slot) => slot !== undefined);
  }

  #filename(location: FilenameLocation): StreamSlot | undefined {
    const variable = this.#binder.variable(location);
    const typed = this.#binder.typed(variable, location, location.origin);
    const text = this.#path === undefined ? undefined : filenameReader(location, variable)(this.#path);
    const value = text === undefined ? undefined : this.#binder.unshaped(variable, location).read(text, 0);
    return value === undefined ? undefined : new StreamSlot(typed, this.#binder.target(variable), {}, undefined, value);
  }

  #fixed(): StreamSlot[] {
    return this.#of("fixed")
      .map((location) => this.#constant(this.#binder.variable(location), this.#fixedValue(location)))
      .filter((slot) => slot !== undefined);
  }

  #fixedValue({ name, value: text, origin }: FixedLocation): Value {
    const variable = this.#binder.variable({ name, origin });
    const value = new ValueReader(variable, {}).readComplete(text);
    if (value !== undefined) return value;
    throw this.#binder.error(origin, `'${text.slice(0, 80)}' is no value for '${variable.name}' (${variable.type})`);
  }

  #table(location: TableLocation): StreamTable {
    let before = 0;
    const columns = location.values.map((value) => {
      const { position } = value;
      if (value.typed) throw this.#binder.error(value.origin, `the rules 'stream' have no typed columns`);
      if (position.kind === "number") before = position.number;
      else if (position.kind === "relative") before += position.offset;
      if (before < 1 && position.kind !== "keyword")
        throw this.#binder.error(value.origin, `'${value.name}' is before the first entry`);
      const variable = this.#binder.variable(value);
      const entry = position.kind === "keyword" ? -1 : before - 1;
      return new StreamColumn(
        value,
        this.#binder.typed(variable, value, value.origin),
        this.#binder.target(variable),
        entry,
      );
    });
    const rows = location.rows.filter((row) => row.kind !== "keyword" || row.text !== "");
    return new StreamTable(location, columns, rows.map(markerOf), this.#taker);
  }

  #split(location: SplitLocation): { split: StreamSplit; slots: StreamSlot[] } {
    const slots = location.stores.map(({ name }) => {
      const variable = this.#binder.variable({ name, origin: location.origin });
      const rules = { sticky: false as const, ...(location.update ? { update: location.update } : {}) };
      return new StreamSlot(this.#binder.typed(variable, {}, location.origin), this.#binder.target(variable), rules);
    });
    const stores = location.stores.map(({ store }, at) => ({ slot: slots[at] as StreamSlot, store }));
    const edges = (side: readonly InputLocation[]): SplitEdge[] => side.map((each) => this.#splitEdge(each));
    return { split: new StreamSplit(edges(location.enter), edges(location.leave), stores), slots };
  }

  #splitEdge(location: InputLocation): SplitEdge {
    if (location.kind !== "named" && location.kind !== "explicit")
      throw this.#binder.error(location.origin, `a split location cannot have a ${location.kind} location`);
    const variable = this.#binder.variable(location);
    const finder = location.kind === "named" ? this.#finder(location) : explicitFinder(location, variable);
    return {
      typed: this.#binder.typed(variable, location, location.origin),
      finder,
      storesRow: location.storesRow ?? false,
    };
  }

  #derived(location: DerivedLocation): StreamDerived {
    const variable = this.#binder.variable(location);
    for (const name of namesIn(location)) this.#binder.variable({ name, origin: operandOrigin(location.origin, name) });
    const typed = this.#binder.typed(variable, {}, location.origin);
    return new StreamDerived(location, typed, this.#binder.target(variable), this.#binder.experiment.variables);
  }

  #separations(): RunMark[] {
    return this.#of("separation").map(({ mark, skip = 0, origin }) => {
      if (mark.kind === "named")
        throw this.#binder.error(origin, `the rules 'stream' separate by a keyword or a pattern`);
      return { marker: markerOf(mark), skip };
    });
  }

  #precedingLines(): number {
    const named = this.#of("named");
    const nested = this.#of("split").flatMap(({ enter, leave }) =>
      [...enter, ...leave].filter((each) => each.kind === "named"),
    );
    const skips = [...named, ...nested].flatMap(({ triggers = [] }) => triggers.map(({ skip }) => -skip));
    return Math.max(0, ...skips);
  }
}
