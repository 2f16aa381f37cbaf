import { flatText, isList, isObject, JsonNumber, type Json } from "../../core/values/index.ts";
import {
  unitsOf,
  type Run,
  StackSamples,
  type SampleLabels,
  type StackFrame,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../core/profiles/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { cellsOf } from "./cells.ts";
import { valuesOf } from "./selected-rows.ts";
import { exclusiveOf, functionOf, rowsToAdd } from "./folded-stacks.ts";
import { textsOf } from "./quantities.ts";

/** Unit names of other programs. */
const words: ReadonlyMap<string, string> = new Map([
  ["ns", "nanoseconds"],
  ["us", "microseconds"],
  ["ms", "milliseconds"],
  ["s", "seconds"],
  ["B", "bytes"],
  ["kB", "kilobytes"],
  ["MB", "megabytes"],
]);

/** Columns that are represented elsewhere, or do not describe a thread or program. */
const noLabels = new Set(["uid", "trace", "type", "subtype", "event", "time", "source"]);

/**
 * The stacks of a run's rows: the amounts of one quantity (`wanted`: of this subtype), and every other column with a
 * unit. Rows without a trace are their uid alone; omits freed memory. Texts of rows become labels. Fails with
 * `several-quantities`.
 */
export function runStacks(run: Run, wanted?: string): StackProfile {
  const { data } = run;
  const subtype = textsOf(data, "subtype");
  const isSubtype = wanted !== undefined && [...Array(data.length).keys()].some((row) => subtype(row) === wanted);
  const amount = valuesOf(data, "amount");
  const rows = rowsToAdd(data, isSubtype ? wanted : undefined, (row) => Number(amount(row)));
  const columns = columnsOf(run, rows);
  const stacks = new StackTable<StackFrame>();
  const samples = new StackSamples(columns.length);
  const [nodeOf, labelsOf] = [nodes(data, stacks), labels(data, samples)];
  for (const row of rows) {
    if (subtype(row) === "free") continue;
    const node = nodeOf(row);
    if (node > 0)
      samples.add(
        node,
        columns.map((column) => column.amount(row) ?? 0),
        labelsOf(row),
      );
  }
  const command = [run.fixed.get("cmd"), run.fixed.get("workload")]
    .filter((word) => typeof word === "string" && word !== "")
    .join(" ");
  const facts = { ...(command === "" ? {} : { command }), ...(isEstimated(run) ? ({ estimated: true } as const) : {}) };
  return { stacks, types: columns.map(({ type }) => type), main: 0, samples, facts };
}

/** Whether the stacks were estimated when the profile was imported. */
function isEstimated({ steps }: Run): boolean {
  return steps.some(({ params }) => isObject(params) && params.get("stacks") === "estimated");
}

interface AmountColumn {
  readonly type: ValueType;
  amount(row: number): number | null;
}

function columnsOf(run: Run, rows: Uint32Array): AmountColumn[] {
  const { data } = run;
  const [type, subtype, units] = [textsOf(data, "type"), textsOf(data, "subtype"), unitsOf(run)];
  const first = rows[0] ?? 0;
  const own = exclusiveOf(data);
  const numeric = data.variables.filter(
    (variable, at) => variable.name !== "amount" && data.columns[at]!.kind === "number",
  );
  const others = numeric.flatMap(({ name }): AmountColumn[] => {
    const unit = units(name, type(first), subtype(first));
    const value = valuesOf(data, name);
    return unit === ""
      ? []
      : [{ type: { name, unit: words.get(unit) ?? "count" }, amount: (row) => numberOf(value(row)) }];
  });
  const value = valuesOf(data, "amount");
  const unit = units("amount", type(first), subtype(first));
  const named = new Set([...rows].map(subtype));
  const name = named.size === 1 && !named.has("") ? subtype(first) : type(first) || "amount";
  return [
    { type: { name, unit: words.get(unit) ?? "count" }, amount: (row) => own(row) ?? numberOf(value(row)) },
    ...others,
  ];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** The node of a row's stack. */
function nodes(data: Table, stacks: StackTable<StackFrame>): (row: number) => number {
  const [uid, trace] = [cellsOf(data, "uid"), cellsOf(data, "trace")];
  const known = new Map<string, number>();
  // Reading makes equal frames of a document one object, of which there are many more calls.
  const numbers = new Map<Json, number>();
  const frameOf = (json: Json): number => {
    let number = numbers.get(json);
    if (number === undefined) numbers.set(json, (number = frameNumber(json, stacks)));
    return number;
  };
  return (row) => {
    const key = `${uid.code(row)} ${trace.code(row)}`;
    const node = known.get(key) ?? nodeOf(uid.at(row), trace.at(row), stacks, frameOf);
    known.set(key, node);
    return node;
  };
}

/** Omits a uid that is in the trace, or that equals the innermost call without its line or module. */
function nodeOf(
  uid: Json | undefined,
  trace: Json | undefined,
  stacks: StackTable<StackFrame>,
  frameOf: (json: Json) => number,
): number {
  const calls = isList(trace) ? trace : [];
  const name = functionOf(calls[0]);
  const isInTrace = uid === undefined || (name !== undefined && (functionOf(uid) ?? uid) === name);
  const all = isInTrace || calls.some((call) => flatText(call) === flatText(uid)) ? calls : [uid, ...calls];
  return all.reduceRight<number>((caller, call) => stacks.called(caller, frameOf(call)), 0);
}

/** There are many more calls in stacks than functions: only new ones become objects. */
function frameNumber(json: Json, stacks: StackTable<StackFrame>): number {
  if (!isObject(json)) return numberOfCall(flatText(json), "", "", 0, stacks);
  const [name, func] = [json.get("function"), json.get("func")];
  const [source, module, line] = [json.get("source"), json.get("module"), json.get("line")];
  return numberOfCall(
    typeof name === "string" ? name : typeof func === "string" ? func : flatText(json),
    typeof source === "string" ? source : "",
    typeof module === "string" ? module : "",
    line instanceof JsonNumber && Number.isSafeInteger(line.value) && line.value > 0 ? line.value : 0,
    stacks,
  );
}

/** Empty texts and 0: unknown. */
function numberOfCall(
  name: string,
  source: string,
  module: string,
  line: number,
  stacks: StackTable<StackFrame>,
): number {
  return stacks.frame(`${name}\0${source}\0${module}\0${line}`, () => ({
    function: name,
    ...(source === "" ? {} : { source }),
    ...(line === 0 ? {} : { line }),
    ...(module === "" ? {} : { module: { path: module } }),
  }));
}

function labels(data: Table, samples: StackSamples): (row: number) => number {
  const columns = data.variables.flatMap(({ name }, at) =>
    noLabels.has(name) || data.columns[at]!.kind === "number" ? [] : [[name, cellsOf(data, name)] as const],
  );
  const known = new Map<string, number>();
  return (row) => {
    const key = columns.map(([, cells]) => cells.code(row)).join(" ");
    let number = known.get(key);
    if (number === undefined) known.set(key, (number = samples.labels(labelsOf(row))));
    return number;
  };

  function labelsOf(row: number): SampleLabels {
    return new Map(
      columns.flatMap(([name, cells]) => {
        const value = cells.at(row);
        return typeof value === "string" && value !== "" ? [[name, [value]] as const] : [];
      }),
    );
  }
}
