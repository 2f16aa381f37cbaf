import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { compareValues, formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { postgresDialect } from "../../plugins/engines/postgres-catalogue.ts";
import { plan, type QuerySpec } from "../../query/plan/query.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { compilePlan } from "./compile-plan.ts";
import { migrate } from "../schema/schema.ts";
import { importRows } from "../../../test/fakes/import-rows.ts";

/* What the database answers is what a slow and obvious evaluation over plain rows answers. */

function variable(
  name: string,
  type: Variable["type"],
  occurrence: Variable["occurrence"],
  role: Variable["role"] = "parameter",
): Variable {
  return { name, type, occurrence, role, default: null };
}

const variables = [
  variable("n", "integer", "multiple"),
  variable("text", "string", "multiple"),
  variable("on", "boolean", "multiple"),
  variable("host", "string", "once"),
  variable("release", "version", "once"),
  variable("x", "float", "multiple", "result"),
  variable("big", "integer", "multiple", "result"),
];
const experiment: Experiment = { name: "e", readers: [], writers: [], variables };

const maybe = <T extends Value>(value: fc.Arbitrary<T>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
const valuesOf: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  n: maybe(fc.integer({ min: -2, max: 3 })),
  text: maybe(fc.constantFrom("a", "b", "A", "é", "a%", "")),
  on: maybe(fc.boolean()),
  host: maybe(fc.constantFrom("alpha", "Beta", "beta")),
  release: maybe(fc.constantFrom("1.9", "1.10", "1.10rc1", "2")),
  x: maybe(fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(Number.NaN, 0, 1, 2.5))),
  big: maybe(fc.oneof(fc.integer(), fc.constantFrom(9223372036854775807n, 4611686018427387904n))),
};

type Row = Readonly<Record<string, Value>>;
const runs: fc.Arbitrary<{ rows: Row[]; active: boolean }[]> = fc.array(
  fc.record({
    rows: fc
      .tuple(
        fc.record({
          host: valuesOf["host"] as fc.Arbitrary<Value>,
          release: valuesOf["release"] as fc.Arbitrary<Value>,
        }),
        fc.array(fc.record(valuesOf), { maxLength: 12 }),
      )
      .map(([once, rows]) => rows.map((row) => ({ ...row, ...once }))),
    active: fc.boolean(),
  }),
  { maxLength: 4 },
);

const comparisons = ["=", "!=", "<", "<=", ">", ">="] as const;
const condition = fc.constantFrom(...variables).chain((of) =>
  fc.record({
    of: fc.constant(of),
    comparison: fc.constantFrom(
      ...comparisons,
      "null" as const,
      ...(of.type === "string" || of.type === "version" ? (["~"] as const) : []),
    ),
    value: (valuesOf[of.name] as fc.Arbitrary<Value>).filter((value) => value !== null && value !== ""),
  }),
);

const question = fc.record({
  by: fc.uniqueArray(fc.constantFrom("n", "text", "on", "host", "release"), { maxLength: 3 }),
  results: fc.uniqueArray(fc.constantFrom("x", "big"), { minLength: 1, maxLength: 2 }),
  statistics: fc.uniqueArray(
    fc.constantFrom(
      "min",
      "max",
      "mean",
      "median",
      "q25",
      "q90",
      "stddev",
      "variance",
      "sum",
      "count",
      "distinct",
      "trim25",
      "mode",
      "mad",
      "geomean",
    ),
    {
      maxLength: 5,
    },
  ),
  where: fc.array(condition, { maxLength: 2 }),
});

type Given = typeof runs extends fc.Arbitrary<infer T> ? T : never;
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** NaN is the most frequent value; DuckDB's own mode counts each NaN by itself. */
function frequentNaN(): [Given, Question[]] {
  const row = { n: 0, text: null, on: false, host: null, release: null, big: null };
  const asked: Question = { by: [], results: ["x"], statistics: ["mode"], where: [] };
  return [
    [{ rows: [Number.NaN, Number.NaN, 0].map((x) => ({ ...row, x })), active: true }],
    Array.from({ length: 5 }, () => asked),
  ];
}

onEachDialect(
  "selections",
  (makeDatabase) => {
    let folder: string;
    let database: TestDatabase;
    let engine: Engine;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "perfkeep-select-"));
      database = await makeDatabase();
      engine = await database.open("write");
      await migrate(engine);
    });
    afterAll(async () => {
      await engine.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    });

    test("the database gives the results of plain evaluation", async () => {
      const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
      const experiments = database.experiments?.(engine, objects) ?? new Experiments(engine, objects);
      await fc.assert(
        fc.asyncProperty(runs, fc.array(question, { minLength: 5, maxLength: 5 }), async (given, questions) => {
          const stored = await experiments.create(experiment, 1);
          try {
            for (const run of given) await importRun(experiments, run);
            const rows = given.filter((run) => run.active).flatMap((run) => run.rows);
            for (const asked of questions) {
              const words: QuerySpec = { ...asked, where: asked.where.map(spelt) };
              const answer = rowsOf(await experiments.select(stored, plan(words, stored.experiment))) as Value[][];
              closeTo(answer, evaluate(rows, asked));
            }
          } finally {
            await experiments.purge(stored, 1);
          }
        }),
        { numRuns: database.experiments === undefined ? 25 : 8, examples: [frequentNaN()] },
      );
    }, 120_000);

    test("values of every type are found by their text", async () => {
      const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
      const bytes = variable("bytes", "binary", "multiple");
      const kept: Experiment = { name: "kept", readers: [], writers: [], variables: [bytes] };
      const stored = await experiments.create(kept, 1);
      await importRows(experiments, stored, [bytes], [["AAE="], ["/w=="], [null]]);
      const found = async (where: string) =>
        rowsOf(await experiments.select(stored, plan({ where: [where] }, stored.experiment)));
      expect(await found("bytes=AAE=")).toEqual([["AAE="]]);
      expect(await found("bytes!=AAE=")).toEqual([["/w=="]]);
      expect(await found("bytes in AAE=,/w==")).toEqual([["AAE="], ["/w=="]]);
      expect(await found("bytes is not null")).toHaveLength(2);
      await experiments.purge(stored, 1);
    });
  },
  true,
);

async function importRun(experiments: Experiments, run: { rows: Row[]; active: boolean }): Promise<void> {
  const stored = await experiments.find("e");
  const multiple = stored.experiment.variables.filter((each) => each.occurrence === "multiple");
  const once = new Map(["host", "release"].map((name) => [name, run.rows[0]?.[name] ?? null]));
  const values = run.rows.map((row) => multiple.map((each) => row[each.name] ?? null));
  const number = await importRows(experiments, stored, multiple, values, { once });
  if (!run.active) await experiments.removeRuns(stored, [number], 1);
}

interface Asked {
  readonly by: readonly string[];
  readonly results: readonly string[];
  readonly statistics: readonly string[];
  readonly where: readonly { readonly of: Variable; readonly comparison: string; readonly value: Value }[];
}

function spelt({ of, comparison, value }: Asked["where"][number]): string {
  return comparison === "null" ? `${of.name} is null` : `${of.name} ${comparison} ${formatValue(value, of.type)}`;
}

function evaluate(rows: readonly Row[], asked: Asked): Value[][] {
  const kept = rows.filter((row) => asked.where.every((each) => holds(row[each.of.name] ?? null, each)));
  if (asked.by.length === 0 && asked.statistics.length === 0)
    return kept.map((row) => asked.results.map((name) => row[name] ?? null));
  const statistics = asked.statistics.length === 0 ? ["mean"] : asked.statistics;
  const groups = new Map<string, Row[]>();
  if (asked.by.length === 0) groups.set("[]", []);
  for (const row of kept) {
    const key = JSON.stringify(asked.by.map((name) => row[name]));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const answers = [...groups.values()].map((group) => [
    ...asked.by.map((name) => group[0]?.[name] ?? null),
    ...statistics.flatMap((statistic) =>
      asked.results.map((name) =>
        reduce(
          statistic,
          group.map((row) => row[name] ?? null),
        ),
      ),
    ),
  ]);
  return answers.toSorted((a, b) => {
    for (const [index, name] of asked.by.entries()) {
      const order = nullsLast(
        a[index] ?? null,
        b[index] ?? null,
        variables.find((each) => each.name === name)?.type ?? "text",
      );
      if (order !== 0) return order;
    }
    return 0;
  });
}

function nullsLast(a: Value, b: Value, type: Variable["type"]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(a, b, type);
}

function holds(cell: Value, { of, comparison, value }: Asked["where"][number]): boolean {
  if (comparison === "null") return cell === null;
  if (cell === null) return false;
  if (comparison === "~") return String(cell).includes(String(value));
  const order = compareValues(cell, value, of.type);
  const answers: Readonly<Record<string, boolean>> = {
    "=": order === 0,
    "!=": order !== 0,
    "<": order < 0,
    "<=": order <= 0,
    ">": order > 0,
    ">=": order >= 0,
  };
  return answers[comparison] ?? false;
}

function reduce(statistic: string, all: readonly Value[]): Value {
  const present = all.filter(
    (value): value is number | bigint => typeof value === "number" || typeof value === "bigint",
  );
  if (statistic === "count") return present.length;
  if (statistic === "distinct") return new Set(present.map((value) => (Object.is(value, -0) ? 0 : value))).size;
  if (present.length === 0) return null;
  const ordered = present.toSorted((a, b) => compareValues(a, b, "float"));
  const numbers = ordered.map(Number);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  switch (statistic) {
    case "min":
      return ordered[0] ?? null;
    case "max":
      return ordered.at(-1) ?? null;
    case "mean":
      return mean;
    case "sum":
      return all.some((value) => typeof value === "number" && !Number.isInteger(value))
        ? numbers.reduce((a, b) => a + b, 0)
        : exactSum(present);
    case "stddev":
    case "variance": {
      if (numbers.length < 2) return null;
      const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (numbers.length - 1);
      return statistic === "variance" ? variance : Math.sqrt(variance);
    }
    case "mode":
      return mostFrequent(ordered);
    case "mad": {
      const middle = quantile(numbers, 0.5);
      return quantile(
        numbers.map((value) => Math.abs(value - middle)).toSorted((a, b) => compareValues(a, b, "float")),
        0.5,
      );
    }
    case "geomean":
      return numbers.some((value) => value <= 0)
        ? null
        : Math.exp(numbers.reduce((sum, value) => sum + Math.log(value), 0) / numbers.length);
    case "trim25": {
      const kept = numbers.slice(Math.floor(numbers.length / 4), numbers.length - Math.floor(numbers.length / 4));
      return kept.reduce((sum, value) => sum + value, 0) / kept.length;
    }
    default:
      return quantile(numbers, statistic === "median" ? 0.5 : Number(statistic.slice(1)) / 100);
  }
}

function mostFrequent(ordered: readonly (number | bigint)[]): Value {
  const times = (value: number | bigint): number =>
    ordered.filter((each) => each === value || Object.is(each, value)).length;
  const most = Math.max(...ordered.map(times));
  const [first = null] = ordered.filter((value) => times(value) === most);
  return typeof first === "number" ? first + 0 : first;
}

function exactSum(values: readonly (number | bigint)[]): Value {
  if (values.some((value) => Number.isNaN(value))) return Number.NaN;
  const sum = values.reduce((total: bigint, value) => total + BigInt(value), 0n);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}

function quantile(sorted: readonly number[], at: number): number {
  const position = (sorted.length - 1) * at;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return Math.floor(position) === Math.ceil(position)
    ? below
    : below + (above - below) * (position - Math.floor(position));
}

/** Sums of doubles depend on the order of addition in their last digits. */
function closeTo(answer: readonly Value[][], expected: readonly Value[][]): void {
  expect(answer.length).toBe(expected.length);
  answer.forEach((row, index) => {
    row.forEach((value, column) => {
      const wanted = expected[index]?.[column] ?? null;
      if (typeof value !== "number" || typeof wanted !== "number" || Number.isNaN(wanted))
        expect(value).toEqual(wanted);
      else if (value !== wanted)
        expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-9 * Math.max(Math.abs(value), Math.abs(wanted), 1));
    });
  });
}

test("PostgreSQL has its own function for base64", () => {
  const bytes = variable("bytes", "binary", "multiple");
  const kept: Experiment = { name: "kept", readers: [], writers: [], variables: [bytes] };
  const asked = plan({ where: ["bytes=AAE="] }, kept);
  const { sql } = compilePlan(
    asked,
    { id: 1, experiment: kept, variableIds: [7] },
    { dialect: postgresDialect, check: "none if hidden", hasOverflow: false },
  );
  expect(sql).toContain("decode($1, 'base64')");
});
