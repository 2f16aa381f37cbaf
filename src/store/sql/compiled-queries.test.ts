import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answer,
  dataOf,
  edge,
  expectAlike,
  expectSameAnswers,
  filter,
  finite,
  givenRun,
  named,
  near,
  outputOf,
  stored,
  term,
} from "../../../test/fakes/mixed-experiment.ts";
import { onEachEngine } from "../../../test/servers/databases.ts";
import { expectSent } from "../../../test/servers/sent-aggregates.ts";
import { TestExperiments } from "../../../test/servers/test-experiments.ts";
import {
  chronologies,
  missingRows,
  type OperatorElement,
  type QueryDescription,
  type SourceElement,
} from "../../core/experiments/query-description.ts";
import { rowsOf } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { parseQuery } from "../../formats/descriptions/query/query-text.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { evaluate, type SourceData } from "../../query/description/evaluate.ts";
import { describeQuery } from "../../query/description/describe-query.ts";
import { plan, type QuerySpec } from "../../query/plan/query.ts";
import { valueOf, type Vector } from "../../query/description/vector.ts";

/* Operators give the same result in the database as on fetched rows. */

const rate = (percent: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 0, max: 99 }).map((found) => found < percent);
const parameter = (id: string) =>
  fc
    .record({
      value: named,
      show: fc.constantFrom("auto" as const, "data" as const, "data" as const, "nothing" as const, "all" as const),
    })
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
        .uniqueArray(fc.oneof({ weight: 5, arbitrary: numbers }, { weight: 1, arbitrary: named }), {
          minLength: 1,
          maxLength: 2,
        })
        .map((list) => list.map((name) => ({ name }))),
      filters: fc.array(filter, { maxLength: 1 }),
      missing: fc.constantFrom(...missingRows),
      chronology: fc.constantFrom(...chronologies),
    },
    { requiredKeys: ["id", "inputs", "results"] },
  );

type Made = Partial<Pick<OperatorElement, "type" | "value" | "variant" | "option" | "scope" | "terms">>;
const made = (type: string, more: Partial<Made> = {}): fc.Arbitrary<Made> => fc.constant({ type, ...more });
const limits = fc.record({
  type: fc.constantFrom("limit", "abslimit"),
  variant: fc.constantFrom("less", "lessequal", "equal", "notequal", "greaterequal", "greater"),
  value: fc.constantFrom("1", "0", "2.5", "-3"),
});
const evaluated = term(["s"]).map((of): Made => ({ type: "eval", terms: [{ term: of }] }));
const rowWise = fc.oneof(
  limits,
  limits,
  made("scale", { value: "0.5" }),
  made("scale", { value: "1/3" }),
  made("offset", { value: "2" }),
  made("scale", { value: "3" }),
  made("modulo", { value: "3" }),
  made("round", { value: "0" }),
  made("slice", { value: "[0:2]" }),
  made("slice", { value: "[1:-1]" }),
  made("latest"),
  made("oldest"),
  evaluated,
  made("sort"),
  made("sort", { variant: "descending" }),
  made("null"),
  made("order", { value: "-y,n" }),
);
const percent = fc.constantFrom("0", "7", "25", "50", "66.6", "95", "99.9", "100");
const words = fc.uniqueArray(
  fc.constantFrom(
    "mean",
    "min",
    "max",
    "median",
    "q25",
    "q99.9",
    "sum",
    "count",
    "distinct",
    "stddev",
    "variance",
    "rows",
    "trim20",
    "mode",
    "mad",
    "geomean",
  ),
  { maxLength: 4 },
);
const aggregate = fc.oneof(
  fc.record({
    type: fc.constantFrom("avg", "stddev", "variance", "count", "min", "max", "sum", "prod"),
    scope: fc.constantFrom("global" as const, "global" as const, "run" as const),
  }),
  fc.record({ type: fc.constantFrom("distrib", "frequency"), value: fc.constantFrom("1", "0.5", "0.1", "1000") }),
  fc
    .constantFrom("absolute", "nonzero", "cumulative")
    .map((variant): Made => ({ type: "distrib", variant, option: "samples" })),
  made("distrib"),
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
  .tuple(
    parameters,
    fc.array(rowWise, { maxLength: 2 }),
    fc.option(aggregate),
    fc.array(tail, { maxLength: 1 }),
    rate(30),
  )
  .chain(([list, changes, last, rest, isShown]) =>
    source(list.map(({ id }) => id)).map((of) => {
      const chain = [...changes, ...(last === null ? [] : [last]), ...rest];
      const operators = chain.map((more, at) => ({
        terms: [],
        ...more,
        id: `o${at}`,
        inputs: [edge(at === 0 ? "s" : `o${at - 1}`)],
      }));
      const shown = isShown ? ["s", ...operators.map(({ id }) => id)] : [operators.at(-1)?.id ?? "s"];
      return {
        fixed: [],
        runs: [],
        series: [],
        parameters: list,
        sources: [of],
        operators,
        combiners: [],
        outputs: [outputOf(shown)],
      };
    }),
  );

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
  "word=a or performer=ann or (n>1 and label is null)",
  "performer!=ann or created>2000-01-01",
);
const question: fc.Arbitrary<QuerySpec> = fc
  .record({
    results: fc.uniqueArray(fc.constantFrom("n", "x", "y", "wait", "on", "level"), { maxLength: 2 }),
    by: fc.uniqueArray(
      fc.constantFrom("host", "release", "level", "word", "on", "day", "run", "y", "performer", "dirty"),
      {
        maxLength: 2,
      },
    ),
    statistics: fc.uniqueArray(
      fc.constantFrom(
        "mean",
        "min",
        "max",
        "median",
        "q25",
        "sum",
        "count",
        "distinct",
        "trim10",
        "mode",
        "mad",
        "geomean",
      ),
      {
        maxLength: 3,
      },
    ),
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

onEachEngine(
  "queries",
  (makeDatabase, kind) => {
    const fixture = new TestExperiments(makeDatabase);

    test("a query and its description have the same result", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(givenRun, { maxLength: 3 }),
          fc.array(question, { minLength: 10, maxLength: 10 }),
          fc.boolean(),
          async (given, questions, summarizes) => {
            // PostgreSQL interpolates between an infinite value and another one as NaN.
            const found = await stored(fixture.experiments, kind === "postgres" ? given.map(finite) : given);
            const data: SourceData = { ...dataOf(fixture.experiments, found), ...(summarizes ? { summarizes } : {}) };
            try {
              for (const asked of questions) {
                const planned = plan(asked, found.experiment);
                const table = await fixture.experiments.select(found, planned);
                await expectSent(fixture.engine, await fixture.experiments.statement(found, planned));
                const text = printQueryText(describeQuery(asked, found.experiment));
                const [output] = await evaluate(parseQuery(text, "q.txt"), data);
                const vector = output?.inputs[0]?.variants[0]?.vector as Vector;
                expect(
                  vector.columns.map(({ display, variable: of }) => [display, of.type]),
                  text,
                ).toEqual(table.variables.map(({ name, type }) => [name, type]));
                const rows = rowsOf(table).map((row) =>
                  row.map((cell, at) => near(cell as Value, table.variables[at] as Variable)),
                );
                const cells = Array.from({ length: vector.length }, (_, row) =>
                  vector.columns.map((column) => near(valueOf(column, row), column.variable)),
                );
                expectAlike(cells, rows, text);
              }
            } finally {
              await fixture.experiments.purge(found, 1);
            }
          },
        ),
        { numRuns: kind === "duckdb" ? 30 : 8, endOnFailure: true },
      );
    }, 240_000);

    test("a repeated parameter of a source shifts no other", async () => {
      const text = [
        "PARAMETER p0 n show=data",
        "PARAMETER p1 n show=all",
        "PARAMETER p2 word",
        "SOURCE s p0 p1 p2 result=y",
        "OPERATOR o1 eval s",
        "TERM = y[''] * 2",
        'OPERATOR o2 statistics o1 value="sum"',
        "OUTPUT o2",
      ].join("\n");
      const rows = [
        [7, "a", 1],
        [3, "b", 2],
      ].map(
        ([n, word, y]) =>
          new Map([
            ...["on", "x", "wait", "day"].map((name) => [name, null] as const),
            ["n", n!],
            ["word", word!],
            ["y", y!],
          ]),
      );
      const found = await stored(fixture.experiments, [
        { once: new Map(["host", "release", "level"].map((name) => [name, null])), rows, active: true },
      ]);
      try {
        const reference = dataOf(fixture.experiments, found);
        const asked = parseQuery(text, "q");
        expectAlike(await answer(asked, { ...reference, summarizes: true }), await answer(asked, reference), text);
      } finally {
        await fixture.experiments.purge(found, 1);
      }
    });

    test("give the same result whether the database aggregates or not", async () => {
      let lowered = 0;
      const rounds = { size: 10, numRuns: kind === "duckdb" ? 40 : 12 };
      await expectSameAnswers(fixture.experiments, query, rounds, async (plan, found) => {
        if (plan.grouped || plan.limits !== undefined || plan.limit !== undefined) lowered += 1;
        if (found.shards !== undefined)
          await expectSent(fixture.engine, await fixture.experiments.statement(found, plan));
      });
      expect(lowered).toBeGreaterThan(20);
    }, 240_000);
  },
  true,
);
