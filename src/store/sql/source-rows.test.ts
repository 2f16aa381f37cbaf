import fc from "fast-check";
import { expect, test } from "vitest";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { TestExperiments } from "../../../test/servers/test-experiments.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { chronologies } from "../../core/experiments/query-description.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { predicateTest, variablesIn, type Predicate } from "../../query/plan/predicate.ts";
import { type LogicalPlan, runRows } from "../../query/plan/logical-plan.ts";
import { compileRegex } from "./resolve-patterns.ts";
import { importRows } from "../../../test/fakes/import-rows.ts";

/* The rows of a source equal those of a plain filter and sort over all rows. */

function variable(name: string, type: Variable["type"], occurrence: Variable["occurrence"]): Variable {
  return { name, type, occurrence, role: "parameter", default: null };
}

const host = variable("host", "string", "once");
const release = variable("release", "version", "once");
const n = variable("n", "integer", "multiple");
const word = variable("word", "text", "multiple");
const on = variable("on", "boolean", "multiple");
const x = variable("x", "float", "multiple");
const day = variable("day", "date", "multiple");
const variables = [host, release, n, word, on, x, day];
const experiment: Experiment = { name: "e", readers: [], writers: [], variables };

const known: Readonly<Record<string, readonly Exclude<Value, null>[]>> = {
  host: ["alpha", "Beta", "beta", "a_b", "a%b"],
  release: ["1.9", "1.10", "1.10rc1", "2"],
  n: [-2, 0, 1, 3, 9223372036854775807n],
  word: ["", "a", "b", "ab", "A", "é", "a\\b", "'a'", "a\nb"],
  on: [true, false],
  x: [Number.NaN, 0, 1, 2.5, -1e300, Number.POSITIVE_INFINITY],
  day: [0, 12_000, -400],
};

const valueOf = ({ name }: Variable): fc.Arbitrary<Exclude<Value, null>> => fc.constantFrom(...(known[name] ?? []));
const maybe = (of: Variable): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: valueOf(of) }, { weight: 1, arbitrary: fc.constant(null) });
const rowOf = (list: readonly Variable[]): fc.Arbitrary<Map<string, Value>> =>
  fc.tuple(...list.map(maybe)).map((cells) => new Map(list.map(({ name }, at) => [name, cells[at] ?? null])));

interface GivenRun {
  readonly once: ReadonlyMap<string, Value>;
  readonly rows: readonly ReadonlyMap<string, Value>[];
  readonly created: number;
  readonly performed: number;
  readonly active: boolean;
}

const once = variables.filter((each) => each.occurrence === "once");
const multiple = variables.filter((each) => each.occurrence === "multiple");
const givenRun: fc.Arbitrary<GivenRun> = fc.record({
  once: rowOf(once),
  rows: fc.array(rowOf(multiple), { maxLength: 6 }),
  created: fc.integer({ min: 0, max: 2 }),
  performed: fc.integer({ min: 0, max: 2 }),
  active: fc.boolean(),
});

/** Conditions on variables of one occurrence, as deep as filters nest. */
function predicate(list: readonly Variable[]): fc.Arbitrary<Predicate> {
  const some = fc.constantFrom(...list);
  const texts = list.filter((each) => each.type === "string" || each.type === "text" || each.type === "version");
  return fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { depthSize: "small" },
      some.chain((of) =>
        fc.record({
          kind: fc.constantFrom("=" as const, "<>" as const, "<" as const, "<=" as const, ">" as const, ">=" as const),
          variable: fc.constant(of),
          value: valueOf(of),
        }),
      ),
      fc.record({ kind: fc.constantFrom("null" as const, "notnull" as const), variable: some }),
      fc.record({
        kind: fc.constantFrom("contain" as const, "notcontain" as const),
        variable: fc.constantFrom(...texts),
        text: fc.constantFrom("a", "", "\\", "%"),
      }),
      fc.record({
        kind: fc.constant("like" as const),
        variable: fc.constantFrom(...texts),
        text: fc.constantFrom("a%", "_", "%", "a\\%b", "a\\_b", "1.%", "%\nb"),
      }),
      fc.record({
        kind: fc.constant("regexp" as const),
        variable: fc.constantFrom(...texts),
        text: fc.constantFrom("^a", "b$", "[0-9]", "A|b", ".*"),
      }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        of: fc.array(tie("predicate"), { maxLength: 3 }),
      }),
    ),
  })).predicate;
}

interface RowPlan extends Omit<Parameters<typeof runRows>[1], "of" | "where"> {
  readonly variables: readonly Variable[];
  readonly where: readonly Predicate[];
  readonly runs?: readonly number[];
}

const rowPlan: fc.Arbitrary<RowPlan> = fc.record(
  {
    variables: fc.uniqueArray(fc.constantFrom(...variables), { minLength: 1, maxLength: 4 }),
    where: fc.tuple(predicate(once), predicate(multiple)),
    runs: fc.subarray([1, 2, 3, 4, 99]),
    chronology: fc.constantFrom(...chronologies),
    key: fc.record({ variable: fc.constantFrom(...multiple), descending: fc.boolean() }),
  },
  { requiredKeys: ["variables", "where"] },
);

function logicalPlan({ variables: shown, where, runs, ...more }: RowPlan): LogicalPlan {
  return { ...runRows(shown, { of: "data", ...more }), where, ...(runs === undefined ? {} : { runs }) };
}

/** A slow reference evaluation. Runs are numbered from 1. */
function expected(given: readonly GivenRun[], plan: RowPlan): Value[][] {
  const { chronology = "created" } = plan;
  const runs = given
    .map((run, at) => ({ run, number: at + 1 }))
    .filter(({ run, number }) => run.active && (plan.runs?.includes(number) ?? true))
    .sort((a, b) => (chronology === "number" ? 0 : a.run[chronology] - b.run[chronology]) || a.number - b.number);
  return runs.flatMap(({ run, number }) => {
    const rows = run.rows.map((row) => new Map([...run.once, ...row]));
    const kept = rows.filter((row) =>
      plan.where.every((each) => predicateTest(each, compileRegex)(({ name }) => row.get(name) ?? null)),
    );
    return inOrder(kept, plan).map((row) => [number, ...plan.variables.map(({ name }) => row.get(name) ?? null)]);
  });
}

function inOrder(rows: ReadonlyMap<string, Value>[], { key }: RowPlan): ReadonlyMap<string, Value>[] {
  if (key === undefined) return rows;
  const { name, type } = key.variable;
  return rows.sort((a, b) => {
    const [left, right] = [a.get(name) ?? null, b.get(name) ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (key.descending ? -1 : 1) * compareValues(left, right, type);
  });
}

onEachDialect("rows of a source", (makeDatabase) => {
  const fixture = new TestExperiments(makeDatabase);

  async function stored(given: readonly GivenRun[]) {
    const made = await fixture.experiments.create(experiment, 1);
    for (const { once: single, rows, created, performed, active } of given) {
      const values = rows.map((row) => multiple.map(({ name }) => row.get(name) ?? null));
      const run = { once: single, created, performed };
      const number = await importRows(fixture.experiments, made, multiple, values, run);
      if (!active) await fixture.experiments.removeRuns(made, [number], 1);
    }
    return made;
  }

  test("equal a filter over all rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(givenRun, { maxLength: 4 }),
        fc.array(rowPlan, { minLength: 8, maxLength: 8 }),
        async (given, plans) => {
          const made = await stored(given);
          try {
            for (const plan of plans) {
              const { table, chronology } = await fixture.experiments.sourceRows(made, logicalPlan(plan));
              const wanted = expected(given, plan);
              expect(rowsOf(table)).toEqual(wanted);
              expect(chronology).toEqual([...new Set(wanted.map(([run]) => run))]);
            }
          } finally {
            await fixture.experiments.purge(made, 1);
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);

  test("distinct values are those of active runs, in order", async () => {
    const runs = fc.array(givenRun, { minLength: 1, maxLength: 3 });
    const asked = fc
      .constantFrom(...variables)
      .chain((of) =>
        fc.record({ of: fc.constant(of), condition: predicate(of.occurrence === "once" ? once : multiple) }),
      );
    await fc.assert(
      fc.asyncProperty(runs, asked, async (given, { of, condition }) => {
        const made = await stored(given);
        try {
          const rows = given
            .filter((run) => run.active)
            .flatMap((run) => (of.occurrence === "once" ? [run.once] : run.rows));
          const own = variablesIn(condition).every((each) => each.occurrence === of.occurrence);
          const matching = rows.filter(
            (row) => own && predicateTest(condition, compileRegex)(({ name }) => row.get(name) ?? null),
          );
          const values = matching.map((row) => row.get(of.name) ?? null).filter((value) => value !== null);
          const expected = [...new Set(values)].sort((a, b) => compareValues(a, b, of.type));
          expect(await fixture.experiments.distinct(made, of, condition)).toEqual(expected);
        } finally {
          await fixture.experiments.purge(made, 1);
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});
