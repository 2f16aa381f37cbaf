import fc from "fast-check";
import { expect, test } from "vitest";
import { edge, expectSameAnswers, filter, outputOf, term } from "../../../test/fakes/mixed-experiment.ts";
import { onEachEngine } from "../../../test/servers/databases.ts";
import { TestExperiments } from "../../../test/servers/test-experiments.ts";
import type {
  OperatorElement,
  ParameterElement,
  QueryDescription,
  SourceElement,
} from "../../core/experiments/query-description.ts";

/* Rows of several sources that are joined in the database come out as if each source had been fetched. */

type Made = Partial<OperatorElement>;

const parameter = (id: string): fc.Arbitrary<ParameterElement> =>
  fc
    .constantFrom("host", "release", "level", "n", "word", "on", "y", "wait", "day", "run")
    .map((value): ParameterElement => ({ id, value, show: "data", filters: [] }));
const results = fc.constantFrom(["x"], ["y"], ["n"], ["wait"], ["y", "x"], ["x", "n"]);
const source = (id: string, list: readonly string[]): fc.Arbitrary<SourceElement> =>
  fc.record(
    {
      id: fc.constant(id),
      inputs: fc.constantFrom(["p"], ["p", "q"], ["p"], ["p", "q"], ["p"], ["q"]),
      results: fc.constant(list.map((name) => ({ name }))),
      filters: fc.array(filter, { maxLength: 1 }),
      missing: fc.constantFrom("drop" as const, "keep" as const),
    },
    { requiredKeys: ["id", "inputs", "results"] },
  );

const sides = fc.constantFrom<Made>(
  { type: "null" },
  { type: "scale", value: "2" },
  { type: "offset", value: "-1" },
  { type: "limit", variant: "less", value: "3" },
  { type: "oldest" },
  { type: "sort" },
);
const of = (a: string, b: string, names: readonly string[]): fc.Arbitrary<Made> =>
  fc.oneof(
    fc
      .constantFrom("diff", "div", "percentof", "above", "below", "sum", "prod", "min", "max")
      .map((type) => ({ type })),
    fc.constantFrom("div", "percentof", "prod").map((type) => ({ type })),
    fc.constant<Made>({ type: "diff", match: "index" }),
    term([a, b], names).map((each) => ({ type: "eval", terms: [{ term: each }] })),
  );
const after = fc.constantFrom<Made>(
  { type: "avg" },
  { type: "sum" },
  { type: "min" },
  { type: "max" },
  { type: "count" },
  { type: "median" },
  { type: "distrib", value: "0.5" },
  { type: "statistics", value: "min,max,rows" },
  { type: "first", value: "2" },
  { type: "limit", variant: "greater", value: "0" },
  { type: "abslimit", variant: "lessequal", value: "2" },
  { type: "scale", value: "4" },
  { type: "latest" },
  { type: "runindex" },
);

const query: fc.Arbitrary<QueryDescription> = results
  .chain((names) =>
    fc.tuple(
      fc.tuple(parameter("p"), parameter("q")),
      source("s", names),
      source("t", names),
      sides,
      of("a", "t", names),
      fc.option(of("j", "s", names), { freq: 4 }),
      fc.array(after, { maxLength: 2 }),
    ),
  )
  .map(([list, s, t, side, join1, join2, rest]) => {
    const operators: OperatorElement[] = [
      { terms: [], ...side, id: "a", inputs: [edge("s")] },
      { terms: [], ...join1, id: "j", inputs: [edge("a"), edge("t")] },
      ...(join2 === null ? [] : [{ terms: [], ...join2, id: "k", inputs: [edge("j"), edge("s")] }]),
    ];
    for (const [at, each] of rest.entries())
      operators.push({ terms: [], ...each, id: `o${at}`, inputs: [edge(operators.at(-1)?.id ?? "s")] });
    const outputs = [outputOf([operators.at(-1)?.id ?? "s"])];
    return { fixed: [], runs: [], series: [], parameters: list, sources: [s, t], operators, combiners: [], outputs };
  });

onEachEngine(
  "queries of several sources",
  (makeDatabase, kind) => {
    const fixture = new TestExperiments(makeDatabase);

    test("give the same result whether the database joins or not", async () => {
      let joined = 0;
      const rounds = { size: 25, numRuns: kind === "duckdb" ? 8 : 5 };
      await expectSameAnswers(fixture.experiments, query, rounds, (plan) => {
        if (typeof plan.of !== "string") joined += 1;
      });
      expect(joined).toBeGreaterThan(20);
    }, 240_000);
  },
  true,
);
