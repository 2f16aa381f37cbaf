import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { callLog, type LoggedEvent, type LoggedProcess } from "../../../test/fakes/call-log.ts";
import { decodeCallLog } from "./call-log.ts";

const functions = [
  { path: "/project/work", offset: 0x1139 },
  { path: "/lib/libwork.so", offset: 0x22 },
];

/** A call with its nested calls. */
interface MadeCall {
  readonly called: number;
  readonly before: number;
  readonly after: number;
  readonly size: number | null;
  readonly ending: "returned" | "left";
  readonly within: readonly MadeCall[];
}

const madeCall = fc.letrec<{ call: MadeCall }>((tie) => ({
  call: fc.record({
    called: fc.nat({ max: functions.length - 1 }),
    before: fc.nat({ max: 1000 }),
    after: fc.nat({ max: 1000 }),
    size: fc.option(fc.nat({ max: 2 ** 40 })),
    ending: fc.constantFrom("returned" as const, "left" as const),
    within: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("call"), { maxLength: 3 })),
  }),
})).call;

interface Expected {
  readonly called: number;
  readonly start: number;
  readonly duration: number;
  readonly exclusive: number;
  readonly size: number;
  readonly ending: number;
}

/** The events of consecutive calls, and the expected result. */
function play(calls: readonly MadeCall[], from: number): { events: LoggedEvent[]; expected: Expected[]; time: number } {
  let time = from;
  const [events, expected]: [LoggedEvent[], Expected[]] = [[], []];
  for (const { called, before, after, size, ending, within } of calls) {
    const start = time;
    const inner = play(within, start + before);
    time = inner.time + after;
    events.push({ enter: called, at: start }, ...inner.events, ...(size === null ? [] : [{ size }]), {
      leave: ending,
      at: time,
    });
    const own = { called, start, duration: time - start, exclusive: time - start - (inner.time - start - before) };
    // No time passes between calls of one level, so nested calls are one interval.
    expected.push({ ...own, size: size ?? Number.NaN, ending: ending === "returned" ? 0 : 1 }, ...inner.expected);
  }
  return { events, expected, time };
}

function read(log: LoggedProcess): Expected[][] {
  return decodeCallLog(callLog(log)).threads.map((thread) =>
    thread.starts.map((start, at) => ({
      called: thread.functions[at]!,
      start,
      duration: thread.durations[at]!,
      exclusive: thread.exclusives[at]!,
      size: thread.sizes[at]!,
      ending: thread.endings[at]!,
    })),
  );
}

describe("logs of calls", () => {
  test("reads the calls of all threads, wherever windows end", () => {
    const threads = fc.array(fc.array(madeCall, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(threads, fc.integer({ min: 200, max: 900 }), fc.boolean(), (all, windowBytes, handOver) => {
        const played = all.map((calls) => play(calls, 5));
        const log = {
          functions,
          threads: played.map(({ events }) => events),
          ...(handOver ? { handOver } : { windowBytes }),
        };
        expect(read(log)).toEqual(played.map(({ expected }) => expected));
      }),
      { numRuns: 40 },
    );
  });

  test("reads process, start, functions and stop reason", () => {
    const log = decodeCallLog(callLog({ functions, threads: [], stopped: 2 }));
    expect(log).toMatchObject({ process: 7, session: 6, started: 5_000_000_000n, stopped: "disk", threads: [] });
    expect([...log.functions.values()]).toEqual(
      functions.map(({ path, offset }) => ({ path, offset: BigInt(offset) })),
    );
  });

  test("open calls end with the process, or at its last known moment", () => {
    const threads = [
      [
        { enter: 0, at: 10 },
        { enter: 1, at: 20, number: 30 },
      ],
      [{ enter: 1, at: 70 }],
    ];
    const durations = (ended?: number): unknown =>
      decodeCallLog(callLog({ functions, threads, ...(ended === undefined ? {} : { ended }) })).threads.map(
        (thread) => thread.durations,
      );
    expect(durations(100)).toEqual([[90, 80], [30]]);
    expect(durations()).toEqual([[60, 50], [0]]);
    expect(decodeCallLog(callLog({ functions, threads })).threads[0]).toMatchObject({
      numbers: [0, 30],
      endings: [2, 2],
    });
  });

  test("an empty file and one without a header mean a full disk", () => {
    expect(decodeCallLog(new Uint8Array()).stopped).toBe("disk");
    expect(decodeCallLog(new Uint8Array(1 << 16)).stopped).toBe("disk");
  });

  test("bytes of others never do worse than fail by name", () => {
    const events: LoggedEvent[] = [
      { enter: 0, at: 1 },
      { enter: 1, at: 2 },
      { size: 5 },
      { leave: "left", at: 3 },
      { leave: "returned", at: 4 },
    ];
    const bytes = callLog({ functions, threads: [events, events], handOver: true, ended: 9 });
    const edits = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(edits, fc.boolean(), fc.nat({ max: bytes.length }), (changes, isSecond, length) => {
        const changed = bytes.slice(0, changes.length === 1 ? length : bytes.length);
        for (const [at, value] of changes) changed[at + (isSecond ? 1 << 16 : 0)] = value;
        try {
          decodeCallLog(changed);
        } catch (error) {
          expect(isFailure(error, "call-log-damaged")).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
