import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { StackProfile } from "../../../core/profiles/index.ts";
import { readCali } from "./cali.ts";

const text = readFileSync("test/samples/caliper/planted.cali", "utf8");
const read = (changed: string): StackProfile => readCali(new TextEncoder().encode(changed), "f");

/** Stack, labels and the numbers of all types. */
function rowsOf({ samples, stacks, types }: StackProfile): unknown[][] {
  return Array.from({ length: samples.length }, (_, row) => [
    stacks
      .framesOf(samples.stackOf(row))
      .map((frame) => frame.function)
      .toReversed()
      .join(";"),
    Object.fromEntries(
      [...samples.labelsOf(row)].map(([name, [label]]) => [name, typeof label === "object" ? label.value : label]),
    ),
    ...types.map((_, type) => samples.valueOf(row, type)),
  ]);
}

test("nested attributes are the path, others labels; hidden ones and maxima are left out", () => {
  const profile = read(text);
  expect(profile.types).toEqual([{ name: "sum#time.duration", unit: "seconds" }]);
  const solve = "main;time steps;solve<int,2>(a=b)";
  expect(rowsOf(profile)).toEqual([
    ["", { "mpi.rank": 0 }, 0.25],
    ["main", { "mpi.rank": 0 }, 1.5],
    ["main;time steps", { "mpi.rank": 0 }, 0.5],
    [solve, { "mpi.rank": 0 }, 6.125],
    [solve, { "mpi.rank": 0, phase: "warm" }, 0.25],
    ["main", { "mpi.rank": 1 }, 1.25],
    [solve, { "mpi.rank": 1 }, 7.375],
  ]);
  expect(profile.facts).toEqual({
    command: "./planted -n 100",
    comments: ["left out, as they cannot be added: max#time.duration"],
  });
});

test("a record may name several nodes, and node numbers are used again by a second stream", () => {
  const second = text
    .replace("data=main\n", "data=other\n")
    .replace("__rec=ctx,ref=40,attr=23=25=27=29,data=1.5=1", "__rec=ctx,ref=40=45,attr=23=25=27=29,data=1.5=1")
    .replace("__rec=ctx,ref=40", "__rec=node,id=45,attr=32,data=inner\n__rec=ctx,ref=40");
  const stacks = rowsOf(read(text + second)).map(([stack]) => stack);
  expect(stacks).toContain("main");
  expect(stacks).toContain("other;inner");
  expect(rowsOf(read(text.replaceAll("\n", "\r\n")))).toEqual(rowsOf(read(text)));
});

test("times of a trace are added by path; offsets and events are left out", () => {
  const trace = `${text.split("\n").slice(0, 18).join("\n")}
__rec=node,id=60,attr=10,data=65,parent=2
__rec=node,id=61,attr=8,data=time.offset.ns,parent=60
__rec=node,id=62,attr=8,data=time.offset,parent=60
__rec=node,id=63,attr=8,data=event.begin#function,parent=34
__rec=node,id=40,attr=32,data=main
__rec=node,id=64,attr=63,data=solve,parent=40
__rec=ctx,ref=64,attr=23=62,data=2=100
__rec=ctx,ref=40,attr=23=62=61,data=3=200=200000
`;
  const profile = read(trace);
  expect(profile.types.map(({ name }) => name)).toEqual(["sum#time.duration"]);
  expect(rowsOf(profile)).toEqual([["main", {}, 5]]);
});

const end = "__rec=ctx,ref=40,attr=23,data=1\n";

test.each([
  ["an unknown kind", "__rec=other,id=1\n", /no record of nodes/],
  ["an unknown node", "__rec=ctx,ref=999,attr=23,data=1\n", /unknown node/],
  ["an unknown parent", "__rec=node,id=70,attr=32,data=a,parent=999\n", /unknown node/],
  ["an unknown attribute", "__rec=ctx,ref=40,attr=40,data=1\n", /unknown attribute/],
  ["a value too few", "__rec=ctx,ref=40,attr=23=25,data=1\n", /value for each attribute/],
  ["a text as a number", "__rec=ctx,ref=40,attr=23,data=x1\n", /'x1' as a number/],
  ["a node without id", "__rec=node,attr=32,data=a\n", /no number 'id'/],
])("refuses %s with its line", (_, line, reason) => {
  expect(() => read(text + line + end)).toThrow(reason);
  expect(() => read(text + line + end)).toThrow(
    expect.objectContaining({ code: "bad-stack-profile", message: expect.stringContaining(" line 36 ") }),
  );
});

test("deep trees are refused before they take quadratic time", () => {
  const chain = (length: number): string =>
    Array.from(
      { length },
      (_, at) => `__rec=node,id=${100 + at},attr=32,data=f,parent=${at === 0 ? 40 : 99 + at}\n`,
    ).join("");
  expect(() => read(text + chain(20_000))).toThrow(/more than 10000 parents/);
  const records = Array.from({ length: 5000 }, (_, at) => `__rec=ctx,ref=${5099 + at},attr=23,data=1\n`).join("");
  expect(() => read(text + chain(9_990) + records)).toThrow(/nested too deeply/);
});
