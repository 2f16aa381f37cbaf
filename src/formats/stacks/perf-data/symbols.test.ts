import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildIdIn, readElf } from "./elf.ts";
import { CodeSymbols, readKallsyms, type CodeSymbol } from "./symbols.ts";

const symbol = (name: string, start: number, size: number, more: Partial<CodeSymbol> = {}): CodeSymbol => ({
  name,
  start,
  end: start + size,
  isWeak: false,
  isGlobal: true,
  ...more,
});

test("an address belongs to the function around it; without size a function reaches to the next", () => {
  const symbols = new CodeSymbols([symbol("b", 30, 0), symbol("a", 10, 10), symbol("c", 50, 5), symbol("in", 12, 2)]);
  expect([9, 10, 13, 15, 20, 30, 49, 54, 55].map((at) => symbols.nameAt(at))).toEqual([
    null,
    "a",
    "in",
    "a",
    null,
    "b",
    "b",
    "c",
    null,
  ]);
});

test.each([
  ["a size", symbol("b", 1, 4), symbol("a", 1, 0)],
  ["a strong name", symbol("b", 1, 4), symbol("a", 1, 4, { isWeak: true })],
  ["a global name", symbol("b", 1, 4), symbol("a", 1, 4, { isGlobal: false })],
  ["fewer underscores", symbol("write", 1, 4), symbol("__write", 1, 4)],
  ["a longer name", symbol("write64", 1, 4), symbol("write", 1, 4)],
])("of two names for an address the one with %s is used", (_, better, other) => {
  expect(new CodeSymbols([other, better]).nameAt(1)).toBe(better.name);
  expect(new CodeSymbols([better, other]).nameAt(1)).toBe(better.name);
});

test("the kernel may have moved; its modules are then unknown", () => {
  const listed = "ffffffff81000000 T _text\nffffffff81000100 T f\nffffffff81000100 T g\nffffffffc0000000 t m\t[mod]\n";
  const text = -0x7f000000;
  const same = readKallsyms(listed, "_text", text)!;
  expect([same.nameAt(text + 0x108), same.nameAt(-0x40000000 + 4)]).toEqual(["g", "m"]);
  const moved = readKallsyms(listed, "_text", text + 0x1000000)!;
  expect([moved.nameAt(text + 0x1000108), moved.nameAt(-0x40000000 + 4)]).toEqual(["g", null]);
  expect(readKallsyms("0000000000000000 T _text\n", "_text", text)).toBeNull();
});

test("a program has a build id and functions, and damaged ones none", () => {
  const bytes = new Uint8Array(readFileSync("test/samples/perf-data/planted"));
  const elf = readElf(bytes)!;
  expect([elf.buildId, elf.nameAt(0x1000), elf.nameAt(0x115d)]).toEqual([
    "68ae23fa6f22c04ac12da8080e22e1bda2a46bf6",
    "inner",
    "_start",
  ]);
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = bytes.slice();
    changed[at] = changed[at]! ^ 0xff;
    for (const each of [changed, bytes.subarray(0, at)]) readElf(each)?.nameAt(0x1000);
  }
  expect([readElf(new Uint8Array(9)), buildIdIn(new Uint8Array(40))]).toEqual([null, ""]);
});
