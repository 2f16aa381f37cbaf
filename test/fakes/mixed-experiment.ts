import fc from "fast-check";
import { expect } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import type { FilterGroup, QueryDescription, Term } from "../../src/core/experiments/query-description.ts";
import { formatUnit, parseUnit } from "../../src/core/values/unit.ts";
import type { Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import { printQueryText } from "../../src/formats/descriptions/query-text-print.ts";
import { evaluate, type SourceData } from "../../src/query/description/evaluate.ts";
import { valueOf, type Vector } from "../../src/query/description/vector.ts";
import type { LogicalPlan } from "../../src/query/plan/logical-plan.ts";
import type { StoredExperiment } from "../../src/store/catalogue/catalogue.ts";
import type { Experiments } from "../../src/store/experiments/experiments.ts";
import { compileRegex } from "../../src/store/sql/resolve-patterns.ts";
import { importRows } from "./import-rows.ts";

/* An experiment with values of many types, and a comparison of query results. */

function variable(name: string, type: Variable["type"], occurrence: Variable["occurrence"], unit?: string): Variable {
  const role = type === "float" ? "result" : "parameter";
  return { name, type, occurrence, role, default: null, ...(unit === undefined ? {} : { unit: parseUnit(unit) }) };
}

const variables = [
  variable("host", "string", "once"),
  variable("release", "version", "once"),
  variable("level", "integer", "once"),
  variable("n", "integer", "multiple", "Byte"),
  variable("word", "text", "multiple"),
  variable("on", "boolean", "multiple"),
  variable("x", "float", "multiple", "us"),
  variable("y", "float", "multiple"),
  variable("wait", "duration", "multiple"),
  variable("day", "date", "multiple"),
];
const experiment: Experiment = { name: "e", readers: [], writers: [], variables };
const once = variables.filter(({ occurrence }) => occurrence === "once");
const multiple = variables.filter(({ occurrence }) => occurrence === "multiple");

/** Numbers whose sums are exact in any order. */
const known: Readonly<Record<string, readonly Exclude<Value, null>[]>> = {
  host: ["alpha", "Beta", "a_b"],
  release: ["1.9", "1.10", "1.10rc1"],
  level: [1, 2],
  n: [-2, 0, 1, 3, 7, 2 ** 53 - 1, 9_223_372_036_854_775_000n],
  word: ["", "a", "ab", "A", "é"],
  on: [true, false],
  x: [0.5, 1, 2.5, -3, 1024, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  y: [0.25, 1, 2, 4.75, -8],
  wait: [0.5, 60, 3600],
  day: [0, 12_000, -400],
};

const rowOf = (list: readonly Variable[], missing: number): fc.Arbitrary<ReadonlyMap<string, Value>> =>
  fc
    .tuple(
      ...list.map(({ name }) =>
        fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(...(known[name] ?? [])) },
          { weight: missing, arbitrary: fc.constant(null) },
        ),
      ),
    )
    .map((values) => new Map(list.map(({ name }, at) => [name, values[at] ?? null])));

export interface GivenRun {
  readonly once: ReadonlyMap<string, Value>;
  readonly rows: readonly ReadonlyMap<string, Value>[];
  readonly active: boolean;
}

export const givenRun: fc.Arbitrary<GivenRun> = fc.record({
  once: rowOf(once, 1),
  rows: fc.array(rowOf(multiple, 2), { maxLength: 7 }),
  active: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

export const named = fc.constantFrom(...variables.map(({ name }) => name));
const knownValue = (name: string): fc.Arbitrary<string> => fc.constantFrom(...(known[name] ?? []).map(String));
const sign = fc.constantFrom(
  "equal" as const,
  "notequal" as const,
  "lesser" as const,
  "greaterequal" as const,
  "greater" as const,
);
const condition = named.chain((of) =>
  fc.oneof(
    fc.record({
      kind: sign,
      of: fc.constant(of),
      value: of === "day" ? fc.constant("2002-11-09") : of === "wait" ? fc.constant("60") : knownValue(of),
    }),
    fc.record({
      kind: fc.constantFrom("null" as const, "notnull" as const),
      of: fc.constant(of),
      value: fc.constant(""),
    }),
  ),
);
export const filter: fc.Arbitrary<FilterGroup> = fc.record({
  kind: fc.constant("filter" as const),
  boolean: fc.constantFrom("and" as const, "or" as const),
  members: fc.array(condition, { minLength: 1, maxLength: 3 }),
});

export function edge(id: string) {
  return { id, attributes: new Map() };
}

export function outputOf(inputs: readonly string[]) {
  return { attributes: new Map(), inputs: inputs.map(edge), options: [], tics: [] };
}

export function finite(run: GivenRun): GivenRun {
  const rows = run.rows.map(
    (row) => new Map([...row].map(([name, each]) => [name, each === Infinity || each === -Infinity ? 1024 : each])),
  );
  return { ...run, rows };
}

/** Vectors in a comparable form, with rounded numbers. */
function seen({ columns, labels, length, from, origin }: Vector): unknown {
  return {
    from,
    origin,
    labels,
    columns: columns.map(({ variable: { name, role, type, unit }, display }) => [
      name,
      role,
      type,
      formatUnit(unit),
      display,
    ]),
    rows: Array.from({ length }, (_, row) => columns.map((column) => near(valueOf(column, row), column.variable))),
  };
}

export function near(value: Value, { type }: Variable): unknown {
  if (typeof value !== "number" || !Number.isFinite(value)) return value;
  return type === "float" || type === "duration" ? { near: value + 0 } : value + 0;
}

/** Equality with a tolerance for floats. */
export function expectAlike(found: unknown, expected: unknown, of: string): void {
  if (!areAlike(found, expected)) expect(found, of).toEqual(expected);
}

function areAlike(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const [left, right] = [Object.entries(a), Object.entries(b)];
  if (left.length !== right.length) return false;
  return left.every(([key, one], at) => {
    const [name, other] = right[at] ?? [];
    if (key !== name) return false;
    return key === "near"
      ? Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other))
      : areAlike(one, other);
  });
}

export async function answer(asked: QueryDescription, data: SourceData): Promise<unknown> {
  try {
    const outputs = await evaluate(asked, data);
    return outputs.map(({ inputs }) => inputs.map(({ variants }) => variants.map(({ vector }) => seen(vector))));
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}

/** The experiment with these runs. */
export async function stored(experiments: Experiments, given: readonly GivenRun[]): Promise<StoredExperiment> {
  const found = await experiments.create(experiment, 1);
  for (const [at, { once: single, rows, active }] of given.entries()) {
    const values = rows.map((row) => multiple.map(({ name }) => row.get(name) ?? null));
    const run = { once: single, created: at % 2, performed: -at };
    const number = await importRows(experiments, found, multiple, values, run);
    if (!active) await experiments.removeRuns(found, [number], 1);
  }
  return found;
}

/**
 * Expects equal answers to arbitrary queries whether the database computes as much as it can or only gives the rows.
 * `asks` is called for each plan. Stored runs are removed after each of `numRuns` rounds of `size` queries.
 */
export async function expectSameAnswers(
  experiments: Experiments,
  query: fc.Arbitrary<QueryDescription>,
  { size, numRuns }: { readonly size: number; readonly numRuns: number },
  asks: (plan: LogicalPlan, found: StoredExperiment) => Promise<void> | void,
): Promise<void> {
  const given = fc.array(givenRun, { maxLength: 4 });
  const property = fc.asyncProperty(
    given,
    fc.array(query, { minLength: size, maxLength: size }),
    async (runs, queries) => {
      const found = await stored(experiments, runs);
      const reference = dataOf(experiments, found);
      const summarizing: SourceData = {
        ...reference,
        summarizes: true,
        async rows(plan) {
          await asks(plan, found);
          return reference.rows(plan);
        },
      };
      try {
        for (const asked of queries)
          expectAlike(await answer(asked, summarizing), await answer(asked, reference), printQueryText(asked));
      } finally {
        await experiments.purge(found, 1);
      }
    },
  );
  await fc.assert(property, { numRuns, endOnFailure: true });
}

export function dataOf(experiments: Experiments, found: StoredExperiment): SourceData {
  return {
    experiment: found.experiment,
    runs: async () =>
      (await experiments.runs(found, false)).map(({ number, created, performed }) => ({ number, created, performed })),
    rows: (plan) => experiments.sourceRows(found, plan),
    distinct: (of, where) => experiments.distinct(found, of, where),
    history: async () => [],
    versions: async () => new Set(),
    compile: compileRegex,
  };
}

/** Arbitrary terms over the numeric columns of the inputs. */
export function term(
  inputs: readonly string[],
  names: readonly string[] = ["x", "y", "n", "y", "x", "wait"],
): fc.Arbitrary<Term> {
  const variable = fc.record({
    kind: fc.constant("variable" as const),
    name: fc.constantFrom(...names),
    input: inputs.length === 1 ? fc.constant("") : fc.constantFrom(...inputs),
  });
  const constant = fc.constantFrom("0", "1", "2", "0.5", "-4").map((value) => ({ kind: "constant" as const, value }));
  const leaf: fc.Arbitrary<Term> = fc.oneof({ weight: 3, arbitrary: variable }, { weight: 1, arbitrary: constant });
  const of = (parts: fc.Arbitrary<Term>, kind: "sum" | "product" | "difference" | "fraction"): fc.Arbitrary<Term> =>
    fc.tuple(parts, parts).map((list) => ({ kind, of: list }));
  const call = (parts: fc.Arbitrary<Term>): fc.Arbitrary<Term> =>
    fc
      .tuple(fc.constantFrom("abs", "sqrt", "floor"), parts)
      .map(([name, each]) => ({ kind: "function", name, of: [each] }));
  const above = (parts: fc.Arbitrary<Term>): fc.Arbitrary<Term> =>
    fc.oneof(
      of(parts, "sum"),
      of(parts, "product"),
      of(parts, "difference"),
      of(parts, "fraction"),
      of(parts, "fraction"),
      call(parts),
      parts.map((each): Term => ({ kind: "negative", of: [each] })),
    );
  return fc.oneof(above(leaf), above(fc.oneof(leaf, above(leaf))), leaf);
}
