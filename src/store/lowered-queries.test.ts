import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onEachEngine, type Place } from "../../test/servers/databases.ts";
import { isFailure } from "../core/errors.ts";
import type { Experiment } from "../core/experiment.ts";
import {
  chronologies,
  missingRows,
  type FilterGroup,
  type OperatorElement,
  type QueryDescription,
  type SourceElement,
} from "../core/query-description.ts";
import { tableOf } from "../core/table-builder.ts";
import { rowsOf } from "../core/table.ts";
import { formatUnit, parseUnit } from "../core/unit.ts";
import type { Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import { parseQuery } from "../formats/query-text.ts";
import { printQueryText } from "../formats/query-text-print.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { evaluate, type SourceData } from "../query/graph/evaluate.ts";
import { describeQuestion } from "../query/question-description.ts";
import { plan, type Question } from "../query/query.ts";
import { contentOf, type Vector } from "../query/graph/vector.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { Experiments } from "./experiments.ts";
import { Objects } from "./objects.ts";
import { migrate } from "./schema.ts";
import { compile } from "./source-rows.ts";

/* Whatever a query leaves to the database comes out as if all rows were fetched and the operators applied to them. */

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

/** Sums of the numbers are exact in whatever order they are added. */
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
        fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...(known[name] ?? [])) }, { weight: missing, arbitrary: fc.constant(null) }),
      ),
    )
    .map((contents) => new Map(list.map(({ name }, at) => [name, contents[at] ?? null])));

interface GivenRun {
  readonly once: ReadonlyMap<string, Value>;
  readonly rows: readonly ReadonlyMap<string, Value>[];
  readonly active: boolean;
}

const givenRun: fc.Arbitrary<GivenRun> = fc.record({
  once: rowOf(once, 1),
  rows: fc.array(rowOf(multiple, 2), { maxLength: 7 }),
  active: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const named = fc.constantFrom(...variables.map(({ name }) => name));
const content = (name: string): fc.Arbitrary<string> => fc.constantFrom(...(known[name] ?? []).map(String));
const sign = fc.constantFrom("equal" as const, "notequal" as const, "lesser" as const, "greaterequal" as const, "greater" as const);
const condition = named.chain((of) =>
  fc.oneof(
    fc.record({
      kind: sign,
      of: fc.constant(of),
      content: of === "day" ? fc.constant("2002-11-09") : of === "wait" ? fc.constant("60") : content(of),
    }),
    fc.record({ kind: fc.constantFrom("null" as const, "notnull" as const), of: fc.constant(of), content: fc.constant("") }),
  ),
);
const filter: fc.Arbitrary<FilterGroup> = fc.record({
  kind: fc.constant("filter" as const),
  boolean: fc.constantFrom("and" as const, "or" as const),
  members: fc.array(condition, { minLength: 1, maxLength: 3 }),
});

const rate = (percent: number): fc.Arbitrary<boolean> => fc.integer({ min: 0, max: 99 }).map((found) => found < percent);
const parameter = (id: string) =>
  fc
    .record({ value: named, show: fc.constantFrom("auto" as const, "data" as const, "data" as const, "nothing" as const, "all" as const) })
    .map((more) => ({ id, filters: [], ...more }));
const parameters = fc
  .integer({ min: 0, max: 3 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => parameter(`p${at}`))));
const numbers = fc.constantFrom("n", "x", "y", "wait", "y", "x");
const source = (inputs: readonly string[]): fc.Arbitrary<SourceElement> =>
  fc.record(
    {
      id: fc.constant("s"),
      inputs: fc.constant([...inputs]),
      results: fc
        .uniqueArray(fc.oneof({ weight: 5, arbitrary: numbers }, { weight: 1, arbitrary: named }), { minLength: 1, maxLength: 2 })
        .map((list) => list.map((name) => ({ name }))),
      filters: fc.array(filter, { maxLength: 1 }),
      missing: fc.constantFrom(...missingRows),
      chronology: fc.constantFrom(...chronologies),
    },
    { requiredKeys: ["id", "inputs", "results"] },
  );

type Made = Pick<OperatorElement, "type" | "value" | "variant" | "option" | "scope">;
const made = (type: string, more: Partial<Made> = {}): fc.Arbitrary<Made> => fc.constant({ type, ...more });
const limits = fc.record({
  type: fc.constantFrom("limit", "abslimit"),
  variant: fc.constantFrom("less", "lessequal", "equal", "notequal", "greaterequal", "greater"),
  value: fc.constantFrom("1", "0", "2.5", "-3"),
});
const rowWise = fc.oneof(
  limits,
  limits,
  made("scale", { value: "0.5" }),
  made("scale", { value: "1/3" }),
  made("offset", { value: "2" }),
  made("sort"),
  made("sort", { variant: "descending" }),
  made("null"),
  made("order", { value: "-y,n" }),
);
const percent = fc.constantFrom("0", "7", "25", "50", "66.6", "95", "99.9", "100");
const words = fc.uniqueArray(
  fc.constantFrom("mean", "min", "max", "median", "q25", "q99.9", "sum", "count", "distinct", "stddev", "variance", "rows"),
  { maxLength: 4 },
);
const aggregate = fc.oneof(
  fc.record({
    type: fc.constantFrom("avg", "stddev", "variance", "count", "min", "max", "sum", "prod"),
    scope: fc.constantFrom("global" as const, "global" as const, "run" as const),
  }),
  fc.record({ type: fc.constant("quantile"), value: percent, variant: fc.constantFrom("lower", "upper") }),
  fc.record({ type: fc.constant("median"), variant: fc.constantFrom("lower", "upper") }),
  words.map((list): Made => ({ type: "statistics", value: list.join(",") })),
  made("first", { value: "3" }),
  made("runindex"),
);
const tail = fc.oneof(
  made("sort"),
  made("count"),
  made("slice", { value: "[0:1]" }),
  made("distrib", { value: "1" }),
  made("first", { value: "2" }),
);

const query: fc.Arbitrary<QueryDescription> = fc
  .tuple(parameters, fc.array(rowWise, { maxLength: 2 }), fc.option(aggregate), fc.array(tail, { maxLength: 1 }), rate(30))
  .chain(([list, changes, last, rest, isShown]) =>
    source(list.map(({ id }) => id)).map((of) => {
      const chain = [...changes, ...(last === null ? [] : [last]), ...rest];
      const operators = chain.map((more, at) => ({ ...more, id: `o${at}`, inputs: [edge(at === 0 ? "s" : `o${at - 1}`)], terms: [] }));
      const shown = isShown ? ["s", ...operators.map(({ id }) => id)] : [operators.at(-1)?.id ?? "s"];
      return { fixed: [], runs: [], series: [], parameters: list, sources: [of], operators, combiners: [], outputs: [outputOf(shown)] };
    }),
  );

function edge(id: string) {
  return { id, attributes: new Map() };
}

function outputOf(inputs: readonly string[]) {
  return { attributes: new Map(), inputs: inputs.map(edge), options: [], tics: [] };
}

const conditions = fc.constantFrom(
  "n>=1",
  "word=a",
  "word~a",
  "host!~a",
  "release>1.9",
  "on is not null",
  "n in 0,3",
  "(host=alpha or host=Beta) and y<2",
  "x>0 and (word=a or word is null or run>=2)",
);
const question: fc.Arbitrary<Question> = fc
  .record({
    results: fc.uniqueArray(fc.constantFrom("n", "x", "y", "wait", "on", "level"), { maxLength: 2 }),
    by: fc.uniqueArray(fc.constantFrom("host", "release", "level", "word", "on", "day", "run", "y"), { maxLength: 2 }),
    statistics: fc.uniqueArray(fc.constantFrom("mean", "min", "max", "median", "q25", "sum", "count", "distinct"), { maxLength: 3 }),
    where: fc.array(conditions, { maxLength: 2 }),
    runs: fc.option(fc.subarray([1, 2, 3, 9], { minLength: 1 }), { nil: undefined }),
    limit: fc.option(fc.constantFrom(1, 3), { nil: undefined }),
    descending: fc.boolean(),
  })
  .map(({ runs, limit, descending, ...more }) => {
    const [first] = more.by;
    const sort = first === undefined ? {} : { sort: [descending ? `-${first}` : first] };
    return { ...more, ...sort, ...(runs ? { runs } : {}), ...(limit === undefined ? {} : { limit }) };
  });

function finite(run: GivenRun): GivenRun {
  const rows = run.rows.map(
    (row) => new Map([...row].map(([name, each]) => [name, each === Infinity || each === -Infinity ? 1024 : each])),
  );
  return { ...run, rows };
}

/** Everything there is to see of vectors, numbers as near as they have to be. */
function seen({ columns, labels, length, from, origin }: Vector): unknown {
  return {
    from,
    origin,
    labels,
    columns: columns.map(({ variable: { name, role, type, unit }, display }) => [name, role, type, formatUnit(unit), display]),
    rows: Array.from({ length }, (_, row) => columns.map((column) => near(contentOf(column, row), column.variable))),
  };
}

function near(value: Value, { type }: Variable): unknown {
  if (typeof value !== "number" || !Number.isFinite(value)) return value;
  return type === "float" || type === "duration" ? { near: value + 0 } : value + 0;
}

/** Equal, but for the last digits of floats. */
function expectAlike(found: unknown, expected: unknown, of: string): void {
  if (!areAlike(found, expected)) expect(found, of).toEqual(expected);
}

function areAlike(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const [left, right] = [Object.entries(a), Object.entries(b)];
  if (left.length !== right.length) return false;
  return left.every(([key, one], at) => {
    const [name, other] = right[at] ?? [];
    if (key !== name) return false;
    return key === "near" ? Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other)) : areAlike(one, other);
  });
}

async function answer(asked: QueryDescription, data: SourceData): Promise<unknown> {
  try {
    const outputs = await evaluate(asked, data);
    return outputs.map(({ inputs }) => inputs.map(({ variants }) => variants.map(({ vector }) => seen(vector))));
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}

onEachEngine("queries", (makePlace, kind) => {
  let folder: string;
  let place: Place;
  let engine: Engine;
  let experiments: Experiments;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "perfkeep-lowered-"));
    place = await makePlace();
    engine = await place.open("write");
    await migrate(engine);
    experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
  });
  afterAll(async () => {
    await engine.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function stored(given: readonly GivenRun[]) {
    const found = await experiments.create(experiment, 1);
    for (const [at, { once: single, rows, active }] of given.entries()) {
      let number = 0;
      await experiments.import(found, 1, { joined: false, sequential: false, fixed: [], missing: "friendly" }, async (writer) => {
        await writer.begin();
        await writer.rows(
          tableOf(
            multiple,
            rows.map((row) => multiple.map(({ name }) => row.get(name) ?? null)),
          ),
        );
        await writer.end(single, { created: at % 2, performed: -at });
        number = writer.numbers[0] ?? 0;
      });
      if (!active) await experiments.removeRuns(found, [number], 1);
    }
    return found;
  }

  function dataOf(found: StoredExperiment): SourceData {
    return {
      experiment: found.experiment,
      runs: async () => (await experiments.runs(found, false)).map(({ number, created, performed }) => ({ number, created, performed })),
      rows: (plan) => experiments.sourceRows(found, plan),
      distinct: (of, where) => experiments.distinct(found, of, where),
      versions: async () => new Set(),
      compile,
    };
  }

  test("a question and its description have the same answer", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(givenRun, { maxLength: 3 }),
        fc.array(question, { minLength: 10, maxLength: 10 }),
        fc.boolean(),
        async (given, questions, summarizes) => {
          // Between an infinite content and another one PostgreSQL tells a question NaN.
          const found = await stored(kind === "postgres" ? given.map(finite) : given);
          const data: SourceData = { ...dataOf(found), ...(summarizes ? { summarizes } : {}) };
          try {
            for (const asked of questions) {
              const table = await experiments.select(found, plan(asked, found.experiment));
              const text = printQueryText(describeQuestion(asked, found.experiment));
              const [output] = await evaluate(parseQuery(text, "q.txt"), data);
              const vector = output?.inputs[0]?.variants[0]?.vector as Vector;
              expect(
                vector.columns.map(({ display, variable: of }) => [display, of.type]),
                text,
              ).toEqual(table.variables.map(({ name, type }) => [name, type]));
              const rows = rowsOf(table).map((row) => row.map((cell, at) => near(cell as Value, table.variables[at] as Variable)));
              const cells = Array.from({ length: vector.length }, (_, row) =>
                vector.columns.map((column) => near(contentOf(column, row), column.variable)),
              );
              expectAlike(cells, rows, text);
            }
          } finally {
            await experiments.purge(found, 1);
          }
        },
      ),
      { numRuns: kind === "duckdb" ? 30 : 8, endOnFailure: true },
    );
  }, 240_000);

  test("answer the same whether the database aggregates or not", async () => {
    let lowered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(givenRun, { maxLength: 4 }), fc.array(query, { minLength: 10, maxLength: 10 }), async (given, queries) => {
        const found = await stored(given);
        const reference = dataOf(found);
        const counting: SourceData = {
          ...reference,
          summarizes: true,
          rows(plan) {
            if (plan.summary ?? plan.limits ?? plan.first) lowered += 1;
            return reference.rows(plan);
          },
        };
        try {
          for (const asked of queries) expectAlike(await answer(asked, counting), await answer(asked, reference), printQueryText(asked));
        } finally {
          await experiments.purge(found, 1);
        }
      }),
      { numRuns: kind === "duckdb" ? 40 : 12, endOnFailure: true },
    );
    expect(lowered).toBeGreaterThan(20);
  }, 240_000);
});
