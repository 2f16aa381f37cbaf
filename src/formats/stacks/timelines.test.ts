import { expect, test } from "vitest";
import { bytesOf, inPieces } from "../../../test/contracts/arbitrary-stacks.ts";
import { type StackProfile, timelineIn } from "../../core/profiles/index.ts";
import { readSpeedscope } from "./speedscope.ts";
import { stackRun } from "./stack-rows.ts";
import { readTraceEvents } from "./v8/trace-events.ts";
import { cpuProfileStacks } from "./v8/v8-stacks.ts";

const source = (document: unknown) => inPieces(bytesOf(JSON.stringify(document)), 7);

/** Each track as `duration path`; `-`: nothing ran. */
function tracks({ stacks, timeline }: Pick<StackProfile, "stacks" | "timeline">): Record<string, string> {
  const pathOf = (node: number): string =>
    node === 0
      ? "-"
      : stacks
          .framesOf(node)
          .map((frame) => frame.function)
          .toReversed()
          .join(";");
  return Object.fromEntries(
    timeline!.tracks.map((track) => [
      track.name,
      [...track.stacks].map((node, at) => `${track.durations[at]} ${pathOf(node)}`).join(", "),
    ]),
  );
}

const frame = (functionName: string) => ({ functionName, scriptId: "0", url: "", lineNumber: -1, columnNumber: -1 });

test("a .cpuprofile has its samples in the order of time, and when it is stored, too", async () => {
  const document = {
    nodes: [
      { id: 1, callFrame: frame("(root)"), children: [2, 4] },
      { id: 2, callFrame: frame("main"), children: [3] },
      { id: 3, callFrame: frame("f") },
      { id: 4, callFrame: frame("(idle)") },
    ],
    startTime: 100,
    endTime: 140,
    samples: [3, 2, 3, 4, 3],
    timeDeltas: [2, 5, 10, 4, 6],
  };
  const profile = await cpuProfileStacks(source(document), "f");
  const expected = { "": "5 main;f, 10 main, 4 main;f, 6 (idle), 13 main;f" };
  expect(tracks(profile)).toEqual(expected);
  expect(tracks(timelineIn(stackRun(profile, "cpuprofile", "/p").extra.get("timeline"))!)).toEqual(expected);
  // V8 may write samples out of order.
  const swapped = { ...document, samples: [3, 3, 2, 4, 3], timeDeltas: [2, 15, -10, 14, 6] };
  expect(tracks(await cpuProfileStacks(source(swapped), "f"))).toEqual(expected);
});

test("trace events have the slices of each thread, with the time between them", async () => {
  const event = (ph: string, name: string, ts: number, more: object = {}) => ({
    ph,
    name,
    ts,
    pid: 1,
    tid: 1,
    ...more,
  });
  const events = [
    event("B", "outer", 10),
    event("X", "inner", 13, { dur: 2 }),
    event("E", "", 20),
    event("X", "later", 25, { dur: 1 }),
  ];
  expect(tracks(await readTraceEvents(source(events), "f"))).toEqual({
    "": "3 outer, 2 outer;inner, 5 outer, 5 -, 1 later",
  });
  const other = [
    event("X", "a", 3, { dur: 4, tid: 2 }),
    event("M", "thread_name", 0, { tid: 2, args: { name: "io" } }),
  ];
  expect(tracks(await readTraceEvents(source([...events, ...other]), "f"))).toMatchObject({ "1 io": "4 a" });
});

test("speedscope's profiles have events and weighted samples in order; those of bytes have none", async () => {
  const shared = { frames: [{ name: "a" }, { name: "b" }] };
  const events = [
    { type: "O", frame: 0, at: 1 },
    { type: "O", frame: 1, at: 2 },
    { type: "C", frame: 1, at: 4 },
    { type: "C", frame: 0, at: 5 },
    { type: "O", frame: 1, at: 8 },
  ];
  const evented = { type: "evented", name: "one", unit: "seconds", startValue: 0, endValue: 9, events };
  const sampled = { type: "sampled", name: "two", unit: "seconds", samples: [[0], [0, 1], [0]], weights: [1, 2, 3] };
  const both = await readSpeedscope(source({ shared, profiles: [evented, sampled] }), "f");
  expect(tracks(both)).toEqual({ one: "1 a, 2 a;b, 1 a, 3 -, 1 b", two: "1 a, 2 a;b, 3 a" });
  expect(both.timeline?.unit).toBe("seconds");
  const bytes = { shared, profiles: [{ ...sampled, unit: "bytes" }] };
  expect((await readSpeedscope(source(bytes), "f")).timeline).toBeUndefined();
});
