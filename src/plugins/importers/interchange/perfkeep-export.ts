import { Failure, isFailure } from "../../../core/failures/index.ts";
import { TableBuilder } from "../../../core/tables/index.ts";
import { dataTypes, InvalidValue, parseUnit, readValue, type Value } from "../../../core/values/index.ts";
import { type Variable, VariableNames } from "../../../core/variables/index.ts";
import { reportBytes } from "../../../formats/benchmarks/index.ts";
import { collectBytes } from "../../../formats/bytes/index.ts";
import { readPlainJson } from "../../../formats/json/index.ts";
import type { Importer, ImportEvent } from "../importer.ts";

const begins = /^\s*\{\s*"schema"\s*:\s*"perfkeep\.export\/1"/;

/** Rows per table. */
const rowsAtOnce = 10_000;

/** The document of `perfkeep export --format json`: each of its runs becomes a run. It is held in memory. */
export const perfkeepExport: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "perfkeep-export",
  synopsis: "perfkeep export --format json",
  marks: 'JSON that begins with "schema": "perfkeep.export/1"',
  declaresFirst: true,
  options: [],
  sniff: (head) => (begins.test(new TextDecoder().decode(reportBytes(head).subarray(0, 200))) ? 1 : 0),
  async *read(source, _, { path = "-" }) {
    const document = readPlainJson(reportBytes(await collectBytes(source)), path) as ExportDocument;
    try {
      yield* documentEvents(document, path);
    } catch (error) {
      // A member is missing, or of another kind.
      if (error instanceof TypeError || isFailure(error, "unknown-unit")) throw damaged(path, "it is no whole export");
      throw error;
    }
  },
});

interface ExportedVariable {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly role?: string;
  readonly better?: string;
  readonly synopsis?: string;
}

interface ExportDocument {
  readonly once: readonly ExportedVariable[];
  readonly columns: readonly ExportedVariable[];
  readonly runs: readonly {
    readonly run: number;
    readonly once: Readonly<Record<string, unknown>>;
    readonly rows: readonly (readonly unknown[])[];
  }[];
}

function* documentEvents({ once, columns, runs }: ExportDocument, file: string): Generator<ImportEvent> {
  const names = new VariableNames();
  const single = once.map((each) => variableOf(each, "once", names, file));
  const multiple = columns.map((each) => variableOf(each, "multiple", names, file));
  for (const { run, once: values, rows } of runs) {
    yield { kind: "declare", variables: [...single, ...multiple] };
    const known = single.map((variable, at) => [variable.name, valueOf(values[once[at]!.name], variable, run, file)]);
    if (known.length > 0) yield { kind: "once", values: new Map(known as [string, Value][]) };
    const builder = new TableBuilder(multiple);
    for (const row of rows) {
      if (row.length !== multiple.length) throw damaged(file, `run ${run}: a row has ${row.length} values`);
      builder.push(multiple.map((variable, at) => valueOf(row[at], variable, run, file)));
      if (builder.length >= rowsAtOnce) yield { kind: "rows", table: builder.take() };
    }
    if (builder.length > 0) yield { kind: "rows", table: builder.take() };
    yield { kind: "end" };
  }
}

/** Exports of older versions have no roles: numbers with a fraction or a unit of their own are results. */
function variableOf(
  { name, type: typeName, unit, role, better, synopsis }: ExportedVariable,
  occurrence: Variable["occurrence"],
  names: VariableNames,
  file: string,
): Variable {
  const type = dataTypes.find((each) => each === typeName);
  if (type === undefined) throw damaged(file, `'${name}' has an unknown type`);
  const isResult = role === undefined ? type === "float" : role === "result";
  return {
    name: names.of(name),
    role: isResult ? "result" : "parameter",
    occurrence,
    type,
    default: null,
    ...(unit === "" ? {} : { unit: parseUnit(unit) }),
    ...(isResult && (better === "lower" || better === "higher") ? { better } : {}),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}

/** Integers beyond 2^53, NaN and infinities are strings, durations are seconds, other times are texts. */
function valueOf(cell: unknown, { name, type }: Variable, run: number, file: string): Value {
  if (cell === null || cell === undefined) return null;
  if (type === "boolean" && typeof cell === "boolean") return cell;
  const isNumber = typeof cell === "number" && (type === "float" || type === "integer" || type === "duration");
  if (isNumber) return cell;
  const value = typeof cell === "string" ? readValue(cell, type) : undefined;
  if (value !== undefined && !(value instanceof InvalidValue)) return value;
  throw damaged(file, `run ${run}: ${JSON.stringify(cell).slice(0, 40)} is no ${type} for '${name}'`);
}

function damaged(file: string, problem: string): Failure {
  return new Failure("damaged-report", { file, problem });
}
