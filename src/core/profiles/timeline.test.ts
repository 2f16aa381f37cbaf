import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StackFrame, Timeline } from "./stack-profile.ts";
import { StackTable } from "./stack-table.ts";
import { boundedTimeline, TimelineBuilder, timelineIn, timelineJson, timelineOf } from "./timeline.ts";

const numbers = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.double({ min: 0.001, max: 100, noNaN: true })));

function timeline(intervals: readonly (readonly [stack: number, duration: number])[]): Timeline {
  const builder = new TimelineBuilder();
  for (const [stack, duration] of intervals) builder.add(stack, duration);
  return { unit: "microseconds", tracks: [builder.track("")] };
}

function sum({ tracks }: Timeline): number {
  return tracks.reduce((total, { durations }) => durations.reduce((all, each) => all + each, total), 0);
}

describe("the builder", () => {
  test("joins adjacent intervals of a stack, and ignores what takes no time", () => {
    const { tracks } = timeline([
      [1, 2],
      [1, 3],
      [2, 0],
      [0, Number.NaN],
      [1, -1],
      [2, 4],
      [1, 1],
    ]);
    expect(tracks.map(({ stacks, durations }) => [[...stacks], [...durations]])).toEqual([
      [
        [1, 2, 1],
        [5, 4, 1],
      ],
    ]);
  });

  test("tracks in which nothing ran are no timeline", () => {
    expect(timelineOf("seconds", timeline([[0, 5]]).tracks)).toBeUndefined();
  });
});

test("bounded timelines keep their duration, and long intervals", () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 5, max: 40 }), (intervals, most) => {
      const whole = timeline(intervals);
      const bounded = boundedTimeline(whole, most);
      expect(sum(bounded)).toBeCloseTo(sum(whole), 6);
      expect(bounded.tracks[0]!.stacks.length).toBeLessThanOrEqual(most);
      const { resolution = 0 } = bounded;
      const long = whole.tracks[0]!.durations.filter((duration) => duration >= resolution);
      const left = [...bounded.tracks[0]!.durations];
      for (const duration of long) expect(left.some((each) => each >= duration * (1 - 1e-9))).toBe(true);
    }),
  );
});

describe("as a region of a profile", () => {
  const stacks = new StackTable<StackFrame>();
  const [main, f, g] = ["main", "f;g", "g"].map((name) => stacks.frame(name, () => ({ function: name })));
  const inMain = stacks.called(0, main!);
  stacks.called(0, g!);
  const [inF, inG] = [stacks.called(inMain, f!), stacks.called(inMain, g!)];
  const own = {
    stacks,
    timeline: {
      ...timeline([
        [inG, 0.25],
        [0, 3],
        [inF, 1e-7],
        [inMain, 2],
      ]),
      resolution: 0.5,
    },
  };

  test("reads back with its own stacks", () => {
    const read = timelineIn(timelineJson(own))!;
    const [track] = read.timeline.tracks;
    const names = [...track!.stacks].map((node) => read.stacks.framesOf(node).map((frame) => frame.function));
    expect(names).toEqual([["g", "main"], [], ["f;g", "main"], ["main"]]);
    expect([...track!.durations]).toEqual([0.25, 3, 1e-7, 2]);
    expect(read.timeline).toMatchObject({ unit: "microseconds", resolution: 0.5 });
    expect(read.stacks.size).toBe(4);
  });

  test("a region of another program is none", () => {
    const json = timelineJson(own);
    for (const other of [
      undefined,
      [],
      new Map(),
      new Map([...json, ["callers", "0 7"]]),
      new Map([...json, ["tracks", []]]),
    ])
      expect(timelineIn(other)).toBeUndefined();
  });
});
