import { expect, test } from "vitest";
import { type StackFrame, StackTable } from "../../core/profiles/index.ts";
import { pathOf } from "../../core/figures/flame-graph.ts";
import { flameChart } from "./flame-chart.ts";

/** A track of `duration path` words, `-` for none. */
function chart(tracks: Readonly<Record<string, string>>) {
  const stacks = new StackTable<StackFrame>();
  const nodeOf = (path: string): number =>
    path === "-"
      ? 0
      : path.split(";").reduce((caller, name) => {
          const frame = stacks.frame(name, () => ({ function: name }));
          return stacks.called(caller, frame);
        }, 0);
  const all = Object.entries(tracks).map(([name, text]) => {
    const words = text.split(" ");
    return {
      name,
      stacks: Int32Array.from(words.filter((_, at) => at % 2 === 1).map(nodeOf)),
      durations: Float64Array.from(words.filter((_, at) => at % 2 === 0).map(Number)),
    };
  });
  return flameChart({ stacks, timeline: { unit: "microseconds", tracks: all } });
}

function lines(graph: ReturnType<typeof chart>): string[] {
  return [...graph.name.keys()].map(
    (frame) => `${pathOf(graph, frame).join(";")} ${graph.start[frame]}+${graph.total[frame]} ${graph.self[frame]}`,
  );
}

test("calls are in the order of time, with gaps; a call goes on while its stack is active", () => {
  expect(lines(chart({ "": "2 a;c 3 a;b 4 - 1 a;b 1 a 5 d;a" }))).toEqual([
    " 0+16 4",
    "a 0+5 0",
    "a;c 0+2 2",
    "a;b 2+3 3",
    "a 9+2 1",
    "a;b 9+1 1",
    "d 11+5 0",
    "d;a 11+5 5",
  ]);
});

test("threads are next to each other, below their names", () => {
  expect(lines(chart({ main: "2 a 1 a;b", worker: "4 a" }))).toEqual([
    " 0+7 0",
    "main 0+3 0",
    "main;a 0+3 2",
    "main;a;b 2+1 1",
    "worker 3+4 0",
    "worker;a 3+4 4",
  ]);
  expect(chart({ main: "1 a" })).toMatchObject({ byTime: true, quantity: "time" });
});

test("a profile without order has none", () => {
  expect(() => flameChart(undefined)).toThrow(/does not keep the order/);
});
