import { Failure } from "../../core/failures/index.ts";
import type { MeasuredRun, Measurement, Quantity } from "../../core/measurements/index.ts";
import { valueAt, type Table } from "../../core/tables/index.ts";
import { convert, formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { exportedNames, exportRoles, type ExportRoles } from "../../query/export/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exportByRun, type ExportHead, type ExportOptions } from "./export.ts";
import type { RunSink } from "./export-by-run.ts";

export interface MeasurementOptions extends ExportOptions {
  /** Variable with the benchmark name. */
  readonly benchmark?: string;
}

/** Receives measurements run by run. */
export interface MeasurementSink {
  row(run: MeasuredRun, measurement: Measurement): void;
}

/** Streams an experiment as benchmark measurements. Fails like `exportRows`, and with `no-numbers`. */
export async function exportMeasurements(
  workspace: Workspace,
  options: MeasurementOptions,
  sink: (experiment: string, quantities: readonly Quantity[]) => MeasurementSink,
): Promise<void> {
  let hasNumbers = false;
  await exportByRun(
    workspace,
    options,
    (head) => {
      const { name } = head.experiment;
      const roles = exportRoles(name, [...head.once, ...head.rows], options);
      const inner = sink(
        name,
        roles.results.map(({ quantity }) => quantity),
      );
      return new MeasuredRuns(head, roles, (run, measurement) => {
        hasNumbers ||= measurement.values.some(Number.isFinite);
        inner.row(run, measurement);
      });
    },
    (experiment) => exportedNames(experiment, options),
  );
  if (!hasNumbers) throw new Failure("nothing-selected", { experiment: options.experiment });
}

/** Converts rows to measurements; a run with only `once` results is one measurement. */
class MeasuredRuns implements RunSink {
  readonly #head: ExportHead;
  readonly #roles: ExportRoles;
  readonly #take: MeasurementSink["row"];
  readonly #ofRuns: boolean;
  #once: { readonly table: Table; readonly row: number } | undefined;
  #run: MeasuredRun | undefined;
  #parameters: ReadonlyMap<string, string> = new Map();

  constructor(head: ExportHead, roles: ExportRoles, take: MeasurementSink["row"]) {
    this.#head = head;
    this.#roles = roles;
    this.#take = take;
    this.#ofRuns = roles.results.every(({ variable }) => variable.occurrence === "once");
  }

  open(table: Table, row: number): void {
    this.#once = { table, row };
    const number = Number(cellOf(table, 0, row));
    const { version, performed = 0 } = this.#head.runs.get(number) ?? {};
    const facts = this.#roles.facts.map((variable) => [variable.name, this.#text(variable, table, row)] as const);
    const there = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== "");
    this.#run = { number, performed, facts: new Map(there), ...(version === undefined ? {} : { commit: version }) };
    if (this.#ofRuns) this.#measure(table, row);
  }

  rows(table: Table, from: number, to: number): void {
    if (!this.#ofRuns) for (let row = from; row < to; row++) this.#measure(table, row);
  }

  close(): void {}

  end(): void {}

  #measure(table: Table, row: number): void {
    const { benchmark, parameters, results } = this.#roles;
    this.#take(this.#run!, {
      benchmark: (benchmark && this.#text(benchmark, table, row)) || this.#head.experiment.name,
      parameters: this.#parameterTexts(parameters, table, row),
      values: results.map(({ variable, factor }) => {
        const value = this.#value(variable, table, row);
        return value === null ? Number.NaN : convert(Number(value), factor);
      }),
    });
  }

  /** Parameters with values; returns the previous map if equal. */
  #parameterTexts(variables: readonly Variable[], table: Table, row: number): ReadonlyMap<string, string> {
    const before = this.#parameters;
    const texts: (readonly [string, string])[] = [];
    for (const variable of variables) {
      const text = this.#text(variable, table, row);
      if (text !== undefined) texts.push([variable.name, text]);
    }
    const isSame = texts.length === before.size && texts.every(([name, text]) => before.get(name) === text);
    return isSame ? before : (this.#parameters = new Map(texts));
  }

  /** undefined: no value. */
  #text(variable: Variable, table: Table, row: number): string | undefined {
    const value = this.#value(variable, table, row);
    return value === null ? undefined : formatValue(value, variable.type);
  }

  /** `once` values are not in the table of rows. */
  #value(variable: Variable, table: Table, row: number): Value {
    const at = this.#head.rows.indexOf(variable);
    if (at >= 0) return table === this.#once?.table ? null : cellOf(table, at + 1, row);
    return this.#once === undefined
      ? null
      : cellOf(this.#once.table, this.#head.once.indexOf(variable) + 1, this.#once.row);
  }
}

function cellOf({ columns, variables }: Table, at: number, row: number): Value {
  const column = columns[at];
  return column === undefined || column.kind === "interned" ? null : valueAt(column, row, variables[at]!.type);
}
