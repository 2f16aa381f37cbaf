import fc from "fast-check";
import { expect, test } from "vitest";
import { operatorElement, rowsOfVector, variableTerm, vectorOf } from "../../../../test/fakes/vectors.ts";
import { isFailure } from "../../../core/failures/failure.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Value } from "../../../core/values/value.ts";
import { parametersOf, type Vector } from "../vector.ts";
import { python2DictOrder } from "./eval-term.ts";
import { applyOperator } from "./operators.ts";

/* Operators against naive loops over rows, and what holds of all of them. */

const small = fc.integer({ min: -20, max: 20 });
const value = fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: fc.constant(null) });
const row = fc.tuple(fc.integer({ min: 0, max: 4 }), value, fc.integer({ min: 1, max: 4 }));
const rows = fc.array(row, { maxLength: 25 });
const vector = (list: readonly (readonly Value[])[], more: Partial<Vector> = {}): Vector =>
  vectorOf("p:integer *n", list, more);
const apply = (type: string, more: Partial<OperatorElement>, ...inputs: Vector[]): Value[][] =>
  rowsOfVector(applyOperator(operatorElement(type, more), inputs));

/** Pairs in the order of the first, then of the second list. */
function pairs(
  a: readonly (readonly Value[])[],
  b: readonly (readonly Value[])[],
): [Value, number | null, number | null][] {
  return a.flatMap(([p, x]) =>
    b
      .filter(([q]) => q === p)
      .map(([, y]): [Value, number | null, number | null] => [p ?? null, x as number | null, y as number | null]),
  );
}

test("diff and div equal loops over all pairs with the same parameter", () => {
  fc.assert(
    fc.property(rows, rows, (a, b) => {
      const found = pairs(a, b);
      const diff = found.map(([p, x, y]) => [p, x === null || y === null ? null : x - y]);
      expect(apply("diff", {}, vector(a), vector(b))).toEqual(diff);
      const div = found
        .filter(([, x, y]) => x === null || y !== 0)
        .map(([p, x, y]) => [p, x === null || y === null ? null : x / y]);
      expect(apply("div", {}, vector(a), vector(b))).toEqual(div);
    }),
  );
});

/** Ignores missing values. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

test("match by index: as long as the shortest, or repeating the shorter", () => {
  fc.assert(
    fc.property(rows, rows, (a, b) => {
      const index = a.slice(0, b.length).map(([p, x], at) => [p, sumOf([x, b[at]?.[1] ?? null])]);
      expect(apply("sum", { match: "index" }, vector(a), vector(b))).toEqual(index);
      const length = a.length === 0 || b.length === 0 ? 0 : Math.max(a.length, b.length);
      const modulo = Array.from({ length }, (_, at) => a[at % a.length]?.[0]);
      expect(apply("max", { match: "modulo" }, vector(a), vector(b)).map(([p]) => p)).toEqual(modulo);
    }),
  );
});

test("a quantile is the value at that percentage of the sorted values", () => {
  fc.assert(
    fc.property(fc.array(small, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 100 }), (list, percent) => {
      const [[found]] = apply(
        "quantile",
        { value: String(percent) },
        vectorOf(
          "*n",
          list.map((n) => [n]),
          { from: "operator" },
        ),
      ) as [[number]];
      const below = list.filter((n) => n < found).length;
      const upTo = list.filter((n) => n <= found).length;
      expect(upTo * 100).toBeGreaterThanOrEqual(percent * list.length);
      expect(below * 100).toBeLessThan(percent * list.length);
    }),
  );
});

test("normalize keeps ratios, or differences", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 }), (list) => {
      const input = vectorOf(
        "*n",
        list.map((n) => [n]),
      );
      const first = list[0] ?? 1;
      expect(apply("normalize", {}, input).flat()).toEqual(list.map((n) => n / first));
      expect(apply("normalize", { variant: "offset" }, input).flat()).toEqual(list.map((n) => n - first));
    }),
  );
});

test("a slice of runs equals Array.slice of their order", () => {
  const bound = fc.option(fc.integer({ min: -6, max: 6 }), { nil: undefined });
  fc.assert(
    fc.property(rows, fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }), bound, bound, (list, order, from, to) => {
      const present = order.filter((run) => list.some(([, , own]) => own === run));
      const kept = present.slice(from ?? 0, to);
      const found = apply("slice", { value: `[${from ?? ""}:${to ?? ""}]` }, vector(list, { chronology: order }));
      expect(found).toEqual(list.filter(([, , run]) => kept.includes(run)).map(([p, n]) => [p, n]));
    }),
  );
});

test("counts of a distribution sum to the number of values, cumulative percent to 100", () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(undefined, "1", "0.5", "33"), (list, value) => {
      const known = list.filter(([, n]) => n !== null).length;
      const more = value === undefined ? {} : { value };
      expect(apply("distrib", more, vector(list)).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(known);
      const last = apply("distrib", { ...more, variant: "cumulative" }, vector(list)).at(-1)?.[1];
      expect(last).toBe(known === 0 ? undefined : 100);
    }),
  );
});

test("limits partition rows", () => {
  fc.assert(
    fc.property(rows, small, (list, value) => {
      const kept = (variant: string): number => apply("limit", { variant, value: String(value) }, vector(list)).length;
      const known = list.filter(([, n]) => n !== null).length;
      expect(kept("less") + kept("equal") + kept("greater")).toBe(known);
      expect(kept("lessequal") + kept("greater")).toBe(known);
      expect(kept("equal") + kept("notequal")).toBe(known);
    }),
  );
});

test("the dictionary order contains every key once, whatever their number", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 60 }), (keys) => {
      expect([...python2DictOrder(keys)].sort()).toEqual([...keys].sort());
    }),
  );
  // What CPython 2.7 lists for dict.fromkeys("abcdefgh").
  expect(python2DictOrder([..."abcdefgh"]).join("")).toBe("acbedgfh");
});

const lookup = {
  variable: { name: "v", role: "parameter", occurrence: "once", type: "integer" } as const,
  values: new Map([[1, 1]]),
};
const everyOperator: readonly OperatorElement[] = [
  ...[
    "null",
    "avg",
    "stddev",
    "variance",
    "count",
    "min",
    "max",
    "sum",
    "prod",
    "median",
    "sort",
    "round",
    "normalize",
    "runindex",
    "slice",
  ].map((type) => operatorElement(type, type === "slice" ? { value: "[1:]" } : {})),
  ...["latest", "oldest", "distrib", "frequency", "diff", "div", "percentof", "above", "below", "param"].map((type) =>
    operatorElement(type),
  ),
  operatorElement("resolve", { value: "created" }),
  operatorElement("distrib", { variant: "nonzero", option: "samples" }),
  operatorElement("quantile", { value: "95" }),
  operatorElement("scale", { value: "2" }),
  operatorElement("offset", { value: "2" }),
  operatorElement("modulo", { value: "2" }),
  operatorElement("limit", { variant: "less", value: "3" }),
  operatorElement("abslimit", { variant: "less", value: "3" }),
  operatorElement("eval", { terms: [{ term: { kind: "negative", of: [variableTerm("n")] } }] }),
];
const pairing = new Set(["diff", "div", "percentof", "above", "below"]);
const extreme = fc.oneof(
  value,
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e308, 5e-324, 2 ** 53),
);
const extremeRows = fc.array(fc.tuple(fc.oneof(fc.constant(null), small), extreme, fc.integer({ min: -1, max: 3 })), {
  maxLength: 12,
});

function frozen(vector: Vector): Vector {
  for (const column of vector.columns) Object.freeze(column);
  return Object.freeze(vector);
}

test.each(everyOperator.map((element) => [element.type, element] as const))(
  "%s returns complete columns or reports what is missing",
  (type, element) => {
    fc.assert(
      fc.property(extremeRows, fc.constantFrom("source" as const, "operator" as const), (list, from) => {
        const input = frozen(vector(list, { from }));
        const before = rowsOfVector(input);
        try {
          const found = applyOperator(element, pairing.has(type ?? "") ? [input, input] : [input], { lookup });
          expect(found.runs).toHaveLength(found.length);
          for (const { column } of found.columns)
            expect(column.kind === "text" ? column.codes : column.values).toHaveLength(found.length);
          expect(rowsOfVector(found)).toHaveLength(found.length);
        } catch (error) {
          if (!isFailure(error)) throw error;
        }
        expect(rowsOfVector(input)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(everyOperator.map((element) => [element.type, element] as const))(
  "%s of an empty input is empty, with its columns",
  (type, element) => {
    const input = vector([]);
    const found = applyOperator(element, pairing.has(type ?? "") ? [input, input] : [input], { lookup });
    expect(found.length).toBe(0);
    expect(found.columns.some(({ variable }) => variable.role === "result")).toBe(true);
    expect(parametersOf(found).length).toBeLessThanOrEqual(1);
  },
);
