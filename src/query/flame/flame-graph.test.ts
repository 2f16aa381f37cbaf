import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitrarySamples, foldedName, profileOfSamples } from "../../../test/contracts/arbitrary-stacks.ts";
import { endOf, type FlameGraph, pathOf } from "../../core/figures/flame-graph.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import { differenceBlocks, flameDifference } from "./difference-blocks.ts";
import { flameGraph, type FlameOptions } from "./flame-graph.ts";

const types = [{ name: "cpu", unit: "milliseconds" }];

/** `a;b;c 3` a line. */
function profile(text: string): StackProfile {
  const samples = text.split("\n").map((line) => {
    const [stack = "", amount] = line.split(" ");
    const calls =
      stack === "" ? [] : stack.split(";").map((name) => ({ function: name, module: { path: `/bin/${name[0]}.so` } }));
    return { calls, values: [Number(amount)], labels: [] };
  });
  return profileOfSamples(samples, types);
}

/** Each frame as `path start+total self`. */
function lines(graph: FlameGraph): string[] {
  return [...graph.name.keys()].map(
    (frame) =>
      `${["all", ...pathOf(graph, frame)].join(";")} ${graph.start[frame]}+${graph.total[frame]} ${graph.self[frame]}`,
  );
}

const drawn = (text: string, options: FlameOptions = {}): string[] => lines(flameGraph(profile(text), options));

/** The self amounts by path, which are the folded stacks of the graph. */
function folded(graph: FlameGraph): Map<string, number> {
  const own = [...graph.name.keys()].flatMap((frame) =>
    graph.self[frame]! > 0 ? [[pathOf(graph, frame).join(";"), graph.self[frame]!] as const] : [],
  );
  return new Map(own);
}

const plainText = "main;b 2\nmain;a;c 3\nmain;a 1\nother;c 4";

describe("forms", () => {
  test("plain: depth-first, in order of name", () => {
    expect(drawn(plainText)).toEqual([
      "all 0+10 0",
      "all;main 0+6 0",
      "all;main;a 0+4 1",
      "all;main;a;c 0+3 3",
      "all;main;b 4+2 2",
      "all;other 6+4 0",
      "all;other;c 6+4 4",
    ]);
  });

  test("inverted: callers of the innermost calls", () => {
    expect(drawn(plainText, { form: "inverted" })).toEqual([
      "all 0+10 0",
      "all;a 0+1 0",
      "all;a;main 0+1 1",
      "all;b 1+2 0",
      "all;b;main 1+2 2",
      "all;c 3+7 0",
      "all;c;a 3+3 0",
      "all;c;a;main 3+3 3",
      "all;c;other 6+4 4",
    ]);
  });

  test("focus: the callees of a frame for all callers; inverted: its callers", () => {
    const text = "m;f;x 1\nn;f;y;f 2\nf;x 4\nm;x 8";
    expect(drawn(text, { focus: "f" })).toEqual([
      "all 0+7 0",
      "all;f 0+7 0",
      "all;f;x 0+5 5",
      "all;f;y 5+2 0",
      "all;f;y;f 5+2 2",
    ]);
    expect(drawn(text, { focus: "f", form: "inverted" })).toEqual([
      "all 0+7 0",
      "all;f 0+7 4",
      "all;f;m 0+1 1",
      "all;f;n 1+2 2",
    ]);
    expect(flameGraph(profile(text), { focus: "f" })).toMatchObject({
      focus: "f",
      whole: 15,
      quantity: "cpu",
      form: "plain",
    });
    expect(() => flameGraph(profile(text), { focus: "g" })).toThrow(expect.objectContaining({ code: "unknown-frame" }));
    expect(() => flameGraph(profile("m;f 0\nm 2"), { focus: "f" })).toThrow("no stack with 'f' has cpu above zero");
  });

  test("merged: a recursive call returns to its first frame", () => {
    const text = "a;b;a;b;c 1\na;a;a 2\na;b;a;c 4\na;b;c;b;d 8\na;d 16";
    expect(folded(flameGraph(profile(text), { merged: true }))).toEqual(
      new Map([
        ["a;b;c", 1],
        ["a", 2],
        ["a;c", 4],
        ["a;b;d", 8],
        ["a;d", 16],
      ]),
    );
  });

  test("merged: a folded recursion does not affect other stacks", () => {
    const merged = flameGraph(profile("a;b;x;a;x 1\na;b;x;c;x 2\na;b;d 4"), { merged: true });
    expect(folded(merged)).toEqual(
      new Map([
        ["a;x", 1],
        ["a;b;x", 2],
        ["a;b;d", 4],
      ]),
    );
  });
});

describe("amounts", () => {
  test("counts samples without a stack, but not zeros", () => {
    expect(drawn(" 2\na 0\nb 1")).toEqual(["all 0+3 0", "all;[unknown] 0+2 2", "all;b 2+1 1"]);
  });

  test("omits and reports negative and infinite amounts", () => {
    const graph = flameGraph(profile("a;b 5\na;c -2\nd -1\ne 1"), {});
    expect(lines(graph)).toEqual(["all 0+6 0", "all;a 0+5 0", "all;a;b 0+5 5", "all;e 5+1 1"]);
    expect(graph.leftOut).toEqual({ stacks: 2, sum: -3 });
    expect(flameGraph(profile("a 1\nb Infinity"), {}).leftOut).toEqual({ stacks: 1, sum: Number.POSITIVE_INFINITY });
    for (const text of ["a 0", "a -1", "a 1e308\nb 1e308"])
      expect(() => flameGraph(profile(text), {})).toThrow(expect.objectContaining({ code: "nothing-to-draw" }));
  });

  test("keeps units and modules", () => {
    const graph = flameGraph(profile("main;b 2"), {});
    expect(graph.unit?.factors).toEqual([{ base: "s", prefix: "m", exponent: 1 }]);
    expect(graph.names.map((name, at) => [name, graph.modules?.[at]])).toEqual([
      ["main", "m.so"],
      ["b", "b.so"],
      ["[unknown]", ""],
      ["all", ""],
    ]);
  });

  test("supports stacks of a hundred thousand calls in every form", () => {
    const deep = profileOfSamples(
      [
        {
          calls: Array.from({ length: 100_000 }, (_, at) => ({ function: `f${at % 50_000}` })),
          values: [1],
          labels: [],
        },
      ],
      types,
    );
    for (const options of [
      {},
      { form: "inverted" },
      { merged: true },
      { focus: "f49999" },
      { focus: "f49999", form: "inverted" },
    ] as const)
      expect(flameGraph(deep, options).total[0]).toBe(1);
    expect(flameGraph(deep, { merged: true }).name.length).toBe(50_001);
  });
});

const samples = arbitrarySamples(
  fc.oneof(foldedName, fc.constantFrom("a", "b", "c")).map((name) => ({ function: name })),
  fc.integer({ min: 0, max: 2 ** 40 }),
  1,
  fc.constant([]),
);
const options = fc.record({ form: fc.constantFrom("plain", "inverted"), merged: fc.boolean() });

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((all, each) => all + each, 0);
}

describe("every graph", () => {
  test("has the total of its profile, and frames that contain their callees", () => {
    fc.assert(
      fc.property(samples, options, (all, chosen) => {
        const whole = sum(all.flatMap(({ values }) => values));
        fc.pre(whole > 0);
        const graph = flameGraph(profileOfSamples(all, types), chosen);
        expect(graph.total[0]).toBe(whole);
        expect(sum(graph.self)).toBe(whole);
        for (let frame = 0; frame < graph.name.length; frame++) {
          const below = [...graph.name.keys()].filter((each) => graph.parent[each] === frame);
          expect(sum(below.map((each) => graph.total[each]!)) + graph.self[frame]!).toBe(graph.total[frame]);
          expect(below.every((each) => each > frame && each < endOf(graph, frame))).toBe(true);
          const names = below.map((each) => graph.names[graph.name[each]!]!);
          expect(names).toEqual([...new Set(names)].toSorted());
          below.reduce((start, each) => {
            expect(graph.start[each]).toBe(start);
            return start + graph.total[each]!;
          }, graph.start[frame]!);
        }
      }),
    );
  });

  test("inverted has the reversed stacks of the plain one; merged has no name twice on a path", () => {
    fc.assert(
      fc.property(samples, (all) => {
        fc.pre(all.some(({ values }) => values[0]! > 0));
        const of = (more: FlameOptions): Map<string, number> => folded(flameGraph(profileOfSamples(all, types), more));
        const reversed = [...of({})].map(([path, amount]) => [path.split(";").toReversed().join(";"), amount] as const);
        expect(of({ form: "inverted" })).toEqual(new Map(reversed));
        for (const path of of({ merged: true }).keys())
          expect(new Set(path.split(";")).size).toBe(path.split(";").length);
      }),
    );
  });
});

describe("differences", () => {
  const [before, after] = [
    flameGraph(profile("a;b 4\na;c 2\nd;e 2"), {}),
    flameGraph(profile("a;b 6\na;f 9\na;c 1"), {}),
  ];
  const pathsOf = (graph: FlameGraph): string[] =>
    lines(graph).map((line, frame) => `${line} ${graph.before?.[frame]}>${graph.after?.[frame]}`);

  test("have the frames of both, with the widths of the target", () => {
    expect(pathsOf(flameDifference(before, after))).toEqual([
      "all 0+16 0 8>16",
      "all;a 0+16 0 6>16",
      "all;a;b 0+6 6 4>6",
      "all;a;c 6+1 1 2>1",
      "all;a;f 7+9 9 0>9",
      "all;d 16+0 0 2>0",
      "all;d;e 16+0 0 2>0",
    ]);
  });

  test("normalised: the base has the sum of the target; widths of the base show vanished frames", () => {
    const graph = flameDifference(before, after, { normalised: true, widths: "base" });
    expect(graph.baseScale).toBe(2);
    expect(pathsOf(graph).at(-1)).toBe("all;d;e 12+4 4 4>0");
  });

  test("are estimated if one of the profiles is", () => {
    const estimated = flameGraph({ ...profile("a;b 4"), facts: { estimated: true } }, {});
    expect([estimated.estimated, before.estimated]).toEqual([true, undefined]);
    expect([flameDifference(estimated, before), flameDifference(before, estimated)]).toMatchObject([
      { estimated: true },
      { estimated: true },
    ]);
    expect(flameDifference(before, after).estimated).toBeUndefined();
  });

  test("list frames without width in a table", () => {
    const [graph, table] = differenceBlocks(before, after);
    expect(graph).toMatchObject({ kind: "flame", graph: { baseScale: 1 } });
    expect(table).toMatchObject({ caption: "Frames of the base profile alone", rows: [["2", "25.0 %", "d", ""]] });
    const [wide, added] = differenceBlocks(before, after, { widths: "base", caption: "c" });
    expect([wide, added]).toMatchObject([
      { caption: "c" },
      { caption: "Frames of the target profile alone", rows: [["9", "56.3 %", "f", "a"]] },
    ]);
    expect(differenceBlocks(after, after)).toHaveLength(1);
  });

  test("of a frame that one profile lacks: all of it is new or removed, with the widths of the other", () => {
    const of = (text: string) => flameGraph(profile(text), { focus: "f", mayLackFocus: true });
    const [without, with_] = [of("a 10"), of("a;f;x 3\na 2")];
    const [graph, ...tables] = differenceBlocks(with_, without, { normalised: true });
    expect(tables).toEqual([]);
    expect(graph).toMatchObject({ graph: { baseScale: 2 } });
    if (graph?.kind !== "flame") throw new Error("no graph");
    expect(pathsOf(graph.graph)).toEqual(["all 0+6 0 6>0", "all;f 0+6 0 6>0", "all;f;x 0+6 6 6>0"]);
    const [added] = differenceBlocks(without, with_, { widths: "base" });
    expect(added).toMatchObject({
      graph: { before: Float64Array.from([0, 0, 0]), total: Float64Array.from([3, 3, 3]), focus: "f" },
    });
  });

  test("normalised, the focus is compared as a share of the total", () => {
    const of = (text: string) => flameGraph(profile(text), { focus: "f" });
    expect(flameDifference(of("a;f 1\na 9"), of("a;f 10\na 10"), { normalised: true }).before?.[0]).toBe(2);
  });

  test("list no frames if neither profile has unique ones", () => {
    fc.assert(
      fc.property(samples, (all) => {
        fc.pre(all.some(({ values }) => values[0]! > 0));
        const graph = flameGraph(profileOfSamples(all, types), {});
        const same = flameDifference(graph, graph, { normalised: true });
        expect([lines(same), same.before]).toEqual([lines(graph), same.after]);
      }),
    );
  });

  test("require one form and one unit", () => {
    const inverted = flameGraph(profile("a 1"), { form: "inverted" });
    expect(() => flameDifference(before, inverted)).toThrow(expect.objectContaining({ code: "flame-graphs-differ" }));
    const bytes = flameGraph({ ...profile("a 1"), types: [{ name: "heap", unit: "bytes" }] }, {});
    expect(() => flameDifference(before, bytes)).toThrow(expect.objectContaining({ code: "unit-mismatch" }));
    const seconds = flameGraph({ ...profile("a 1"), types: [{ name: "cpu", unit: "seconds" }] }, {});
    expect(flameDifference(seconds, before).before?.[0]).toBe(1000);
  });
});
