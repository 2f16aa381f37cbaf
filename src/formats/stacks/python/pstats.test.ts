import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isPstats, readPstats } from "./pstats.ts";

const folder = "test/samples/python-profile";
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(`${folder}/${name}.pstats`));

/** Time in microseconds and calls by stack, outermost call first. */
function read(bytes: Uint8Array): Record<string, readonly [number, number]> {
  const { samples, stacks } = readPstats(bytes, "f");
  const rows = Array.from({ length: samples.length }, (_, row) => row);
  return Object.fromEntries(
    rows.map((row) => [
      stacks
        .framesOf(samples.stackOf(row))
        .map((frame) => frame.function)
        .toReversed()
        .join(";"),
      [samples.valueOf(row, 0), samples.valueOf(row, 1)],
    ]),
  );
}

const outside = "<built-in method builtins.exec>;<module>;main";
const sorted = `${outside};work;sort;<built-in method builtins.sorted>`;

test("divides own time and calls over stacks that are certain", () => {
  expect(read(bytesOf("py313"))).toEqual({
    [`${outside};work;mix`]: [5433.476, 20],
    "walk;mix": [14.367, 16],
    [`${sorted};<genexpr>;mix`]: [13.017, 50],
    [`${outside};mix`]: [0.384, 1],
    [`${outside};work;sort`]: [13.465, 1],
    [`${outside};work`]: [20.581, 1],
    [`${outside};work;walk`]: [1.327, 1],
    "walk;walk": [9.727, 30],
    [`${sorted};<genexpr>`]: [10.074, 51],
    [outside]: [1.483, 1],
    "<built-in method builtins.exec>;<module>": [4.497, 1],
    "<built-in method builtins.exec>": [3.937, 1],
    [sorted]: [19.338, 1],
    "<method 'disable' of '_lsprof.Profiler' objects>": [23.457, 1],
  });
});

test.each(["marshal0", "marshal2"])("reads earlier versions of marshal: %s", (name) => {
  expect(read(bytesOf(name))).toEqual(read(bytesOf("py313")));
});

test.each(["py38", "py27", "py313"])("finds the planted calls by caller: %s", (name) => {
  const calls = Object.entries(read(bytesOf(name))).flatMap(([stack, [, count]]) =>
    stack.endsWith(";mix") ? [count] : [],
  );
  expect(calls.toSorted((one, other) => one - other)).toEqual([1, 16, 20, 50]);
});

test("functions of the module profile are single if only their calls are counted by caller", () => {
  const stacks = read(bytesOf("profile-module"));
  expect(stacks["mix"]?.[1]).toBe(87);
  expect(Object.entries(stacks).find(([stack]) => stack.endsWith(";main;work"))?.[1][1]).toBe(1);
});

test("source and line of a function", () => {
  const { frames } = readPstats(bytesOf("py313"), "f").stacks;
  expect(frames).toContainEqual({ function: "mix", source: "planted.py", line: 4 });
  expect(frames).toContainEqual({ function: "<built-in method builtins.exec>" });
});

const text = (latin1: string): Uint8Array => new Uint8Array(Buffer.from(latin1, "latin1"));
const latin1Of = (name: string): string => Buffer.from(bytesOf(name)).toString("latin1");
const int = (value: number): string => `i${String.fromCharCode(value, 0, 0, 0)}`;
const name = (path: string, line: number, function_: string): string =>
  `)\x03z${String.fromCharCode(path.length)}${path}${int(line)}z${String.fromCharCode(function_.length)}${function_}`;
const costs = (callers: string): string => `)\x05${int(1)}${int(1)}f\x011f\x011{${callers}0`;

test("functions that call only each other, and callers without costs of their own", () => {
  const edge = `)\x04${int(1)}${int(1)}f\x011f\x011`;
  const cycle = `{${name("a.py", 1, "a")}${costs(name("a.py", 2, "b") + edge)}${name("a.py", 2, "b")}${costs(
    name("a.py", 1, "a") + edge,
  )}${name("a.py", 3, "c")}${costs(name("a.py", 4, "d") + edge)}0`;
  expect(read(text(cycle))).toMatchObject({ "d;c": [1e6, 1] });
});

test.each([
  ["a truncated file", latin1Of("py313").slice(0, -20), "truncated"],
  ["data after the statistics", `${latin1Of("py313")}x`, "other data follows"],
  ["code objects", latin1Of("code-object"), "python -m cProfile"],
  ["a reference to nothing", `{r\xff\xff\xff\x7f`, "has no value"],
  ["a reference to itself", `{\xa9\x03r\0\0\0\0`, "has no value"],
  ["a huge tuple", `{(\xff\xff\xff\x7f`, "truncated"],
  ["deep nesting", `{${")\x01".repeat(1000)}`, "nested"],
  ["a negative size", `{s\xff\xff\xff\xff`, "negative"],
  ["a number that is none", `{${name("a", 1, "a")})\x05${int(1)}${int(1)}f\x03nanf\x011{00`, "not a number"],
  ["negative calls", `{${name("a", 1, "a")})\x05${int(1)}i\xff\xff\xff\xfff\x011f\x011{00`, "no numbers"],
  ["too few values", `{${name("a", 1, "a")})\x0400000`, "missing"],
])("refuses %s", (_, latin1, reason) => {
  expect(() => readPstats(text(latin1), "f")).toThrow(
    expect.objectContaining({ code: "bad-stack-profile", message: expect.stringContaining(reason) }),
  );
});

test("callers that are shared by references are refused before they take quadratic time", () => {
  const edges = Array.from({ length: 100 }, (_, at) => name("a", at, "f") + int(1)).join("");
  const shared = `)\x05${int(1)}${int(1)}f\x011f\x011\xfb${edges}0`;
  const others = Array.from(
    { length: 100 },
    (_, at) => `${name("b", at, "g")})\x05${int(1)}${int(1)}f\x011f\x011r\0\0\0\0`,
  );
  expect(() => readPstats(text(`{${name("a", 1, "z")}${shared}${others.join("")}0`), "f")).toThrow("more callers");
});

test("other texts and files that begin with a brace are not statistics", () => {
  for (const other of ['{"a": 1}', "{0", "{", "{)\x03", `{${name("a", 1, "a")}N0`])
    expect(isPstats(text(other))).toBe(false);
});
