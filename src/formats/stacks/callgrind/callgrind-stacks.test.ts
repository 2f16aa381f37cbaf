import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bytesOf, inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { readCallgrind } from "./callgrind-stacks.ts";
import { foldedText } from "../folded.ts";

const read = (text: string) => readCallgrind(inPieces(bytesOf(text)), "f");

test("reads self costs of all events with compressed names", async () => {
  const text = [
    "# callgrind format",
    "cmd: ./a b",
    "positions: instr line",
    "events: Ir Dr",
    "ob=(1) /bin/a",
    "fl=(1) a.c",
    "fn=(1) main",
    "0x10 16 20 2",
    "cfi=(2) b.c",
    "cfn=(2) f",
    "calls=3 0x20 20",
    "+4 16 400 40",
    "fi=(2)",
    "* 21 5",
    "fe=(1)",
    "fn=(2)",
    "-8 +3 700 0x7",
    "jump=3 0x10 4",
    "totals: 725 9",
  ].join("\n");
  const profile = await read(text);
  expect([0, 1].map((type) => [...foldedText(profile, type)].join(""))).toEqual([
    "main 25\nmain;f 700\n",
    "main 2\nmain;f 7\n",
  ]);
  expect(profile).toMatchObject({
    types: [{ name: "Ir" }, { name: "Dr" }],
    facts: { command: "./a b", estimated: true },
  });
  expect(profile.stacks.frames[0]).toEqual({ function: "main", module: { path: "/bin/a" }, source: "a.c" });
});

test("costs of a real file sum to its totals, and known functions have their expected costs", async () => {
  const text = readFileSync("test/samples/profiles/callgrind.out", "utf8");
  const lines = [...foldedText(await read(text), 0)].join("").trim().split("\n");
  const costs = new Map<string, number>();
  for (const line of lines) {
    const [, name = "", cost] = /([^;]+) (\d+)$/.exec(line) ?? [];
    costs.set(name, (costs.get(name) ?? 0) + Number(cost));
  }
  expect([...costs.values()].reduce((a, b) => a + b, 0)).toBe(Number(/^totals: (\d+)$/m.exec(text)?.[1]));
  // 200 times 200 rounds and once 5,000: 45,000 rounds of a few instructions each.
  expect(costs.get("inner")! / 45_000).toBeGreaterThan(5);
  expect(costs.get("inner")! / costs.get("outer")!).toBeGreaterThan(50);
});

test.each([
  ["fn=main\n1 2\n", /a cost precedes its events or function/],
  ["events: Ir\n1 2\n", /a cost precedes its events or function/],
  ["events: Ir\nfn=a\n1 x\n", /'x' is not a cost/],
  ["events: Ir\nfn=a\n1 2\nevents: Dr\n", /have different events/],
  ["events: Ir\n", /no stacks of/],
])("%j is refused", async (text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});
