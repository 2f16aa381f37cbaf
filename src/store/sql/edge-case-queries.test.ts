import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataOf, stored } from "../../../test/fakes/mixed-experiment.ts";
import { onEachEngine, type TestDatabase } from "../../../test/servers/databases.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Value } from "../../core/values/value.ts";
import { parseQuery } from "../../formats/descriptions/query/query-text.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { evaluate, type SourceData } from "../../query/description/evaluate.ts";
import { valueOf } from "../../query/description/vector.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

/* Impossible queries, and results of no values, zero, NaN and one value, are equal inside and outside the database. */

const valuesOf = (row: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(["n", "word", "on", "x", "y", "wait", "day"].map((name) => [name, row[name] ?? null]));
const scene = [
  {
    once: new Map<string, Value>([
      ["host", "alpha"],
      ["release", "1.9"],
      ["level", 1],
    ]),
    active: true,
    rows: [
      { n: 1, word: "a", x: 6, y: 0 },
      { n: 2, word: "a", x: 9, y: 2 },
      { n: 3, word: "b", x: Number.NaN, y: 4 },
      { n: 4, word: "c" },
    ].map(valuesOf),
  },
];

const head = [
  "PARAMETER n n show=data",
  'PARAMETER none n show=data where="= 99"',
  'PARAMETER one n show=data where="= 2"',
  "PARAMETER w word show=data",
];
const sources = [
  "SOURCE x n result=x",
  "SOURCE y n result=y",
  "SOURCE e none result=x",
  "SOURCE f none result=y",
  "SOURCE o one result=x",
  "SOURCE p one result=y",
  "SOURCE all w result=x result=y",
];
const text = (lines: readonly string[]): string => [...head, ...sources, ...lines, ""].join("\n");

const refused: [what: string, lines: readonly string[], message: string][] = [
  ["a cycle", ["OPERATOR a null b", "OPERATOR b null a", "OUTPUT a"], "a -> b -> a"],
  ["an element of itself", ["OPERATOR a avg a", "OUTPUT a"], "a -> a"],
  ["an unknown input", ["OPERATOR a avg xx", "OUTPUT a"], "'xx'"],
  ["an unknown output", ["OUTPUT y1"], "'y1'"],
  ["an unknown parameter", ["SOURCE q nn result=x", "OUTPUT q"], "'nn'"],
  ["an unknown variable", ["SOURCE q n result=xyz", "OUTPUT q"], "'xyz'"],
  ["an unknown operator", ["OPERATOR a average x", "OUTPUT a"], "'average'"],
  [
    "a difference of unlike units",
    ["OPERATOR d diff x y", "OPERATOR a avg d", "OUTPUT a"],
    "'x' (us) and 'y' (no unit) measure different things",
  ],
  ["a sum of unlike units", ["OPERATOR s sum x y", "OUTPUT s"], "'x' (us) and 'y' (no unit) measure different things"],
  [
    "a term of unlike units",
    ["OPERATOR t eval x y", "TERM = x[x] + y[y]", "OUTPUT t"],
    "'x' (us) and 'y' (no unit) measure different things",
  ],
  [
    "a percentage of unlike units",
    ["OPERATOR q percentof x y", "OUTPUT q"],
    "'x' (us) and 'y' (no unit) measure different things",
  ],
  ["bins of what is not finite", ["OPERATOR d distrib x value=1", "OUTPUT d"], "values that are not finite"],
  [
    "inputs without a common parameter",
    ["OPERATOR d div all o", "OUTPUT d"],
    "no parameter in common, and 3 and 1 rows",
  ],
];

const answers: [what: string, lines: readonly string[], rows: readonly (readonly Value[])[]][] = [
  ["aggregates of nothing", ["OPERATOR a avg e", "OUTPUT a"], []],
  ["extremes of nothing", ["OPERATOR l null e", "OPERATOR a min l", "OUTPUT a"], []],
  ["quantiles of nothing", ["OPERATOR a median e", "OUTPUT a"], []],
  ["statistics of nothing", ["OPERATOR a statistics e value=mean,rows", "OUTPUT a"], []],
  ["bins of nothing", ["OPERATOR a distrib e value=1", "OUTPUT a"], []],
  ["intervals of nothing", ["OPERATOR a frequency e", "OUTPUT a"], []],
  ["runs of nothing", ["OPERATOR a latest e", "OUTPUT a"], []],
  ["the first of nothing", ["OPERATOR a first e value=3", "OUTPUT a"], []],
  ["nothing divided by nothing", ["OPERATOR a div e f", "OPERATOR b statistics a value=max", "OUTPUT b"], []],
  ["a term of nothing", ["OPERATOR a eval e f", "TERM = x[e] * y[f]", "OUTPUT a"], []],
  [
    "quotients, one by zero",
    ["OPERATOR q div x y", "OPERATOR s statistics q value=max", "OUTPUT s"],
    [
      [2, 4.5],
      [3, Number.NaN],
    ],
  ],
  [
    "terms, one by zero",
    ["OPERATOR q eval x y", "TERM = x[x] / y[y]", "OPERATOR s statistics q value=max", "OUTPUT s"],
    [
      [1, null],
      [2, 4.5],
      [3, null],
    ],
  ],
  ["a mean with NaN", ["OPERATOR a null x", "OPERATOR m avg a", "OUTPUT m"], [[Number.NaN]]],
  [
    "a limit that NaN does not pass",
    ["OPERATOR l limit x variant=greater value=5", "OPERATOR s statistics l value=rows", "OUTPUT s"],
    [
      [1, 1],
      [2, 1],
    ],
  ],
  ["the spread of one value", ["OPERATOR a stddev o", "OUTPUT a"], [[2, null]]],
  ["the median of one value", ["OPERATOR a median o", "OUTPUT a"], [[2, 9]]],
  ["a quantile of one value", ["OPERATOR a statistics o value=q95,stddev,variance", "OUTPUT a"], [[2, 9, null, null]]],
  ["bins of one value", ["OPERATOR a distrib o", "OUTPUT a"], [[9, 1]]],
  ["the share of one value", ["OPERATOR a div o p", "OPERATOR m avg a", "OUTPUT m"], [[4.5]]],
];

onEachEngine(
  "odd queries",
  (makeDatabase) => {
    let folder: string;
    let database: TestDatabase;
    let engine: Engine;
    let data: SourceData;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "perfkeep-odd-"));
      database = await makeDatabase();
      engine = await database.open("write");
      await migrate(engine);
      const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
      data = dataOf(experiments, await stored(experiments, scene));
    });
    afterAll(async () => {
      await engine.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    });

    describe.each<[string, Partial<SourceData>]>([
      ["in the database", { summarizes: true }],
      ["outside of it", {}],
    ])("%s", (_, more) => {
      const answer = async (lines: readonly string[]): Promise<{ names: string[]; rows: Value[][] }> => {
        const [output] = await evaluate(parseQuery(text(lines), "q.txt"), { ...data, ...more });
        const vector = output?.inputs[0]?.variants[0]?.vector;
        const columns = vector?.columns ?? [];
        const rows = Array.from({ length: vector?.length ?? 0 }, (_, row) =>
          columns.map((column) => valueOf(column, row)),
        );
        return { names: columns.map(({ display }) => display), rows };
      };

      it.each(refused)("%s is refused with its name", async (_, lines, message) => {
        const problem = await answer(lines).then(
          () => "",
          (error: unknown) => (isFailure(error) ? error.message : Promise.reject(error)),
        );
        expect(problem).toContain(message);
      });

      it.each(answers)("%s give a header and correct numbers", async (_, lines, rows) => {
        const found = await answer(lines);
        expect(found.names.length).toBeGreaterThan(0);
        expect(found.rows).toEqual(rows);
      });
    });
  },
  true,
);
