import { expect, test } from "vitest";
import type { ValueFilter, ValueMap } from "../../../formats/descriptions/input/location-parts.ts";
import { valueTransform } from "./value-transform.ts";

const filter = (source: string, ignoreCase = false): ValueFilter => ({ source, ignoreCase });
const literal = (text: string, to: string): ValueMap => ({ from: { kind: "keyword", text }, to });
const pattern = (source: string, to: string): ValueMap => ({ from: { kind: "pattern", source }, to });

test.each([
  ["without filters and maps nothing changes", {}, "a b", "a b"],
  ["every match is taken out", { filters: [filter("[, ]")] }, "1, 234, 567", "1234567"],
  ["what groups hold stays", { filters: [filter("<(\\w+)>[^<]*</(\\w+)>")] }, "x<b>y</i>z", "xbiz"],
  ["a group that took no part holds nothing", { filters: [filter("a(b)?")] }, "1a2ab3", "12b3"],
  ["empty matches take nothing", { filters: [filter("x*")] }, "axxb", "ab"],
  ["a beginning is that of the complete value", { filters: [filter("^a")] }, "aab", "ab"],
  ["case", { filters: [filter("ab")] }, "ABab", "AB"],
  ["ignored case", { filters: [filter("ab", true)] }, "ABabc", "c"],
  ["filters one after the other", { filters: [filter("b"), filter("ac")] }, "abc", ""],
  ["a literal is the complete value", { maps: [literal("a", "1"), literal("aa", "2")] }, "aa", "2"],
  ["a pattern is searched", { maps: [pattern("^n.s", "net")] }, "nfs-4", "net"],
  ["the first map that fits", { maps: [pattern("f", "1"), literal("nfs", "2")] }, "nfs", "1"],
  ["no map fits", { maps: [literal("a", "1")] }, "b", "b"],
  ["maps are not applied to what maps give", { maps: [literal("a", "b"), literal("b", "c")] }, "a", "b"],
  ["filters come first", { filters: [filter("-")], maps: [literal("ab", "1")] }, "a-b", "1"],
])("%s", (_, cut, text, value) => {
  expect(valueTransform(cut)(text)).toBe(value);
});

test("a filter that takes quadratic time on a long value is refused", () => {
  const shape = valueTransform({ filters: [filter("x[^y]*y|x")] });
  expect(shape("x".repeat(1000))).toBe("");
  expect(() => shape("x".repeat(100_000))).toThrow("too often in one value");
});
