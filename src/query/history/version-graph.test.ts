import fc from "fast-check";
import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import { Suspects } from "./suspect-commits.ts";
import { VersionGraph } from "./version-graph.ts";

function version(id: string, ...parents: string[]): MinorVersion {
  return { id: id as VersionId, parents: parents as VersionId[], author: "a", email: "a@b", date: 0, description: id };
}

function graphOf(...versions: MinorVersion[]): VersionGraph {
  const graph = new VersionGraph();
  graph.add(versions);
  return graph;
}

const id = (text: string): VersionId => text as VersionId;

test("puts the first-parent line before merged commits", () => {
  const graph = graphOf(
    version("m", "b", "y"),
    version("b", "a"),
    version("y", "x"),
    version("x", "a"),
    version("a"),
    version("t", "m"),
  );
  expect(graph.inOrder(id("t"))).toEqual(["a", "b", "x", "y", "m", "t"]);
  expect([...graph.firstParents(id("t"))]).toEqual(["t", "m", "b", "a"]);
  expect([...graph.ancestors(id("y"))].toSorted()).toEqual(["a", "x", "y"]);
});

test("ignores unknown versions, as in shallow clones", () => {
  const graph = graphOf(version("b", "a"));
  expect(graph.inOrder(id("b"))).toEqual(["b"]);
  expect(graph.inOrder(id("nope"))).toEqual([]);
  expect([...graph.firstParents(id("b"))]).toEqual(["b"]);
});

/** Version i has parents among those before it; several heads, many merges. */
const histories = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 40 }).map((choices) =>
  choices.map((picked, at) => {
    const parents = at === 0 ? [] : [...new Set(picked.map((n) => String(n % at)))];
    return version(String(at), ...parents);
  }),
);

test("lists every ancestor once, after all its parents, and nothing else", () => {
  fc.assert(
    fc.property(histories, (versions) => {
      const graph = graphOf(...versions);
      const head = versions.at(-1)?.id ?? id("");
      const order = graph.inOrder(head);
      expect(new Set(order)).toEqual(graph.ancestors(head));
      expect(order).toHaveLength(new Set(order).size);
      for (const [at, each] of order.entries())
        for (const parent of graph.get(each)?.parents ?? []) expect(order.indexOf(parent)).toBeLessThan(at);
    }),
  );
});

test("walks a long history without a deep stack", () => {
  const versions = Array.from({ length: 100_000 }, (_, at) =>
    at === 0 ? version("0") : version(String(at), String(at - 1)),
  );
  expect(
    graphOf(...versions)
      .inOrder(id("99999"))
      .at(0),
  ).toBe("0");
});

/** The ancestors of a version in a random order that lists children before their parents. */
function walkFrom(graph: VersionGraph, head: VersionId, choices: Iterator<number>): VersionId[] {
  const left = graph.ancestors(head);
  const walked: VersionId[] = [];
  while (left.size > 0) {
    const waiting = new Set([...left].flatMap((each) => graph.get(each)?.parents ?? []));
    const ready = [...left].filter((each) => !waiting.has(each));
    const next = ready[(choices.next().value as number) % ready.length]!;
    left.delete(next);
    walked.push(next);
  }
  return walked;
}

test("once a walk has separated two versions, it has the same suspects as the whole history", () => {
  fc.assert(
    fc.property(histories, fc.nat(), fc.nat(), fc.infiniteStream(fc.nat()), (versions, first, second, choices) => {
      const [before, after] = [first, second].map((at) => id(String(at % versions.length))) as [VersionId, VersionId];
      const whole = graphOf(...versions);
      const part = new VersionGraph();
      for (const each of walkFrom(whole, after, choices)) {
        part.add([whole.get(each)!]);
        const difference = part.difference(before, after);
        if (difference === undefined) continue;
        const suspects = new Suspects(whole).between(before, after);
        expect([...difference].toSorted()).toEqual([...suspects].toSorted());
        expect(new Suspects(part).between(before, after)).toEqual(suspects);
      }
      // At the end of the walk, unless `before` is on another line of history.
      expect(part.difference(before, after) !== undefined).toBe(whole.ancestors(after).has(before));
    }),
    { numRuns: 500 },
  );
});
