import { describe, expect, test } from "vitest";
import type { NamedLocation } from "../../../formats/descriptions/input/input-description.ts";
import {
  failure,
  keyword,
  named,
  once,
  pattern,
  read,
  rows,
  separation,
} from "../../../../test/importers/read-sets.ts";

describe("named", () => {
  test.each([
    ["a match stands anywhere, also within a word", named("T", { matches: [{ text: "ime=" }] }), "T=1 time=5", 5],
    ["a terminator ends the value", named("T", { matches: [{ text: "[", terminator: "|" }] }), "[5|6]", 5],
    ["the value leads", named("T", { matches: [{ text: "usec" }], leads: true }), "1 took 7.5 usec", 7.5],
    [
      "what leads has its unit",
      named("T", { matches: [{ text: "each" }], leads: true, unit: "text" }),
      "1 s, 5 ms each",
      5000,
    ],
    ["a pattern that leads", named("T", { patterns: ["us(ec)?$"], leads: true }), "1 took 7.5 us", undefined],
    ["scale", named("T", { scale: 0.5 }), "T=5", 2.5],
    ["scale and unit", named("T", { scale: 2, unit: "text" }), "T=5 ms", 10_000],
    ["filter", named("T", { filters: [{ source: ",", ignoreCase: false }] }), "T=1,234.5 us", 1234.5],
    ["map", named("T", { maps: [{ from: keyword("fast"), to: "1" }] }), "T=fast", 1],
    ["length of a number", named("T", { length: 2 }), "T=1234", 12],
    ["trigger: the whole line", named("T", { triggers: [{ mark: keyword("time:"), skip: 1 }] }), "4\ntime:\n5\n6", 5],
    [
      "trigger: the line itself",
      named("T", { triggers: [{ mark: pattern("^[0-9]+ us"), skip: 0 }] }),
      "T=4\n5 us\n6",
      5,
    ],
    [
      "trigger: what is looked for in the line",
      named("T", { triggers: [{ mark: keyword("time"), skip: 2 }], matches: [{ text: "=" }] }),
      "a=1\ntime\nb=2\nc=3\nd=4",
      3,
    ],
  ] as const)("%s", async (_, location, data, value) => {
    const found = await read([location], data).catch(() => undefined);
    expect(found?.runs[0]?.rows[0]?.[0]).toEqual(value);
  });

  test("leading texts, filtered and mapped texts", async () => {
    const data = "my own host: name is\n";
    const at = (more: Partial<NamedLocation>): Promise<unknown> =>
      once([named("fs", { matches: [{ text: ":" }], ...more })], data);
    expect(await at({ leads: true })).toEqual({ fs: "host" });
    expect(await at({ leads: true, length: 0 })).toEqual({ fs: "my own host" });
    expect(await at({ leads: true, length: 8 })).toEqual({ fs: "own host" });
    expect(await at({ matches: [{ text: ":", terminator: "y" }], leads: true })).toEqual({ fs: "own host" });
    expect(await at({ maps: [{ from: keyword("name"), to: "two words" }] })).toEqual({ fs: "two words" });
    expect(await at({ length: 0, filters: [{ source: " ", ignoreCase: false }] })).toEqual({ fs: "nameis" });
  });

  test("leading dates", async () => {
    expect(
      await once([named("when", { matches: [{ text: "begin" }], leads: true })], "at 2020-01-02 03:04:05 begin"),
    ).toEqual({
      when: Date.parse("2020-01-02T03:04:05Z") * 1000,
    });
  });

  test("a number of lines; up to the next empty line; up to the end", async () => {
    const data = "T=1\nnote: a\nb \n c\n\nd\n";
    const note = async (lines: number, text = data): Promise<unknown> =>
      (await rows([named("T"), named("note", { lines })], text))[0]?.[0];
    expect(await note(1)).toBe("a");
    expect(await note(2)).toBe("a\nb");
    expect(await note(0)).toBe("a\nb \n c");
    expect(await note(9)).toBe("a\nb \n c\n\nd");
    expect(await note(0, "T=1\nnote: a\nb")).toBe("a\nb");
  });

  test("a block of text", async () => {
    const block = {
      begin: [{ mark: keyword("<<"), skip: 0 }],
      end: [
        { mark: pattern("^>>"), skip: 0 },
        { mark: keyword("!"), skip: 0 },
      ],
    };
    const note = async (data: string, more: Partial<NamedLocation> = {}): Promise<unknown> =>
      (await rows([named("T"), named("note", { block, ...more })], `T=1\n${data}`))[0]?.[0];
    expect(await note("x << a\nT=2\n b >>\n>> d")).toBe("a\nT=2\n b >>");
    expect(await note("<< one line ! more")).toBe("one line");
    const skipping = { ...block, begin: [{ mark: keyword("<<"), skip: 2 }] };
    expect(await note("<< a\nb\nc\nd\n>>", { block: skipping })).toBe("c\nd");
    const { notices, runs } = await read([named("T"), named("note", { block })], "T=1\n<< a\nb\n");
    expect([runs[0]?.rows, notices]).toEqual([[[null, 1]], ["3: the block of 'note' does not end before this line"]]);
  });

  test("a text of more than a mebibyte is invalid", async () => {
    const { notices } = await read(
      [named("T"), named("note", { lines: 0 })],
      `T=1\nnote\n${`${"x".repeat(5000)}\n`.repeat(300)}\n`,
    );
    expect(notices).toEqual(["303: 'note' is longer than 1048576 characters"]);
  });

  test("modes", async () => {
    const count = named("hits", { mode: "count", matches: [{ text: "err" }] });
    const seen = named("ok", { mode: "boolean", patterns: ["^done"] });
    const sum = named("total", { mode: "accumulate", matches: [{ text: "t=" }] });
    const data = "t=1 err err\nerr t=2.5\nt=x\n";
    expect(await once([count, seen, sum], `${data}done\n`)).toEqual({ hits: 3, ok: true, total: 3.5 });
    expect(await once([count, seen, sum], "t=1")).toEqual({ hits: 0, ok: false, total: 1 });
    expect(
      await failure([named("op", { mode: "abort", patterns: ["(?i)fatal"] }), named("T")], "T=1\nx FATAL"),
    ).toContain("line 2: the description aborts the import at 'op'");
    expect(
      await rows(
        [named("T"), named("n", { mode: "count", matches: [{ text: "!" }] }), separation()],
        "T=1 !!\n*** T=2\n*** T=3 !",
      ),
    ).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
  });

  test("several locations of one variable: the first value counts", async () => {
    const latency = [
      named("T", { patterns: ["lat \\(ns\\): ([0-9]+)"], scale: 0.001 }),
      named("T", { patterns: ["lat \\(ms\\): ([0-9]+)"], scale: 1000 }),
    ];
    expect(await rows(latency, "lat (ms): 5")).toEqual([[5000]]);
    expect(await rows([...latency, separation()], "lat (ns): 5\n*** lat (ms): 6\n")).toEqual([[0.005], [6000]]);
    expect(await failure([named("hits", { mode: "count" }), named("hits")])).toContain("has a location already");
  });

  test("reports a pattern whose value is of a wrong type", async () => {
    const { notices } = await read([named("n", { patterns: ["n is (\\w+)"] }), named("T")], "n is many\nT=1\n");
    expect(notices).toEqual(["1: 'n is (\\w+)' matches, but yields no integer"]);
  });
});
