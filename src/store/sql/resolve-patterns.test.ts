import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Condition, Conditions } from "../../query/plan/condition.ts";
import type { Query } from "../../query/plan/query.ts";
import { hasPatterns, resolvePatterns } from "./resolve-patterns.ts";

const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string" };
const op: Variable = { name: "op", role: "parameter", occurrence: "multiple", type: "text" };
const known = new Map<Variable, readonly string[]>([
  [host, ["node1", "node12", "a.b", "axb", ""]],
  [op, ["read", "write", "rewrite"]],
]);

const queryOf = (where: readonly Conditions[], more: Partial<Query> = {}): Query => ({
  outputs: [],
  grouped: false,
  where,
  sort: [],
  of: "data",
  ...more,
});
const condition = (variable: Variable, comparison: Condition["comparison"], text: string): Condition => ({
  variable,
  comparison,
  values: [text],
});

/** Evaluates a condition without patterns. */
function holds({ comparison, values }: Condition, value: string): boolean {
  const text = String(values[0]);
  if (comparison === "contains" || comparison === "lacks") return value.includes(text) === (comparison === "contains");
  if (comparison === "in" || comparison === "not in") return values.includes(value) === (comparison === "in");
  throw new Error(`${comparison} is not resolved`);
}

async function resolve(query: Query): Promise<{ query: Query; asked: Query[] }> {
  const asked: Query[] = [];
  const read = async (values: Query): Promise<readonly Value[]> => {
    asked.push(values);
    return known.get(values.outputs[0]!.variable) ?? [];
  };
  return { query: await resolvePatterns(query, read), asked };
}

describe("patterns of conditions", () => {
  test("select the values that JavaScript's expressions select", async () => {
    const pieces = ["node", "1", ".", "^", "$", "[0-9]", "x?", "a", "(a|n)", "w+", "\\."];
    const pattern = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(""));
    const sign = fc.constantFrom<"~" | "!~">("~", "!~");
    const property = fc.asyncProperty(pattern, sign, async (source, comparison) => {
      const [resolved] = (await resolve(queryOf([condition(host, comparison, source)]))).query.where;
      for (const value of known.get(host) ?? [])
        expect(holds(resolved as Condition, value)).toBe(new RegExp(source).test(value) === (comparison === "~"));
    });
    await fc.assert(property, { seed: 8, numRuns: 500 });
  });

  test("read the values of a variable once, those of deleted runs if the query has them", async () => {
    const both: Conditions = { junction: "or", of: [condition(host, "~", "^a"), condition(op, "like", "%write")] };
    const { query, asked } = await resolve(queryOf([both, condition(host, "!~", "1$")], { deleted: true }));
    expect(asked.map(({ outputs, of, deleted }) => [outputs[0]?.variable.name, of, deleted])).toEqual([
      ["host", "runs", true],
      ["op", "data", true],
    ]);
    expect(query.where).toEqual([
      {
        junction: "or",
        of: [
          { variable: host, comparison: "in", values: ["a.b", "axb"] },
          { variable: op, comparison: "not in", values: ["read"] },
        ],
      },
      { variable: host, comparison: "not in", values: ["node1"] },
    ]);
  });

  test("read nothing for a pattern without special characters", async () => {
    const { query, asked } = await resolve(queryOf([condition(op, "~", "rite"), condition(op, "!~", "re")]));
    expect(asked).toEqual([]);
    expect(query.where).toEqual([condition(op, "contains", "rite"), condition(op, "lacks", "re")]);
    expect(hasPatterns(query)).toBe(false);
  });

  test("are refused if they divide too many values", async () => {
    const many = Array.from({ length: 60_002 }, (_, at) => `v${at}`);
    const half = resolvePatterns(queryOf([condition(op, "~", "[02468]$")]), async () => many);
    await expect(half).rejects.toMatchObject({ code: "query-not-possible" });
  });
});
