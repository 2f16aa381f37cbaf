import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProbeLog } from "./probe-log.ts";
import { isProbeName, isProbePath, probeScript } from "./probe-script.ts";
import { partnerOf, readStaticProbes } from "./static-probes.ts";

function read(text: string, pairs = new Map<number, number>()): ProbeLog {
  const log = new ProbeLog(pairs);
  log.push(new TextEncoder().encode(text));
  return log;
}

describe("what bpftrace prints", () => {
  test("is put in order by time, thread by thread; pieces may end anywhere", () => {
    const text =
      "ready\ne 9 9 1000 0 -\ne 9 9 1500 1 42\nx 9 9 2500 0\nx 9 9 2000 1\ne 9 10 1700 1 -3\nx 9 10 1800 1\n\n@told: 6\n";
    const whole = read(text).processes();
    expect(whole).toHaveLength(1);
    const [first, second] = whole[0]!.threads;
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
        const places = [0, ...ends.toSorted((a, b) => a - b), text.length];
        places.slice(1).forEach((end, at) => log.push(new TextEncoder().encode(text.slice(places[at], end))));
        expect([log.processes(), log.lost]).toEqual([whole, 0]);
      }),
    );
  });

  test("what does not return is left by a jump or open; what was entered before is none", () => {
    const [process] = read(
      "x 9 9 900 5\ne 9 9 1000 0 -\ne 9 9 1100 1 -\ne 9 9 1200 2 -\nx 9 9 1500 1\ne 9 9 1600 2 -\n",
    ).processes();
    expect(process!.threads[0]).toMatchObject({
      functions: [0, 1, 2, 2],
      endings: [2, 0, 1, 2],
      durations: [600, 400, 300, 0],
    });
  });

  test("static probes: pairs and single ones, whatever functions are open", () => {
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

  test("says what is missing", () => {
    expect(read("e 9 9 1 0 -\nLost 7 events\n").lost).toBe(7);
    expect(read("e 9 9 1 0 -\n@told: 3\n").lost).toBe(2);
    expect(read("limit\n").isOver).toBe(true);
  });

  test("lines of others are none", () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text).processes()));
    expect(read("e 9 9 1 0\nq 9 9 1 0\ne 9 9 -1 0 -\ne 9 9 1 0 - -\n").processes()).toHaveLength(1);
  });
});

describe("scripts for bpftrace", () => {
  test("set two probes for a function, one for a static probe, and what says that they are set as the last", () => {
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

  test("names of others are no part of it", () => {
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

test("static probes are listed once, and pairs go by their names", () => {
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
  expect(all.map((probe) => partnerOf(probe, all)?.name)).toEqual(["round_end", undefined, undefined]);
  expect(readStaticProbes("")).toEqual([]);
});
