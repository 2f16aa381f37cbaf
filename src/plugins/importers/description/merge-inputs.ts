import { type Experiment, variablesOf } from "../../../core/experiments/index.ts";
import type { Failure } from "../../../core/failures/index.ts";
import { constantColumn, tableOf, indexOfVariable, rowsOf, type Table } from "../../../core/tables/index.ts";
import type { Values, Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { decodeInput, type Encoding, lineBlocks } from "../../../formats/text/index.ts";
import type { ByteSource, DescribedSource, ImportEvent, ImportGuide } from "../importer.ts";
import { InputReading } from "./input-reading.ts";
import type { RowRules } from "./rules.ts";
import { hasShape, type TableShapes } from "./tables/table-shapes.ts";
import type { InputDescription, InputLocation } from "../../../formats/descriptions/index.ts";

type DescribedGuide = ImportGuide & { readonly description: NonNullable<ImportGuide["description"]> };

/**
 * Reads the inputs of a run by their descriptions. `encoding` applies to all of them; undefined: detected. Fails with
 * `nothing-found` when no input matches its description.
 */
export async function* readInputs(
  source: ByteSource,
  guide: DescribedGuide,
  rules: RowRules,
  encoding: Encoding | undefined,
): AsyncGenerator<ImportEvent> {
  const { description, path, companionInputs = [], experiment, fixed = new Map() } = guide;
  const sources = [{ source, description, path }, ...companionInputs];
  const shapes = await shapesFor(sources.map((each) => each.description));
  const inputs = sources.map((each) => new OpenInput({ ...each, encoding, shapes }, rules, experiment, fixed));
  const [first] = inputs;
  if (inputs.length > 1) yield* mergeInputs(inputs, experiment, guide.sequential ?? false);
  else if (first) yield* first.events();
  const failures = inputs.map((input) => input.failure);
  const failure = failures.every((each) => each !== undefined) ? failures[0] : undefined;
  if (failure) throw failure;
}

type Described = Omit<DescribedSource, "path"> & {
  readonly path: string | undefined;
  readonly encoding: Encoding | undefined;
  readonly shapes: TableShapes | undefined;
};

/** One input, read lazily. */
class OpenInput implements Input {
  readonly reading: InputReading;
  /** Set when the input does not match the description. */
  failure: Failure | undefined;
  readonly #source: ByteSource;
  readonly #encoding: Encoding | undefined;

  constructor(
    { source, description, path, encoding, shapes }: Described,
    rules: RowRules,
    experiment: Experiment,
    fixed: Values,
  ) {
    this.#source = source;
    this.#encoding = encoding;
    this.reading = new InputReading(rules, { description, experiment, fixed, path, shapes });
  }

  async *events(): AsyncGenerator<ImportEvent> {
    const halved = (): void => this.reading.reportHalfCharacter();
    for await (const block of lineBlocks(decodeInput(this.#source, this.#encoding, halved))) {
      const failure = this.reading.readBlock(block);
      yield* this.reading.events();
      if (failure) throw failure;
    }
    this.failure = this.reading.finish();
    yield* this.reading.events();
  }

  get current(): Values {
    return this.reading.current;
  }

  get variables(): readonly Variable[] {
    return this.reading.variables;
  }
}

/** One of several inputs of the same run. */
interface Input {
  /** The columns of its rows. */
  readonly variables: readonly Variable[];
  /** Its values at the end of its last run. */
  readonly current: Values;
  events(): AsyncGenerator<ImportEvent>;
}

/**
 * Merges the events of several inputs: the n-th runs are one run, and the n-th rows one row. An input without further
 * rows contributes its last values. `sequential`: one input after the other, all in one run.
 */
async function* mergeInputs(
  inputs: readonly Input[],
  experiment: Experiment,
  sequential: boolean,
): AsyncGenerator<ImportEvent> {
  const names = new Set(inputs.flatMap(({ variables }) => variables.map(({ name }) => name)));
  const variables = variablesOf(experiment, "multiple").filter(({ name }) => names.has(name));
  const tracks = inputs.map((input) => new Track(input));
  if (sequential) yield* inTurn(tracks, variables);
  else while (tracks.some((track) => !track.isDone)) yield* together(tracks, variables);
}

/** An input, read up to its next rows. */
class Track {
  readonly input: Input;
  /** Rows that are not emitted yet. */
  rows: Table | undefined;
  once = new Map<string, Value>();
  isDone = false;
  /** True at the end of its run. */
  atEnd = false;
  readonly #events: AsyncGenerator<ImportEvent>;

  constructor(input: Input) {
    this.input = input;
    this.#events = input.events();
  }

  /** Reads until there are rows or the run ends; yields events that need not be merged. */
  async *advance(): AsyncGenerator<ImportEvent> {
    while (!this.rows && !this.atEnd) {
      const { value: event, done } = await this.#events.next();
      if (done === true) [this.isDone, this.atEnd] = [true, true];
      else if (event.kind === "end") this.atEnd = true;
      else if (event.kind === "once") for (const [name, value] of event.values) this.once.set(name, value);
      else if (event.kind === "rows" && !event.update) this.rows = event.table;
      else yield event;
    }
  }

  /** Removes and returns the first rows. */
  take(count: number): Table | undefined {
    const table = this.rows;
    this.rows = table && table.length > count ? rowsFrom(table, count, table.length) : undefined;
    return table && rowsFrom(table, 0, count);
  }
}

async function* together(tracks: readonly Track[], variables: readonly Variable[]): AsyncGenerator<ImportEvent> {
  let any = false;
  for (;;) {
    for (const track of tracks) yield* track.advance();
    const live = tracks.filter((track) => track.rows !== undefined);
    if (live.length === 0) break;
    any = true;
    const count = Math.min(...live.map((track) => track.rows?.length ?? 0));
    const values = currentOf(tracks.filter((track) => track.atEnd));
    const tables = live.map((track) => track.take(count)).filter((table) => table !== undefined);
    yield { kind: "rows", table: merged(tables, variables, values, count) };
  }
  yield* runOf(tracks, any);
  for (const track of tracks) track.atEnd = track.isDone;
}

async function* inTurn(tracks: readonly Track[], variables: readonly Variable[]): AsyncGenerator<ImportEvent> {
  const before: Track[] = [];
  let any = false;
  for (const track of tracks) {
    while (!track.isDone) {
      track.atEnd = false;
      yield* track.advance();
      const table = track.take(track.rows?.length ?? 0);
      if (!table) continue;
      any = true;
      yield { kind: "rows", table: merged([table], variables, currentOf(before), table.length) };
    }
    before.push(track);
  }
  yield* runOf(tracks, any);
}

function* runOf(tracks: readonly Track[], any: boolean): Generator<ImportEvent> {
  const values = new Map<string, Value>();
  for (const track of tracks) {
    for (const [name, value] of track.once) if (!values.has(name)) values.set(name, value);
    track.once = new Map();
  }
  if (values.size > 0) yield { kind: "once", values };
  if (any || values.size > 0) yield { kind: "end" };
}

function currentOf(tracks: readonly Track[]): Values {
  const values = new Map<string, Value>();
  for (const { input } of tracks)
    for (const [name, value] of input.current) if (!values.has(name)) values.set(name, value);
  return values;
}

/** Joins rows side by side: the first value of a variable counts. */
function merged(tables: readonly Table[], variables: readonly Variable[], values: Values, length: number): Table {
  const [first] = tables;
  if (tables.length === 1 && first) return widened(first, variables, values);
  const rows = tables.map((table) => rowsOf(table) as Value[][]);
  const indices = variables.map(({ name }) => tables.map((table) => indexOfVariable(table, name)));
  const cell = (row: number, at: number): Value => {
    const source =
      indices[at]?.findIndex((index, table) => index >= 0 && (rows[table]?.[row]?.[index] ?? null) !== null) ?? -1;
    const column = indices[at]?.[source] ?? -1;
    return rows[source]?.[row]?.[column] ?? values.get(variables[at]?.name ?? "") ?? null;
  };
  return tableOf(
    variables,
    Array.from({ length }, (_, row) => variables.map((__, at) => cell(row, at))),
  );
}

function widened(table: Table, variables: readonly Variable[], values: Values): Table {
  const columns = variables.map((variable) => {
    const own = table.columns[indexOfVariable(table, variable.name)];
    return own ?? constantColumn(variable, values.get(variable.name) ?? null, table.length);
  });
  return { variables, columns, length: table.length };
}

function rowsFrom(table: Table, from: number, to: number): Table {
  if (from === 0 && to === table.length) return table;
  return tableOf(table.variables, (rowsOf(table) as Value[][]).slice(from, to));
}

/** The shapes, if a description needs them. */
async function shapesFor(descriptions: readonly InputDescription[]): Promise<TableShapes | undefined> {
  const needed = descriptions.some(({ locations }) => locations.some(needsShapes));
  return needed ? (await import("./tables/shapes.ts")).shapes : undefined;
}

function needsShapes(location: InputLocation): boolean {
  if (location.kind === "table") return hasShape(location);
  return ["pattern", "transposed", "matrix"].includes(location.kind);
}
