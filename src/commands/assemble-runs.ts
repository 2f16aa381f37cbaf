import { conformOnce, conformTable, type MissingPolicy } from "../core/conform.ts";
import { variableOf, type Experiment } from "../core/experiment.ts";
import { constantColumn, tableOf } from "../core/table-builder.ts";
import { indexOfVariable, valueAt, type Table } from "../core/table.ts";
import type { Value, Values } from "../core/value.ts";
import type { ImportEvent } from "../plugins/importers/importer.ts";

/** Takes runs as they are put together; everything is conformed to the experiment. */
export interface RunSink {
  begin(): Promise<void>;
  rows(table: Table): Promise<void>;
  end(once: Values): Promise<void>;
}

export interface AssemblyOptions {
  /** Contents given beforehand: they win over whatever the input says of those variables. */
  readonly fixed: Values;
  readonly missing: MissingPolicy;
  readonly notice: (line: number, text: string) => void;
}

/**
 * Puts runs together from what an importer finds. Contents of `multiple` variables that come as single values hold for all data sets that
 * follow; a run that has such contents but no data sets gets one of them. A `once` variable found in a table keeps its last content.
 */
export async function assembleRuns(
  events: AsyncIterable<ImportEvent>,
  experiment: Experiment,
  options: AssemblyOptions,
  sink: RunSink,
): Promise<void> {
  let run: OpenRun | null = null;
  for await (const event of events) {
    if (event.kind === "notice") {
      options.notice(event.line, event.text);
      continue;
    }
    if (run === null) {
      run = new OpenRun(experiment, options, sink);
      await sink.begin();
    }
    if (event.kind === "once") run.values(event.values);
    else if (event.kind === "rows") await run.rows(event.table);
    else {
      await run.end();
      run = null;
    }
  }
  await run?.end();
}

class OpenRun {
  readonly #experiment: Experiment;
  readonly #options: AssemblyOptions;
  readonly #sink: RunSink;
  readonly #once = new Map<string, Value>();
  readonly #standing = new Map<string, Value>();
  #dataSets = 0;

  constructor(experiment: Experiment, options: AssemblyOptions, sink: RunSink) {
    this.#experiment = experiment;
    this.#options = options;
    this.#sink = sink;
    this.values(options.fixed);
  }

  values(values: Values): void {
    for (const [name, value] of values) {
      const variable = variableOf(this.#experiment, name);
      const target = variable.occurrence === "once" ? this.#once : this.#standing;
      target.set(variable.name, this.#fixed(variable.name) ?? value);
    }
  }

  async rows(table: Table): Promise<void> {
    if (table.length === 0) return;
    this.#takeOnce(table);
    this.#dataSets += table.length;
    await this.#sink.rows(conformTable(this.#withStanding(table), this.#experiment, this.#options.missing));
  }

  async end(): Promise<void> {
    if (this.#dataSets === 0 && this.#standing.size > 0) {
      const variables = [...this.#standing.keys()].map((name) => variableOf(this.#experiment, name));
      await this.rows(tableOf(variables, [[...this.#standing.values()]]));
    }
    await this.#sink.end(conformOnce(this.#once, this.#experiment, this.#options.missing));
  }

  #fixed(name: string): Value | undefined {
    return this.#options.fixed.get(name);
  }

  /** Only the last row counts: a later content of a once variable replaces an earlier one. */
  #takeOnce(table: Table): void {
    table.variables.forEach((given, index) => {
      const variable = variableOf(this.#experiment, given.name);
      const column = table.columns[index];
      if (variable.occurrence !== "once" || column === undefined || column.kind === "interned") return;
      const value = lastContent(table, index);
      if (value !== null) this.values(new Map([[variable.name, value]]));
    });
  }

  #withStanding(table: Table): Table {
    const absent = [...this.#standing].filter(([name]) => indexOfVariable(table, name) < 0 || this.#fixed(name) !== undefined);
    if (absent.length === 0) return table;
    const kept = table.variables
      .map((variable, at) => ({ variable, at }))
      .filter(({ variable }) => !absent.some(([name]) => same(name, variable.name)));
    const added = absent.map(([name, value]) => ({ variable: variableOf(this.#experiment, name), value }));
    return {
      variables: [...kept.map(({ variable }) => variable), ...added.map(({ variable }) => variable)],
      columns: [
        ...kept.flatMap(({ at }) => table.columns[at] ?? []),
        ...added.map(({ variable, value }) => constantColumn(variable, value, table.length)),
      ],
      length: table.length,
    };
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function lastContent(table: Table, index: number): Value {
  const column = table.columns[index];
  const type = table.variables[index]?.type ?? "text";
  if (column === undefined || column.kind === "interned") return null;
  for (let row = table.length - 1; row >= 0; row--) {
    const value = valueAt(column, row, type);
    if (value !== null) return value;
  }
  return null;
}
