import { expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { chosenFunctions, readChoice } from "./function-selection.ts";

const read = (text: string): unknown[] => {
  const { library, name, argument, every } = readChoice("trace", "func", text);
  return [library, name, argument, every];
};

test.each([
  ["insert", [null, "insert", null, null]],
  ["insert#10", [null, "insert", null, 10]],
  ["insert:2", [null, "insert", 2, null]],
  ["libwork.so#insert:2#10", ["libwork.so", "insert", 2, 10]],
  ["/a b/lib.so#List::insert(int)", ["/a b/lib.so", "List::insert(int)", null, null]],
  ["List::insert#3", [null, "List::insert", null, 3]],
  ["main::{lambda(int)#1}::operator()(int) const", [null, "main::{lambda(int)#1}::operator()(int) const", null, null]],
  ["main::{lambda(int)#2}", [null, "main::{lambda(int)#2}", null, null]],
  ["f#7#8", ["f", "7", null, 8]],
])("%s", (text, parts) => {
  expect(read(text)).toEqual(parts);
});

test.each(["", "#5", "insert#0", "insert:7", "insert#99999999999x#", ":1"])(
  "'%s' is no choice, or one by its name alone",
  (text) => {
    try {
      expect(read(text)[3]).toBeNull();
    } catch (error) {
      expect(isFailure(error, "bad-collector-option")).toBe(true);
    }
  },
);

test("functions are selected by file and address; the last choice wins", () => {
  const symbol = (name: string, address: bigint) => ({ address, name, prototype: name, isGlobal: true });
  const work = { path: "/p/work", symbols: [symbol("insert", 1n), symbol("search", 2n)] };
  const library = { path: "/p/libwork.so", symbols: [symbol("insert", 8n)] };
  const chosen = (...texts: string[]): unknown =>
    [
      ...chosenFunctions(
        texts.map((text) => readChoice("trace", "func", text)),
        [work, library],
        5,
      ),
    ].map(([{ path }, functions]) => [path, ...functions]);
  expect(chosen("insert")).toEqual([
    ["/p/work", [1n, { every: 5, argument: null }]],
    ["/p/libwork.so", [8n, { every: 5, argument: null }]],
  ]);
  expect(chosen("libwork.so#insert:1", "search", "search#2")).toEqual([
    ["/p/work", [2n, { every: 2, argument: null }]],
    ["/p/libwork.so", [8n, { every: 5, argument: 1 }]],
  ]);
  expect(() => chosen("libwork.so#search")).toThrow(/^there is no function 'search' in libwork\.so$/);
  expect(() => chosen("libwork.so#inser")).toThrow("did you mean insert?");
});
