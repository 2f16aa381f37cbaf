import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProbeLog, isProbeName, isProbePath, probeScript, endProbeOf, readStaticProbes } from "./bpftrace.ts";

function read(text: string, pairs = new Map<number, number>()): ProbeLog {
  const log = new ProbeLog(pairs);
  log.push(new TextEncoder().encode(text));
  return log;
}

describe("bpftrace output", () => {
  test("is ordered by time within each thread; chunks may end anywhere", () => {
    const text =
      "ready\ne 9 9 1000 0 -\ne 9 9 1500 1 42\nx 9 9 2500 0\nx 9 9 2000 1\n" +
      "e 9 10 1700 1 -3\nx 9 10 1800 1\n\n@printed: 6\n";
    const expected = read(text).processes();
    expect(expected).toHaveLength(1);
    const [first, second] = expected[0]!.threads;
    expect(first).toMatchObject({
      thread: 1,
      functions: [0, 1],
      starts: [0, 500],
      durations: [1500, 500],
      exclusives: [1000, 500],
    });
    expect(first!.sizes).toEqual([Number.NaN, 42]);
    expect(second).toMatchObject({ thread: 2, functions: [1], durations: [100], sizes: [-3] });
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length })), (ends) => {
        const log = new ProbeLog();
        const cuts = [0, ...ends.toSorted((a, b) => a - b), text.length];
        cuts.slice(1).forEach((end, at) => log.push(new TextEncoder().encode(text.slice(cuts[at], end))));
        expect([log.processes(), log.lost]).toEqual([expected, 0]);
      }),
    );
  });

  test("calls without a return are left by a jump or open; calls entered before the start are ignored", () => {
    const [process] = read(
      "x 9 9 900 5\ne 9 9 1000 0 -\ne 9 9 1100 1 -\ne 9 9 1200 2 -\nx 9 9 1500 1\ne 9 9 1600 2 -\n",
    ).processes();
    expect(process!.threads[0]).toMatchObject({
      functions: [0, 1, 2, 2],
      endings: [2, 0, 1, 2],
      durations: [600, 400, 300, 0],
    });
  });

  test("reads paired and single static probes independently of open functions", () => {
    const text = "e 9 9 100 0 -\nu 9 9 110 1\nu 9 9 120 3\nx 9 9 130 0\nu 9 9 140 2\nu 9 9 150 3\nu 9 9 170 3\n";
    const threads = read(text, new Map([[1, 2]])).processes()[0]!.threads;
    expect(threads.map(({ functions, durations, endings }) => [functions, durations, endings])).toEqual([
      [[0], [30], [0]],
      [[1], [30], [0]],
      [
        [3, 3, 3],
        [30, 20, 0],
        [0, 0, 2],
      ],
    ]);
  });

  test("counts lost events", () => {
    expect(read("e 9 9 1 0 -\nLost 7 events\n").lost).toBe(7);
    expect(read("e 9 9 1 0 -\n@printed: 3\n").lost).toBe(2);
    expect(read("limit\n").exceedsLimit).toBe(true);
  });

  test("ignores other lines", () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text).processes()));
    expect(read("e 9 9 1 0\nq 9 9 1 0\ne 9 9 -1 0 -\ne 9 9 1 0 - -\n").processes()).toHaveLength(1);
  });
});

describe("scripts for bpftrace", () => {
  test("set two probes per function, one per static probe, and the ready message last", () => {
    const path = "/tmp/file0";
    const script = probeScript(
      [{ id: 0, path, name: "_ZN4List4sortEv", every: 1, argument: 2 }],
      [{ id: 1, path, provider: "work", name: "tick", every: 10 }],
      1000,
    );
    const lines = script.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual([
      `uprobe:${path}:"_ZN4List4sortEv"`,
      `uretprobe:${path}:"_ZN4List4sortEv"`,
      `usdt:${path}:"work":"tick"`,
      "interval:ms:10",
    ]);
    expect(lines[0]).toContain("arg1);");
    expect(lines[2]).toContain("@n1 % 10 == 0");
    expect(script).toContain("@all > 1000");
  });

  test("reject names and paths that are unsafe in a script", () => {
    for (const name of ["main", "_ZN4List4sortEv", "f.part.0", "a$b"]) expect(isProbeName(name)).toBe(true);
    for (const name of ["", "a b", 'a"', "a\n", "*", "a}", "0a", "a".repeat(2000)])
      expect(isProbeName(name)).toBe(false);
    expect([isProbePath("/tmp/x-1/file0"), isProbePath("/tmp/x y"), isProbePath('/t"'), isProbePath("/t*")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

test("static probes are listed once and paired by name", () => {
  const listed = [
    "  stapsdt  0x0000002a\tNT_STAPSDT (SystemTap probe descriptors)\t    Provider: work",
    "    Name: round_begin",
    "    Location: 0x12d9, Base: 0x2004, Semaphore: 0x0",
    ...["round_end", "tick", "round_begin"].flatMap((name) => [
      "  stapsdt\tNT_STAPSDT    Provider: work",
      `    Name: ${name}`,
    ]),
  ].join("\n");
  const all = readStaticProbes(listed);
  expect(all.map(({ provider, name }) => `${provider}:${name}`)).toEqual([
    "work:round_begin",
    "work:round_end",
    "work:tick",
  ]);
  expect(all.map((probe) => endProbeOf(probe, all)?.name)).toEqual(["round_end", undefined, undefined]);
  expect(readStaticProbes("")).toEqual([]);
});
