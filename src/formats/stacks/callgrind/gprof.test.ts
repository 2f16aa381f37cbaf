import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readGprof } from "./gprof.ts";

const text = readFileSync("test/samples/profiles/gprof.txt", "utf8");

async function* bytes(changed: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(changed);
}

/** Time in microseconds and calls by function. */
async function read(changed: string): Promise<Record<string, readonly number[]>> {
  const { samples, stacks } = await readGprof(bytes(changed), "f");
  const rows = Array.from({ length: samples.length }, (_, row) => row);
  return Object.fromEntries(
    rows.map((row) => [
      stacks
        .framesOf(samples.stackOf(row))
        .map((frame) => frame.function)
        .join(";"),
      [samples.valueOf(row, 0), samples.valueOf(row, 1)],
    ]),
  );
}

test("reads self time and calls of the flat profile", async () => {
  expect(await read(text)).toEqual({ mix: [470_000, 100_016], sort: [110_000, 1], hash: [0, 1], walk: [0, 1] });
});

test("without a flat profile, reads the call graph with recursive calls", async () => {
  expect(await read(text.slice(text.indexOf("\t\t\tCall graph")))).toEqual({
    main: [0, 0],
    mix: [470_000, 100_016],
    sort: [110_000, 1],
    hash: [0, 1],
    walk: [0, 16],
  });
});

test("names with blanks, functions without calls and cycles", async () => {
  const row = "  5.00      0.50     0.02                             void f<int>(int, char) <cycle 1> [7]\n";
  const changed = text.replace("  0.00      0.58     0.00        1     0.00   282.41  hash\n", row);
  expect(await read(changed)).toMatchObject({ "void f<int>(int, char)": [20_000, 0] });
});

test.each([
  ["a truncated row", text.slice(0, text.indexOf("sort") - 12), "bad-stack-profile"],
  ["a huge count", text.replace("100016", "9".repeat(30)), "bad-stack-profile"],
  ["a second profile", text + text, "bad-stack-profile"],
  ["a long line", text.replace("mix", "m".repeat(30_000)), "bad-stack-profile"],
  ["no rows", "Flat profile:\n\n no time accumulated\n", "no-stacks"],
])("refuses %s", async (_, changed, code) => {
  await expect(read(changed)).rejects.toThrow(expect.objectContaining({ code }));
});
