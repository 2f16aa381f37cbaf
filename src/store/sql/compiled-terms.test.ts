import fc from "fast-check";
import { expect, test } from "vitest";
import { edge, outputOf, term } from "../../../test/fakes/mixed-experiment.ts";
import { onEachEngine } from "../../../test/servers/databases.ts";
import { TestExperiments } from "../../../test/servers/test-experiments.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { OperatorElement, QueryDescription } from "../../core/experiments/query-description.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { evaluate, type SourceData } from "../../query/description/evaluate.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { compileRegex } from "./resolve-patterns.ts";
import { importRows } from "../../../test/fakes/import-rows.ts";

/* Databases compute floats bit for bit like perfkeep. */

const variables: Variable[] = [
  { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null },
  { name: "x", role: "result", occurrence: "multiple", type: "float", default: null },
  { name: "y", role: "result", occurrence: "multiple", type: "float", default: null },
];
const experiment: Experiment = { name: "e", readers: [], writers: [], variables };
const number = fc.oneof(
  fc.double(),
  fc.double({ min: -10, max: 10 }),
  fc.constantFrom(0, -0, 0.1, 1e300, 5e-324, 1 / 3),
);
const rows = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 40 });

type Made = Partial<OperatorElement>;
const single = fc.oneof(
  term(["s"], ["x", "y"]).map((of): Made => ({ type: "eval", terms: [{ term: of }] })),
  fc.constantFrom<Made>({ type: "scale", value: "0.1" }, { type: "offset", value: "1/3" }),
);
const paired = fc.constantFrom<Made>(
  ...["diff", "div", "percentof", "above", "below", "sum", "prod", "min", "max"].map((type) => ({ type })),
);

/** The parameter identifies rows, so that statistics of its groups show every number. */
const query: fc.Arbitrary<QueryDescription> = fc.oneof(single, paired).map((made) => {
  const isPair = !["eval", "scale", "offset"].includes(made.type ?? "");
  const source = (id: string, name: string) => ({ id, inputs: ["k"], results: [{ name }] });
  const sources = isPair
    ? [source("s", "x"), source("t", "y")]
    : [{ ...source("s", "x"), results: [{ name: "x" }, { name: "y" }] }];
  const inputs = sources.map(({ id }) => edge(id));
  const operators: OperatorElement[] = [
    { terms: [], ...made, id: "o", inputs },
    { terms: [], type: "statistics", value: "max", id: "all", inputs: [edge("o")] },
  ];
  const parameters = [{ id: "k", value: "k", filters: [] }];
  return {
    fixed: [],
    runs: [],
    series: [],
    parameters,
    sources,
    operators,
    combiners: [],
    outputs: [outputOf(["all"])],
  };
});

onEachEngine("terms", (makeDatabase, kind) => {
  const fixture = new TestExperiments(makeDatabase);

  async function stored(pairs: readonly (readonly [number, number])[]): Promise<StoredExperiment> {
    const found = await fixture.experiments.create(experiment, 1);
    const list = pairs.map((pair, at) => [at, ...pair]);
    await importRows(fixture.experiments, found, variables, list);
    return found;
  }

  test("are computed alike in the database and outside", async () => {
    let there = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.array(query, { minLength: 25, maxLength: 25 }), async (pairs, queries) => {
        const found = await stored(pairs);
        const data: SourceData = {
          experiment: found.experiment,
          runs: async () => [],
          rows: (plan) => fixture.experiments.sourceRows(found, plan),
          distinct: (of, where) => fixture.experiments.distinct(found, of, where),
          history: async () => [],
          versions: async () => new Set(),
          compile: compileRegex,
        };
        const counting: SourceData = {
          ...data,
          summarizes: true,
          rows(plan) {
            if (plan.grouped) there += 1;
            return data.rows(plan);
          },
        };
        try {
          for (const asked of queries) {
            const [one, other] = [await evaluate(asked, counting), await evaluate(asked, data)];
            expect(bitsOf(one), printQueryText(asked)).toEqual(bitsOf(other));
          }
        } finally {
          await fixture.experiments.purge(found, 1);
        }
      }),
      { numRuns: kind === "duckdb" ? 6 : 3, endOnFailure: true },
    );
    expect(there).toBeGreaterThan(30);
  }, 120_000);
});

/** Numbers with all their digits; -0 as 0. */
function bitsOf(outputs: Awaited<ReturnType<typeof evaluate>>): unknown {
  return outputs.flatMap(({ inputs }) =>
    inputs.flatMap(({ variants }) =>
      variants.map(({ vector: { columns, length } }) =>
        columns.map(({ column }) =>
          Array.from({ length }, (_, row) =>
            column.kind === "number" && column.missing?.[row] !== 1 ? String((column.values[row] ?? 0) + 0) : null,
          ),
        ),
      ),
    ),
  );
}
