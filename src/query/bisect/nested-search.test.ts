import fc from "fast-check";
import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { VersionGraph } from "../history/version-graph.ts";
import { candidatesBetween, type LineEnding, searchNested, type VersionLine } from "./nested-search.ts";

function idOf(at: number): VersionId {
  return String(at).padStart(40, "0") as VersionId;
}

/** Commits numbered from 0; `parents[n]` are the parents of commit n. */
function graphOf(parents: readonly (readonly number[])[]): VersionGraph {
  const graph = new VersionGraph();
  graph.add(parents.map((each, at) => ({ id: idOf(at), parents: each.map(idOf) }) as unknown as MinorVersion));
  return graph;
}

/** A search by exact counts: a commit is bad if the planted one is among its ancestors. */
function exactSearch(graph: VersionGraph, planted: VersionId): (line: VersionLine) => Promise<LineEnding> {
  return async (line) => {
    const first = line.findIndex((id) => graph.ancestors(id).has(planted));
    if (first <= 0) return { kind: "alike", line, suspects: [] };
    return { kind: "found", line, suspects: [{ from: first, to: first, probability: 1 }] };
  };
}

/** Random histories: each commit has one to four earlier commits as parents, the last one descends from all heads. */
const histories = fc
  .array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 40 })
  .map((choices) => {
    const parents: number[][] = [[]];
    for (const [at, picks] of choices.entries()) {
      const near = picks.map((pick) => at - (pick % Math.min(at + 1, 6)));
      parents.push([...new Set(near)]);
    }
    const inner = new Set(parents.flat());
    const heads = parents.map((_, at) => at).filter((at) => !inner.has(at));
    if (heads.length > 1) parents.push(heads.reverse());
    return parents;
  });

test("exact measurements name the planted commit in every history of merges", async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.nat(), async (parents, goodPick, plantedPick) => {
      const graph = graphOf(parents);
      const bad = idOf(parents.length - 1);
      const good = idOf(goodPick % (parents.length - 1));
      const candidates = candidatesBetween(graph, good, bad).sort();
      const planted = candidates[plantedPick % candidates.length]!;
      const ending = await searchNested(graph, { good: good, bad, confidence: 0.95 }, exactSearch(graph, planted));
      expect(ending).toMatchObject({ kind: "found", suspects: [{ version: planted, probability: 1 }], obstacle: null });
    }),
    { numRuns: 500 },
  );
});

/** main 0 - 1 - 4 (merge of 3) - 5; branch 0 - 2 - 3. */
const merged = [[], [0], [0], [2], [1, 3], [4]];

test("the error is spent over all levels together", async () => {
  const graph = graphOf(merged);
  const exact = exactSearch(graph, idOf(2));
  const requested: number[] = [];
  const ending = await searchNested(
    graph,
    { good: idOf(0), bad: idOf(5), confidence: 0.9 },
    async (line, confidence) => {
      requested.push(Number(confidence.toFixed(3)));
      const exactly = await exact(line);
      return { ...exactly, suspects: exactly.suspects.map((group) => ({ ...group, probability: 0.96 })) };
    },
  );
  expect(requested).toEqual([0.95, 0.94]);
  expect(ending).toMatchObject({ kind: "found", probability: 0.96 ** 2, merges: [idOf(4)] });
});

test.each([
  ["alike", "narrowed", "alike"],
  ["unmeasurable", "narrowed", "unmeasurable"],
  ["stopped", "stopped", null],
] as const)("a merge whose search ends %s leaves its commits as suspects", async (kind, outcome, obstacle) => {
  const graph = graphOf(merged);
  const exact = exactSearch(graph, idOf(4));
  const ending = await searchNested(graph, { good: idOf(0), bad: idOf(5), confidence: 0.9 }, async (line) =>
    line.length === 4 && line[1] === idOf(2)
      ? { kind, line, suspects: [{ from: 1, to: 3, probability: 1 }] }
      : exact(line),
  );
  expect(ending).toMatchObject({ kind: outcome, obstacle, merges: [idOf(4)] });
  expect(ending.suspects.map(({ version }) => version).sort()).toEqual([idOf(2), idOf(3), idOf(4)]);
});
