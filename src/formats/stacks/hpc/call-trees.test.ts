import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainName, type StackProfile } from "../../../core/profiles/index.ts";
import { foldedText } from "../folded.ts";
import { readCaliper } from "./caliper.ts";
import { readHatchet } from "./hatchet.ts";
import { readTau, readTauFiles, type TauFile } from "./tau.ts";

const sample = (path: string): Uint8Array => new Uint8Array(readFileSync(`test/samples/${path}`));
const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const folded = (profile: StackProfile, type = profile.main): string[] =>
  [...foldedText(profile, type)].join("").trimEnd().split("\n");
const sum = ({ samples, main }: StackProfile): number =>
  Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, main)).reduce((a, b) => a + b, 0);

test("the own times of json-split add up to the inclusive time of main and what is outside of it", () => {
  const profile = readCaliper(sample("caliper/lulesh.json"), "x");
  expect(profile.types).toEqual([{ name: "sum#time.duration", unit: "microseconds" }]);
  expect(sum(profile)).toBe(5882425 + 5902349 + 21948 + 23349);
  expect(folded(profile)).toContain("main;TimeIncrement 630871");
  const ranks = new Set(Array.from({ length: profile.samples.length }, (_, row) => profile.samples.labelsOf(row)));
  expect([...ranks].map((labels) => labels.get("mpi.rank"))).toEqual([
    [{ value: 0, unit: "" }],
    [{ value: 1, unit: "" }],
  ]);
});

test("only inclusive columns of records are made exclusive, and minima are left out", () => {
  const profile = readCaliper(sample("caliper/records.json"), "x");
  expect(profile.facts.comments).toEqual(["left out, as they cannot be added: min#inclusive#sum#time.duration"]);
  expect(folded(profile)).toEqual(["main 12", "main;solve 25", "main;solve;multiply 75", "main;write 8"]);
  const lines = new TextDecoder().decode(sample("caliper/records.json")).replaceAll(/^[[\]]\n|,$/gm, "");
  expect(folded(readCaliper(bytesOf(lines), "x"))).toEqual(folded(profile));
  const records = JSON.parse(new TextDecoder().decode(sample("caliper/records.json"))) as unknown;
  expect(folded(readCaliper(bytesOf({ records, globals: {}, attributes: {} }), "x"))).toEqual(folded(profile));
});

test("units of columns are used, and a table of percentages is refused", () => {
  const document = {
    data: [
      [1.5, 0],
      [0.5, 1],
    ],
    columns: ["time", "path"],
    column_metadata: [{ is_value: true, "attribute.unit": "sec" }, { is_value: false }],
    nodes: [
      { label: "main", column: "path" },
      { label: "solve", column: "path", parent: 0 },
    ],
  };
  const profile = readCaliper(bytesOf(document), "x");
  expect([profile.types, folded(profile)]).toEqual([
    [{ name: "time", unit: "seconds" }],
    ["main 1.5", "main;solve 0.5"],
  ]);
  expect(() => readCaliper(bytesOf({ ...document, columns: ["percent_total#time", "path"] }), "x")).toThrow(
    /cannot be added over call paths: percent_total#time/,
  );
  const circle = [{ label: "main", column: "path", parent: 1 }, document.nodes[1]];
  expect(() => readCaliper(bytesOf({ ...document, nodes: circle }), "x")).toThrow(/out of range/);
});

test("the three forms of Hatchet give the same stacks", () => {
  const [first, ...others] = ["literal", "graph", "snapshot"].map((name) =>
    folded(readHatchet(sample(`hatchet/${name}.json`), "x")),
  );
  expect(first).toContain("foo;waldo;fred;xyzzy;thud;garply 15");
  expect(first!.map((line) => Number(line.split(" ")[1])).reduce((a, b) => a + b)).toBe(165);
  for (const other of others) expect(other).toEqual(first);
});

test("nodes of Hatchet with several callers, and circles, are refused", () => {
  const graph = (edges: Readonly<Record<string, readonly number[]>>): Uint8Array =>
    bytesOf({
      graph: [Object.fromEntries(Object.entries(edges).map(([k, children]) => [k, { data: { name: k }, children }]))],
      dataframe: [{ node: 0, time: 1 }],
    });
  expect(() => readHatchet(graph({ 0: [1, 2], 1: [2], 2: [] }), "x")).toThrow(/several callers/);
  expect(() => readHatchet(graph({ 0: [], 1: [2], 2: [1] }), "x")).toThrow(/circle/);
});

test("inclusive values of any tree become own values with the same total", () => {
  type Node = { frame: { name: string }; metrics: { "time (inc)": number }; children: Node[] };
  const treeOf = (depth: number): fc.Arbitrary<Node> =>
    fc
      .record({
        own: fc.nat(1000),
        children: depth === 0 ? fc.constant<Node[]>([]) : fc.array(treeOf(depth - 1), { maxLength: 3 }),
      })
      .map(({ own, children }) => ({
        frame: { name: `f${own % 7}` },
        metrics: { "time (inc)": own + children.reduce((total, each) => total + each.metrics["time (inc)"], 0) },
        children,
      }));
  fc.assert(
    fc.property(treeOf(4), (root) => {
      fc.pre(root.metrics["time (inc)"] > 0);
      const profile = readHatchet(bytesOf([root]), "x");
      expect([sum(profile), profile.facts.comments]).toEqual([root.metrics["time (inc)"], undefined]);
    }),
    { numRuns: 100 },
  );
});

test("functions of TAU have their own time, their source and the command", () => {
  const profile = readTau(sample("tau/profile.0.0.0"), "x");
  // The inclusive time of the application.
  expect([sum(profile), profile.facts.command]).toEqual([7948941, "./matmult"]);
  const main = profile.stacks.frames.find((frame) => plainName(frame) === "main");
  expect(main).toEqual({ function: "main", source: "/home/user/mm/matmult.c", line: 219 });
  expect(folded(profile, 1)).toContain("pthread_join 3");
});

test("call paths of TAU divide the time of a function, and samples are left out", () => {
  const profile = readTau(sample("tau/callpaths.txt"), "x");
  expect(folded(profile)).toEqual([
    ".TAU application 500",
    ".TAU application;main 1000",
    "main;multiply 8000",
    "multiply 500",
  ]);
  expect(profile.facts).toEqual({
    command: "./mm --size <9>",
    comments: ["left out: 1 rows of samples", "left out: 1 user events"],
  });
  const cut = sample("tau/callpaths.txt").subarray(0, -200);
  expect(() => readTau(cut, "x")).toThrow(/has not the 6 functions/);
});

/** A file of one function and one call path. */
function tauFile(location: readonly number[], metric: string, own: number): TauFile {
  const lines = [
    `3 templated_functions_MULTI_${metric}`,
    "# Name Calls Subrs Excl Incl ProfileCalls # ",
    `"main" 1 1 ${own} ${own * 3} 0 GROUP="TAU_USER" `,
    `"run [{a.c} {7, 0}]" 4 0 ${own * 2} ${own * 2} 0 GROUP="TAU_USER" `,
    `"main => run [{a.c} {7, 0}]" 4 0 ${own * 2} ${own * 2} 0 GROUP="TAU_USER|TAU_CALLPATH" `,
    "0 aggregates",
    "",
  ];
  return { path: `f/profile.${location.join(".")}`, location, bytes: bytesOf(lines.join("\n")) };
}

test("files of a folder of TAU are one profile, with metrics as types and the rank as a label", () => {
  const files = [0, 1].flatMap((rank) => [
    tauFile([rank, 0, 0], "TIME", 10 + rank),
    tauFile([rank, 0, 0], "PAPI_TOT_CYC", 100 + rank),
  ]);
  const profile = readTauFiles(files, "f");
  expect(profile.types).toEqual([
    { name: "time", unit: "microseconds" },
    { name: "PAPI_TOT_CYC", unit: "count" },
    { name: "calls", unit: "count" },
  ]);
  const rows = Array.from({ length: profile.samples.length }, (_, row) => [
    profile.stacks
      .framesOf(profile.samples.stackOf(row))
      .map((frame) => `${plainName(frame)}:${frame.source}:${frame.line}`)
      .join(";"),
    [...profile.samples.labelsOf(row)].map(([name, [value]]) => `${name}=${JSON.stringify(value)}`).join(),
    ...profile.types.map((_, type) => profile.samples.valueOf(row, type)),
  ]);
  const rank = (number: number): string => `rank={"value":${number},"unit":""}`;
  expect(rows).toEqual([
    ["run:a.c:7;main:undefined:undefined", rank(0), 20, 200, 4],
    ["main:undefined:undefined", rank(0), 10, 100, 1],
    ["run:a.c:7;main:undefined:undefined", rank(1), 22, 202, 4],
    ["main:undefined:undefined", rank(1), 11, 101, 1],
  ]);
});

test("threads are labels, several clocks keep their names, and a metric twice is refused", () => {
  const files = [tauFile([0, 0, 0], "TIME", 1), tauFile([0, 0, 1], "P_VIRTUAL_TIME", 2)];
  const profile = readTauFiles(files, "f");
  expect(profile.types.map(({ name }) => name)).toEqual(["time", "P_VIRTUAL_TIME", "calls"]);
  expect([...profile.samples.labelsOf(0).keys()]).toEqual(["thread"]);
  expect(() => readTauFiles([files[0]!, files[0]!], "f")).toThrow(/another file has TIME of profile.0.0.0/);
});
