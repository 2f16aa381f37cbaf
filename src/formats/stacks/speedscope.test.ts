import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitrarySamples,
  bytesOf,
  inPieces,
  plainSamples,
  profileOfSamples,
} from "../../../test/contracts/arbitrary-stacks.ts";
import type { StackFrame } from "../../core/profiles/stack-profile.ts";
import { foldedText } from "./folded.ts";
import { speedscopeText } from "./speedscope-print.ts";
import { readSpeedscope } from "./speedscope.ts";

const read = (document: unknown) =>
  readSpeedscope(inPieces(bytesOf(typeof document === "string" ? document : JSON.stringify(document))), "f");
const shared = { frames: [{ name: "a", file: "a.c", line: 3, col: 1 }, { name: "b" }, { name: "c" }] };
const evented = (events: readonly (readonly [string, number, number])[], more: object = {}) => ({
  shared,
  profiles: [
    {
      type: "evented",
      name: "one",
      unit: "seconds",
      startValue: 0,
      endValue: 10,
      events: events.map(([type, frame, at]) => ({ type, frame, at })),
      ...more,
    },
  ],
});

describe("reading", () => {
  test("attributes time to the open frames until the end", async () => {
    const profile = await read(
      evented([
        ["O", 0, 1],
        ["O", 1, 2],
        ["C", 1, 4.5],
        ["O", 2, 5],
        ["C", 2, 6],
        ["O", 1, 8],
      ]),
    );
    expect([...foldedText(profile, 0)].join("")).toBe("a 3.5\na;b 4.5\na;c 1\n");
    expect(profile).toMatchObject({ types: [{ name: "time", unit: "seconds" }], facts: { name: "one" } });
    expect(profile.stacks.frames[0]).toEqual({ function: "a", source: "a.c", line: 3, column: 1 });
  });

  test("reads all profiles with labels and a type per unit", async () => {
    const sampled = (name: string, unit: string) => ({
      type: "sampled",
      name,
      unit,
      samples: [[0, 1], [0], []],
      weights: [2, 3, 9],
    });
    const profile = await read({
      shared,
      profiles: [sampled("x", "bytes"), sampled("y", "bytes"), sampled("z", "none")],
    });
    expect(profile.types).toEqual([
      { name: "space", unit: "bytes" },
      { name: "weight", unit: "count" },
    ]);
    expect([[...foldedText(profile, 0)].join(""), [...foldedText(profile, 1)].join("")]).toEqual([
      "a 6\na;b 4\n",
      "a 3\na;b 2\n",
    ]);
    expect(profile.samples.labelsOf(0)).toEqual(new Map([["profile", ["x"]]]));
  });

  test("accepts members in any order", async () => {
    const { profiles, ...rest } = evented([
      ["O", 0, 1],
      ["O", 2, 2],
      ["C", 0, 3],
    ]);
    const [{ events, ...more }] = profiles as [(typeof profiles)[0]];
    const sampled = { weights: [2, 3], samples: [[0, 1], [0]], unit: "none", name: "y", type: "sampled" };
    const profile = await read({ profiles: [{ events, ...more }, sampled], ...rest });
    expect([[...foldedText(profile, 0)].join(""), [...foldedText(profile, 1)].join("")]).toEqual([
      "a 1\na;c 1\n",
      "a 3\na;b 2\n",
    ]);
  });

  test.each([
    ["[]", /the document is not an object/],
    ['{"shared":{"frames":[]},"profiles":[', /invalid or truncated JSON/],
    [{ shared, profiles: [] }, /it has no profile/],
    [{ shared, profiles: [{ type: "other", unit: "none" }] }, /neither evented nor sampled/],
    [{ shared, profiles: [{ type: "sampled", unit: "none", samples: [[0]], weights: [] }] }, /1 samples and 0 weights/],
    [
      { shared, profiles: [{ type: "sampled", unit: "none", samples: [[7]], weights: [1] }] },
      /a frame is out of range/,
    ],
    [
      evented([
        ["O", 0, 2],
        ["C", 0, 1],
      ]),
      /is earlier than/,
    ],
    [evented([["C", 0, 1]]), /not open/],
  ])("refuses %j", async (document, why) => {
    await expect(read(document)).rejects.toThrow(why);
  });
});

describe("writing", () => {
  const frame: fc.Arbitrary<StackFrame> = fc.oneof(
    fc.record({ function: fc.string({ minLength: 1, maxLength: 6 }) }),
    fc.record({
      function: fc.constantFrom("a", "b"),
      source: fc.string({ maxLength: 4 }),
      line: fc.integer({ min: 1, max: 9 }),
      column: fc.integer({ min: 1, max: 2 }),
    }),
  );
  const weight = fc.oneof(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0.001, max: 1e6, noNaN: true }));

  test("a profile of one type survives a round trip", async () => {
    const label = fc.constantFrom("x", "y", "").map((name) => [["profile", [name]]] as const);
    await fc.assert(
      fc.asyncProperty(arbitrarySamples(frame, weight, 1, label), async (samples) => {
        const profile = profileOfSamples(
          [
            ...samples,
            { ...samples[0]!, labels: [["profile", ["z"]]] },
            { ...samples[0]!, labels: [["profile", ["w"]]] },
          ],
          [{ name: "time", unit: "seconds" }],
        );
        const again = await read([...speedscopeText(profile, [0])].join(""));
        expect(plainSamples(again)).toEqual(plainSamples(profile));
        expect(again.types).toEqual(profile.types);
      }),
    );
  });

  test("prints a profile per type, named after it", () => {
    const types = [
      { name: "objects", unit: "count" },
      { name: "space", unit: "bytes" },
    ];
    const profile = profileOfSamples(
      [{ calls: [{ function: "a" }], values: [2, 0.5], labels: [["thread", ["t"]]] }],
      types,
    );
    const document = JSON.parse([...speedscopeText(profile, [1, 0])].join("")) as object;
    expect(document).toMatchObject({
      $schema: "https://www.speedscope.app/file-format-schema.json",
      profiles: [
        {
          type: "sampled",
          name: "t (space)",
          unit: "bytes",
          startValue: 0,
          endValue: 0.5,
          samples: [[0]],
          weights: [0.5],
        },
        { name: "t (objects)", unit: "none", weights: [2] },
      ],
    });
  });
});
