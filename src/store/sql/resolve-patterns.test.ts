import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { predicateTest, type Predicate, type TextComparison } from "../../query/plan/predicate.ts";
import { compileRegex, hasPatterns, resolvePatterns } from "./resolve-patterns.ts";

const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string" };
const op: Variable = { name: "op", role: "parameter", occurrence: "multiple", type: "text" };
const known = new Map<Variable, readonly string[]>([
  [host, ["node1", "node12", "a.b", "axb", ""]],
  [op, ["read", "write", "rewrite"]],
]);

const condition = (variable: Variable, kind: TextComparison, text: string): Predicate => ({ kind, variable, text });

async function resolve(...predicates: readonly Predicate[]): Promise<{ resolved: Predicate[]; asked: string[] }> {
  const asked: string[] = [];
  const read = async (variable: Variable): Promise<readonly Value[]> => {
    asked.push(variable.name);
    return known.get(variable) ?? [];
  };
  return { resolved: await resolvePatterns(predicates, read), asked };
}

describe("patterns of conditions", () => {
  test("select the values that JavaScript's expressions select", async () => {
    const pieces = ["node", "1", ".", "^", "$", "[0-9]", "x?", "a", "(a|n)", "w+", "\\."];
    const pattern = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(""));
    const kind = fc.constantFrom<TextComparison>("regexp", "notregexp");
    const property = fc.asyncProperty(pattern, kind, async (source, comparison) => {
      const { resolved } = await resolve(condition(host, comparison, source));
      expect(resolved.some(hasPatterns)).toBe(false);
      const test = predicateTest(resolved[0] as Predicate, compileRegex);
      for (const value of known.get(host) ?? [])
        expect(test(() => value)).toBe(new RegExp(source).test(value) === (comparison === "regexp"));
    });
    await fc.assert(property, { seed: 8, numRuns: 500 });
  });

  test("read the values of a variable once", async () => {
    const both: Predicate = { kind: "or", of: [condition(host, "regexp", "^a"), condition(op, "like", "%write")] };
    const { resolved, asked } = await resolve(both, condition(host, "notregexp", "1$"));
    expect(asked).toEqual(["host", "op"]);
    expect(resolved).toEqual([
      {
        kind: "or",
        of: [
          { kind: "in", variable: host, values: ["a.b", "axb"] },
          { kind: "notin", variable: op, values: ["read"] },
        ],
      },
      { kind: "notin", variable: host, values: ["node1"] },
    ]);
  });

  test("read nothing for a pattern without special characters", async () => {
    const { resolved, asked } = await resolve(condition(op, "regexp", "rite"), condition(op, "notregexp", "re"));
    expect(asked).toEqual([]);
    expect(resolved).toEqual([condition(op, "contain", "rite"), condition(op, "notcontain", "re")]);
  });

  test("are refused if they divide too many values", async () => {
    const many = Array.from({ length: 60_002 }, (_, at) => `v${at}`);
    const half = resolvePatterns([condition(op, "regexp", "[02468]$")], async () => many);
    await expect(half).rejects.toMatchObject({ code: "query-not-possible" });
  });
});
