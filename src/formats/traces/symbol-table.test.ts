import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesName, readSymbols, symbolsByAddress, type FunctionSymbol } from "./symbol-table.ts";

const listed = `0000000000001139 T main
0000000000001200 t _ZN4List4pushIcEEvT_
0000000000001200 T _ZN4List5aliasEv
0000000000004010 D data
0000000000001300 W _ZN4ListC1Ev@@VERS_1.0
                 U puts
`;

const demangled = `0000000000001139 T main
0000000000001200 t void List::push<char>(char)
0000000000001200 T List::alias()
0000000000004010 D data
0000000000001300 W List::List()@@VERS_1.0
                 U puts
`;

test("reads functions with mangled and demangled names", () => {
  const symbols = readSymbols(listed, demangled);
  expect(symbols.map(({ address, prototype }) => [address, prototype])).toEqual([
    [0x1139n, "main"],
    [0x1200n, "void List::push<char>(char)"],
    [0x1200n, "List::alias()"],
    [0x1300n, "List::List()"],
  ]);
  expect(symbolsByAddress(symbols).get(0x1200n)?.name).toBe("_ZN4List5aliasEv");
  expect(readSymbols(listed, "").map(({ prototype }) => prototype)[1]).toBe("_ZN4List4pushIcEEvT_");
});

const symbol = (prototype: string, name = "_Z"): FunctionSymbol => ({ address: 0n, name, prototype, isGlobal: true });

test.each([
  ["main", ["main"]],
  ["List::push(int) const", ["List::push(int) const", "List::push", "push"]],
  ["void deep::List<int, A<B> >::push<char>(char (*)(int))", ["deep::List<int, A<B> >::push<char>", "push<char>"]],
  ["List::operator()(int)", ["List::operator()", "operator()"]],
  ["bool operator<(A::B const&, A::B const&)", ["operator<"]],
  ["List::~List()", ["List::~List", "~List"]],
  ["main::{lambda(int)#1}::operator()(int) const", ["main::{lambda(int)#1}::operator()"]],
  [
    "(anonymous namespace)::hidden(int) [clone .constprop.0]",
    ["(anonymous namespace)::hidden(int)", "(anonymous namespace)::hidden", "hidden"],
  ],
])("%s matches its names", (prototype, names) => {
  for (const name of names) expect([name, matchesName(symbol(prototype), name)]).toEqual([name, true]);
  for (const name of ["", "x", "pus", "ist", "B", "int"])
    expect([name, matchesName(symbol(prototype), name)]).toEqual([name, false]);
});

test("parts of a function match its name; arbitrary names are safe", () => {
  expect(matchesName(symbol("work.part.0", "work.part.0"), "work")).toBe(true);
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (prototype, name) => typeof matchesName(symbol(prototype), name) === "boolean",
    ),
  );
});
