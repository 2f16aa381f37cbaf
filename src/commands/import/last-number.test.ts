import { expect, test } from "vitest";
import { LastNumber } from "./last-number.ts";

/** True if the end of the text is reported, in pieces of any size. */
async function isReported(text: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(text);
  const answers = new Set<boolean>();
  for (const size of [1, 7, 1000]) {
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const last = new LastNumber();
    const seen: number[] = [];
    for await (const piece of last.watch(pieces())) seen.push(...piece);
    expect(seen).toEqual([...bytes]);
    answers.add([...last.notices()].length > 0);
  }
  expect(answers.size).toBe(1);
  return [...answers][0]!;
}

test.each(["a 12", "x=5", "12", "a,b\n1,2.", "t: 0:0", "1.5e", "1.5e-", `${"x\n".repeat(100)}7`])(
  "%j",
  async (text) => {
    expect(await isReported(text)).toBe(true);
  },
);

test.each(["a 12\n", "a 12\r\n", "", "PAR1", "]", "a 12 ms", "node7", '{"a": 1}', "a 1 b"])("not %j", async (text) => {
  expect(await isReported(text)).toBe(false);
});
