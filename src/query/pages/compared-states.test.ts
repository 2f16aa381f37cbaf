import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChangeColumns, PointBlock, SeriesColumns } from "../../core/pages/index.ts";
import { verdictOutcomes } from "../../core/verdicts/index.ts";
import { causeCommit, compareStates, comparisonSentence, groupComparison, sortComparison } from "./compared-states.ts";
import { StateLevelsBuilder } from "./state-levels.ts";

/** A series by its points: the commit, and all values. */
interface Given {
  readonly name: string;
  readonly metric?: string;
  readonly unit?: string;
  readonly better?: "lower" | "higher";
  readonly points: readonly (readonly [version: number, ...values: readonly number[]])[];
  /** Changes at commits, as shares. */
  readonly changes?: readonly (readonly [after: number, delta: number])[];
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
};

function columnsOf(all: readonly Given[]): SeriesColumns {
  const texts: string[] = [];
  const text = (word: string): number => (texts.includes(word) ? texts.indexOf(word) : texts.push(word) - 1);
  const whole = (of: (given: Given) => number): Int32Array => Int32Array.from(all, of);
  const starts = all.map((_, at) => all.slice(0, at).reduce((sum, { points }) => sum + points.length, 0));
  return {
    facts: { texts, words: verdictOutcomes },
    arrays: {
      benchmark: whole(({ name }) => text(name)),
      metric: whole(({ metric = "time" }) => text(metric)),
      unit: whole(({ unit = "ms" }) => text(unit)),
      key: whole(({ name, metric = "time" }) => text(`${name} ${metric}`)),
      word: Uint8Array.from(all, () => verdictOutcomes.indexOf("inconclusive")),
      delta: new Float64Array(all.length),
      count: whole(({ points }) => points.length),
      last: new Float64Array(all.length),
      better: Uint8Array.from(all, ({ better }) => Number(better === "higher")),
      source: new Uint8Array(all.length),
      block: new Int32Array(all.length),
      from: Int32Array.from(starts),
    },
  };
}

function pointsOf(all: readonly Given[]): PointBlock {
  const points = all.flatMap((given) => given.points);
  const numbers = (of: (values: number[]) => number): Float64Array =>
    Float64Array.from(points, ([, ...values]) => of(values));
  return {
    facts: { block: 0 },
    arrays: {
      version: Int32Array.from(points, ([version]) => version),
      center: numbers(medianOf),
      low: numbers((values) => Math.min(...values)),
      high: numbers((values) => Math.max(...values)),
      n: Int32Array.from(points, ({ length }) => length - 1),
      changes: Int32Array.from(changedPoints(all)),
    },
  };
}

/** The first point of each changed commit, by index into the points of all series. */
function changedPoints(all: readonly Given[]): number[] {
  let start = 0;
  return all.flatMap(({ points, changes = [] }) => {
    const first = start;
    start += points.length;
    const found = changes.map(([after]) => points.findIndex(([version]) => version === after));
    return found.filter((at) => at >= 0).map((at) => first + at);
  });
}

function changesOf(all: readonly Given[]): ChangeColumns {
  const found = all.flatMap(({ changes = [] }, series) => changes.map(([after, delta]) => ({ series, after, delta })));
  const whole = (of: (change: (typeof found)[number]) => number): Int32Array => Int32Array.from(found, of);
  const none = new Float64Array(found.length);
  return {
    facts: { words: verdictOutcomes, triage: [] },
    arrays: {
      series: whole(({ series }) => series),
      word: Uint8Array.from(found, ({ delta }) => verdictOutcomes.indexOf(delta > 0 ? "worse" : "better")),
      delta: Float64Array.from(found, ({ delta }) => delta),
      low: none,
      high: none,
      p: none,
      q: none,
      before: whole(({ after }) => after - 1),
      after: whole(({ after }) => after),
      suspects: whole(() => 1),
    },
  };
}

function compared(all: readonly Given[], from: number, to: number) {
  const [series, changes] = [columnsOf(all), changesOf(all)];
  const builder = new StateLevelsBuilder(series, from, to);
  for (const block of builder.blocks) builder.add({ ...pointsOf(all), facts: { block } });
  return { series, changes, levels: builder.levels, rows: compareStates(series, changes, builder.levels) };
}

/** 20 points around a level, with a step at a commit. */
const stepped = (level: number, at: number, share: number): Given["points"] =>
  Array.from({ length: 20 }, (_, i) => [i, (level + (i % 3) * 0.01 * level) * (i >= at ? 1 + share : 1)]);

describe("the comparison of two commits", () => {
  it("takes the values of the commits, or the nearest ones before them", () => {
    const given = {
      name: "a",
      points: [
        [2, 5, 7, 6],
        [4, 9],
        [9, 20],
      ],
    } as const;
    const { levels, rows } = compared([given], 3, 8);
    const of = (name: keyof typeof levels.arrays): number => levels.arrays[name][0] as number;
    expect([of("beforeAt"), of("before"), of("beforeLow"), of("beforeHigh"), of("beforeN")]).toEqual([2, 6, 5, 7, 3]);
    expect([of("afterAt"), of("after"), of("afterN")]).toEqual([4, 9, 1]);
    expect(rows[0]).toMatchObject({ before: 6, after: 9, delta: 0.5, outcome: "inconclusive" });
  });

  it("does not take changes for noise", () => {
    const counts = [88, 113, 117, 94, 94, 83, 83, 83, 86];
    const given: Given = {
      name: "instructions",
      points: counts.map((count, at) => [at, count, count]),
      changes: [1, 2, 3, 5, 8].map((at) => [at, counts[at]! / counts[at - 1]! - 1]),
    };
    const outcome = (from: number, to: number): unknown => {
      const { outcome: word, reason } = compared([given], from, to).rows[0]!;
      return [word, reason];
    };
    expect(outcome(4, 8)).toEqual(["better", ""]);
    expect(outcome(0, 2)).toEqual(["worse", ""]);
    expect(outcome(5, 7)).toEqual(["same", ""]);
    const back: Given = { ...given, points: [...given.points, [9, 83, 83]], changes: [...given.changes!, [9, -0.03]] };
    expect(compared([back], 6, 9).rows[0]).toMatchObject({ outcome: "same", reason: "its changes cancel out" });
  });

  it("names the commit of the greatest change in between", () => {
    const given = {
      name: "a",
      points: stepped(10, 10, 0.4),
      changes: [
        [10, 0.4],
        [15, 0.01],
        [2, 9],
      ],
    } as const;
    const { rows, changes } = compared([given], 4, 19);
    expect(rows[0]).toMatchObject({ outcome: "worse", reason: "" });
    expect(causeCommit(rows[0]!, changes)).toBe(10);
    expect(compared([{ ...given, better: "higher" }], 4, 19).rows[0]?.outcome).toBe("better");
    expect(compared([given], 19, 4).rows[0]?.outcome).toBe("better");
    expect(compared([given], 4, 9).rows[0]).toMatchObject({ outcome: "same", cause: -1 });
  });

  it.each<readonly [string, Given, string, string]>([
    ["missing before", { name: "a", points: [[15, 1]] }, "inconclusive", "not measured before"],
    ["missing after", { name: "a", points: [] }, "inconclusive", "not measured before"],
    ["measured once", { name: "a", points: [[2, 1]] }, "inconclusive", "not measured in between"],
    [
      "back at the old level",
      {
        name: "a",
        points: stepped(10, 20, 0),
        changes: [
          [8, 0.4],
          [12, -0.3],
        ],
      },
      "same",
      "its changes are within the noise or cancel out",
    ],
    [
      "an outlier at the end",
      { name: "a", points: [...stepped(10, 20, 0).slice(0, 19), [19, 15]] },
      "inconclusive",
      "more than the noise, but no change of level was found",
    ],
    [
      "few values that overlap",
      {
        name: "a",
        points: [
          [1, 1, 2, 3],
          [9, 2, 3, 4],
        ],
      },
      "inconclusive",
      "too few values",
    ],
    [
      "few values apart",
      {
        name: "a",
        points: [
          [1, 1, 2, 3],
          [9, 4, 5, 6],
        ],
      },
      "inconclusive",
      "too few values",
    ],
    [
      "many values apart",
      {
        name: "a",
        points: [
          [1, 1, 2, 3, 3],
          [9, 4, 5, 6, 6],
        ],
      },
      "worse",
      "all values differ",
    ],
  ])("%s", (_, given, outcome, reason) => {
    expect(compared([given], 5, 19).rows[0]).toMatchObject({ outcome, reason });
  });

  it("corrects for the number of series without a history", () => {
    const apart: Given["points"] = [
      [1, 1, 2, 3, 3],
      [9, 4, 5, 6, 6],
    ];
    const alike: Given["points"] = [
      [1, 1, 2, 3, 3],
      [9, 1, 2, 3, 3],
    ];
    const all = [
      { name: "apart", points: apart },
      ...Array.from({ length: 9 }, (_, i) => ({ name: `s${i}`, points: alike })),
    ];
    // 2 / C(8, 4) is 0.029, and ten tests make it 0.29.
    expect(compared(all, 5, 19).rows[0]?.outcome).toBe("inconclusive");
    expect(
      compared(
        all.map((each) => ({ ...each, points: apart })),
        5,
        19,
      ).rows[0]?.outcome,
    ).toBe("worse");
  });

  it("agrees with a slow reference for any points", () => {
    const value = fc.integer({ min: 1, max: 1000 });
    const history = fc.array(fc.tuple(fc.nat({ max: 30 }), value), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(history, { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 30 }),
        (all, from, to) => {
          const given = all.map((points, at) => ({
            name: `s${at}`,
            points: points.toSorted(([a], [b]) => a - b),
          }));
          const { levels } = compared(given, from, to);
          for (const [at, { points }] of given.entries()) {
            const last = (commit: number) => points.findLast(([version]) => version <= commit);
            const steps = points.slice(1).map(([, center], i) => Math.abs(center - (points[i] as [number, number])[1]));
            const isKnown = last(from) !== undefined && last(to) !== undefined && steps.length >= 5;
            expect([levels.arrays.before[at], levels.arrays.after[at]]).toEqual([
              last(from)?.[1] ?? NaN,
              last(to)?.[1] ?? NaN,
            ]);
            const noise = levels.arrays.noise[at] as number;
            if (isKnown) expect(noise).toBeCloseTo(1.96 * 1.4826 * medianOf(steps), 6);
            else expect(noise).toBeNaN();
          }
        },
      ),
    );
  });
});

describe("the presentation of a comparison", () => {
  const all: Given[] = [
    { name: "startup", points: stepped(10, 12, 0.11), changes: [[12, 0.11]] },
    { name: "startup", metric: "memory", unit: "B", points: stepped(50, 12, 0.3), changes: [[12, 0.3]] },
    { name: "q10", points: stepped(10, 15, -0.2), changes: [[15, -0.2]] },
    { name: "q2", points: stepped(10, 30, 0) },
  ];

  it("is one sentence with the greatest change", () => {
    const { rows, series } = compared(all, 0, 18);
    expect(comparisonSentence(rows, series)).toBe("2 worse, 1 better, 1 the same; startup memory +30 %");
    expect(comparisonSentence(rows.slice(2), series)).toBe("1 better, 1 the same; q10 time -20 %");
    expect(comparisonSentence([], series)).toBe("nothing was measured");
  });

  it("groups by the commit that caused it, or by names in natural order", () => {
    const { rows, series, changes } = compared(all, 0, 18);
    const sorted = sortComparison(rows, "change", false);
    expect(sorted.map(({ series: at }) => at)).toEqual([1, 0, 2, 3]);
    const causes = groupComparison(sorted, "cause", series, changes);
    expect(causes.map(({ commit, rows: own }) => [commit, own.length])).toEqual([
      [12, 2],
      [15, 1],
      [-1, 1],
    ]);
    const names = groupComparison(sorted, "benchmark", series, changes).map(({ name }) => name);
    expect(names).toEqual(["q2", "q10", "startup"]);
  });

  it("knows the first metric of a benchmark", () => {
    expect(compared(all, 0, 18).rows.map(({ isPrimary }) => isPrimary)).toEqual([true, false, true, true]);
  });
});
