import {
  allowedOnce,
  conformOnce,
  conformTable,
  conformUpdate,
  type Absence,
  variableOf,
  variablesOf,
  type Experiment,
} from "../../core/experiments/index.ts";
import { constantColumn, tableOf, indexOfVariable, valueAt, type Table } from "../../core/tables/index.ts";
import type { Value, Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportEvent, RowsUpdate } from "../../plugins/importers/importer.ts";

/**
 * A step of a run, conformed to the experiment. Each run is one `begin`, any number of rows and updates, `found` and
 * `end`.
 */
export type RunStep =
  | { readonly kind: "begin" }
  /** When the run was measured, and of which commit. */
  | { readonly kind: "about"; readonly performed?: number; readonly commit?: string }
  | { readonly kind: "rows"; readonly table: Table }
  | { readonly kind: "update"; readonly table: Table; readonly update: RowsUpdate }
  /** Valid once values, completed by the policy if possible; also emitted for runs that are then refused. */
  | { readonly kind: "found"; readonly once: Values }
  | { readonly kind: "end"; readonly once: Values };

export interface AssemblyOptions {
  /** Values from options; they override the input's. */
  readonly fixed: Values;
  /** Policy for missing cells of rows. */
  readonly rows: Absence;
  /** Called at the end of each run; returns the once values with values for the missing ones, or fails. */
  complete(once: Values, missing: readonly Variable[]): Promise<Values>;
  readonly notice: (line: number, text: string) => void;
}

/**
 * Assembles runs from the events of an importer. A single value of a `multiple` variable applies to all following rows;
 * a run with such values but no rows gets one row. A `once` variable in a table keeps its last value.
 */
export async function* assembleRuns(
  events: AsyncIterable<ImportEvent>,
  experiment: Experiment,
  options: AssemblyOptions,
): AsyncGenerator<RunStep> {
  let run: OpenRun | null = null;
  for await (const event of events) {
    if (event.kind === "notice") {
      options.notice(event.line, event.text);
      continue;
    }
    // The experiment has these variables already.
    if (event.kind === "declare") continue;
    if (run === null) {
      run = new OpenRun(experiment, options);
      yield { kind: "begin" };
    }
    if (event.kind === "about") yield event;
    else if (event.kind === "once") run.values(event.values);
    else if (event.kind === "rows") yield* run.rows(event.table, event.update);
    else {
      yield* run.end();
      run = null;
    }
  }
  if (run !== null) yield* run.end();
}

class OpenRun {
  readonly #experiment: Experiment;
  readonly #options: AssemblyOptions;
  readonly #once = new Map<string, Value>();
  readonly #defaults = new Map<string, Value>();
  #rowCount = 0;

  constructor(experiment: Experiment, options: AssemblyOptions) {
    this.#experiment = experiment;
    this.#options = options;
    this.values(options.fixed);
  }

  values(values: Values): void {
    for (const [name, value] of values) {
      const variable = variableOf(this.#experiment, name);
      const target = variable.occurrence === "once" ? this.#once : this.#defaults;
      target.set(variable.name, this.#fixed(variable.name) ?? value);
    }
  }

  *rows(table: Table, update?: RowsUpdate): Generator<RunStep> {
    if (table.length === 0) return;
    if (update) {
      yield { kind: "update", table: conformUpdate(table, this.#experiment), update };
      return;
    }
    if (this.#rowCount === 0) yield* this.#checkFixed();
    this.#takeOnce(table);
    this.#rowCount += table.length;
    yield { kind: "rows", table: conformTable(this.#withDefaults(table), this.#experiment, this.#options.rows) };
  }

  async *end(): AsyncGenerator<RunStep> {
    if (this.#rowCount === 0 && this.#defaults.size > 0) {
      const variables = [...this.#defaults.keys()].map((name) => variableOf(this.#experiment, name));
      yield* this.rows(tableOf(variables, [[...this.#defaults.values()]]));
    }
    let complete: Values | undefined;
    try {
      complete = await this.#complete();
    } finally {
      yield { kind: "found", once: allowedOnce(complete ?? this.#once, this.#experiment) };
    }
    yield { kind: "end", once: conformOnce(complete, this.#experiment) };
  }

  /** Values from options apply to the whole run, so invalid ones are refused before the first row. */
  *#checkFixed(): Generator<RunStep> {
    const fixed = new Map([...this.#once].filter(([name]) => this.#fixed(name) !== undefined));
    if (allowedOnce(fixed, this.#experiment).size === fixed.size) return;
    yield { kind: "found", once: allowedOnce(this.#once, this.#experiment) };
    conformOnce(fixed, this.#experiment);
  }

  #complete(): Promise<Values> {
    const missing = variablesOf(this.#experiment, "once").filter(({ name }) => (this.#once.get(name) ?? null) === null);
    return this.#options.complete(this.#once, missing);
  }

  #fixed(name: string): Value | undefined {
    return this.#options.fixed.get(name);
  }

  /** The last value of a once variable wins. */
  #takeOnce(table: Table): void {
    table.variables.forEach(({ name }, index) => {
      const variable = variableOf(this.#experiment, name);
      const column = table.columns[index];
      if (variable.occurrence !== "once" || column === undefined || column.kind === "interned") return;
      const value = lastValue(table, index);
      if (value !== null) this.values(new Map([[variable.name, value]]));
    });
  }

  #withDefaults(table: Table): Table {
    const absent = [...this.#defaults].filter(
      ([name]) => indexOfVariable(table, name) < 0 || this.#fixed(name) !== undefined,
    );
    if (absent.length === 0) return table;
    const others = table.variables
      .map((variable, at) => ({ variable, at }))
      .filter(({ variable }) => !absent.some(([name]) => isSameName(name, variable.name)));
    const added = absent.map(([name, value]) => ({ variable: variableOf(this.#experiment, name), value }));
    return {
      variables: [...others.map(({ variable }) => variable), ...added.map(({ variable }) => variable)],
      columns: [
        ...others.flatMap(({ at }) => table.columns[at] ?? []),
        ...added.map(({ variable, value }) => constantColumn(variable, value, table.length)),
      ],
      length: table.length,
    };
  }
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function lastValue(table: Table, index: number): Value {
  const column = table.columns[index];
  const type = table.variables[index]?.type ?? "text";
  if (column === undefined || column.kind === "interned") return null;
  for (let row = table.length - 1; row >= 0; row--) {
    const value = valueAt(column, row, type);
    if (value !== null) return value;
  }
  return null;
}
