import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitrarySamples,
  bytesOf,
  foldedName,
  inPieces,
  plainSamples,
  profileOfSamples,
} from "../../../test/contracts/arbitrary-stacks.ts";
import { foldedText, foldedShare, readFolded } from "./folded.ts";

const counts = [{ name: "samples", unit: "count" }];
const read = (text: string | Uint8Array) =>
  readFolded(inPieces(typeof text === "string" ? bytesOf(text) : text, 5), "f");
const folded = async (text: string | Uint8Array): Promise<string> => [...foldedText(await read(text), 0)].join("");

describe("reading", () => {
  test("sums equal stacks and ignores other lines", async () => {
    const text =
      "# a comment\r\n// another\r\na;b;c 1\r\na;b;c 3\r\nno number\r\n\r\na;b 0.5\r\n 7\r\na;b x1\r\na;c -2";
    expect(await folded(text)).toBe("a;b 0.5\na;b;c 4\na;c -2\n");
  });

  test("sums are independent of repetition and of chunk boundaries", async () => {
    const line = fc.tuple(
      fc.constantFrom("a", "a;b", "é;b c", "x;;y", "", ";"),
      fc.constantFrom("1", "007", "-3", "1.5", "2e3", "1e400", "", "9007199254740993"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 60 }), fc.constantFrom("\n", "\r\n"), async (lines, ending) => {
        const sums = new Map<string, number>();
        for (const [stack, amount] of lines)
          if (stack !== "" && amount !== "") sums.set(stack, (sums.get(stack) ?? 0) + Number(amount));
        const text = lines.map(([stack, amount]) => `${stack} ${amount}${ending}`).join("");
        const rows: [string, number][] = [];
        const profile = await read(text).catch(() => undefined);
        for (let row = 0; row < (profile?.samples.length ?? 0); row++) {
          const { stacks, samples } = profile!;
          const calls = stacks.framesOf(samples.stackOf(row)).map((call) => call.function);
          rows.push([calls.toReversed().join(";"), samples.valueOf(row, 0)]);
        }
        expect(new Map(rows)).toEqual(sums);
      }),
    );
  });

  test("reads UTF-16 with a byte order mark", async () => {
    const units = Uint16Array.from([..."\ufeffdéjà;vu 3\r\n"].map((each) => each.charCodeAt(0)));
    expect(await folded(new Uint8Array(units.buffer))).toBe("déjà;vu 3\n");
  });

  test("a text without any stack is refused", async () => {
    await expect(read("nothing\nhere;at all\n")).rejects.toMatchObject({ code: "no-stacks" });
  });

  test("the share of stacks ignores comments", () => {
    expect([foldedShare("# x\na;b 1\nc 2\n"), foldedShare("a 1\nno\n"), foldedShare("")]).toEqual([1, 0.5, 0]);
  });
});

describe("writing", () => {
  test("a profile survives a round trip", async () => {
    const frame = foldedName.map((name) => ({ function: name }));
    const amount = fc.oneof(
      fc.integer({ min: -1e6, max: 1e15 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
    );
    await fc.assert(
      fc.asyncProperty(arbitrarySamples(frame, amount, 1, fc.constant([])), async (samples) => {
        const profile = profileOfSamples(samples, counts);
        const text = [...foldedText(profile, 0)].join("");
        if (text !== "") expect(plainSamples(await read(text))).toEqual(plainSamples(profile));
        const lines = text.split("\n").slice(0, -1);
        const sorted = lines.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(lines).toEqual(sorted);
      }),
    );
  });

  test("merges frames of equal name, sums labels, replaces separators and omits zeros", () => {
    const samples = [
      { calls: [{ function: "a;b", line: 1 }], values: [1], labels: [["thread", ["1"]]] },
      { calls: [{ function: "a;b", line: 2 }], values: [2], labels: [["thread", ["2"]]] },
      { calls: [{ function: "two\nlines" }], values: [1e21], labels: [] },
      { calls: [{ function: "none" }], values: [0], labels: [] },
      { calls: [], values: [5], labels: [] },
    ] as const;
    expect([...foldedText(profileOfSamples(samples, counts), 0)].join("")).toBe(
      "[unknown] 5\na:b 3\ntwo lines 1000000000000000000000\n",
    );
  });

  test("prints a stack of a hundred thousand calls", () => {
    const calls = Array.from({ length: 1e5 }, () => ({ function: "f" }));
    const text = [...foldedText(profileOfSamples([{ calls, values: [1], labels: [] }], counts), 0)].join("");
    expect([text.length, text.slice(-5)]).toEqual([2e5 + 2, "f;f 1\n".slice(-5)]);
  });
});
