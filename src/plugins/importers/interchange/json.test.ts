import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import type { Importer } from "../importer.ts";
import { json } from "./json.ts";

const sample = (tool: string): string => `test/samples/${tool}/results.json`;
const tools = ["cronometro", "tatami-ng", "bench-node"];
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = async (value: unknown) => (await readReport(json, bytes(value)))[0]!;

reportImporterContract(json, tools.map(sample));

test("an object of objects is a list of them, with their names", async () => {
  const [run] = await readSample(json, sample("cronometro"));
  expect(run!.rows.map(({ name, mean, min }) => ({ name, mean, min }))).toEqual([
    { name: "single", mean: 2077.8016, min: 1552 },
    { name: "multiple", mean: 3233.7098, min: 1452 },
  ]);
  expect(run!.rows[0]).toMatchObject({ "percentiles.99.9": 52751, standardError: 126.68521406370789, success: true });
  expect(run!.notices).toEqual([]);
});

test("nested members are columns, and facts next to the list are values of the run", async () => {
  const [run] = await readSample(json, sample("tatami-ng"));
  expect(run!.once).toMatchObject({ runtime: expect.stringContaining("node v20") as string });
  expect(run!.rows.map(({ name, group }) => [name, group])).toEqual([
    ["concat", "strings"],
    ["join", "strings"],
    ["sort", "arrays"],
  ]);
  expect(run!.rows[0]).toMatchObject({
    "stats.latency.avg": 72.89218710659189,
    "stats.throughput.min": 173.75980244205502,
  });
  const better = new Map(run!.variables.map((variable) => [variable.name, variable.better]));
  expect([better.get("stats.throughput.avg"), better.get("stats.latency.avg")]).toEqual(["higher", undefined]);
});

test("texts with units and headings with units are results in base units", async () => {
  const [run] = await readSample(json, sample("bench-node"));
  expect(run!.rows[0]).toEqual({
    name: "Using delete property",
    runsSampled: 9,
    min: 8.601e-8,
    minNS: 8.60135685952674e-8,
    max: 1.3788e-7,
    maxNS: 1.3788296335163062e-7,
    opsSec: 7992182,
  });
});

test("lists of numbers are samples, and other results are only in the first row", async () => {
  const run = await read({
    date: "2026-11-01T10:00:00Z",
    results: [
      { name: "a", threads: 1, mean: 2.5, times_ms: [1.5, null, 3.5], heap: [1, 2, 3.5] },
      { name: "b", threads: 2, mean: 4.5, times_ms: [4.5], heap: [4] },
      { name: "c", threads: 1, mean: 1.25, times_ms: [] },
      { name: "d", threads: 2, mean: 0.5 },
    ],
  });
  expect(run.rows).toEqual([
    { name: "a", threads: 1, mean: 2.5, sample: 1, times: 0.0015, heap: 1 },
    { name: "a", threads: 1, sample: 2, heap: 2 },
    { name: "a", threads: 1, sample: 3, times: 0.0035, heap: 3.5 },
    { name: "b", threads: 2, mean: 4.5, sample: 1, times: 0.0045, heap: 4 },
    { name: "c", threads: 1, mean: 1.25 },
    { name: "d", threads: 2, mean: 0.5 },
  ]);
  expect(run.about.performed).toBe(Date.UTC(2026, 10, 1, 10) * 1000);
  expect(run.notices).toEqual([]);
});

test("everything that is not imported is named", async () => {
  const run = await read({
    total: 12.5,
    tool: { opts: { x: [1, 2] } },
    machines: [{ cores: 8 }],
    results: [
      { name: "a", ops: 1.5, tags: ["x"], shape: [2, 2], runs: [{ s: 1 }] },
      { name: "b", ops: 2.5, big: 9007199254740993, u: [1.5], v: [2.5, 3] },
    ],
  });
  expect(run.rows).toEqual([
    { name: "a", ops: 1.5 },
    { name: "b", ops: 2.5, big: 9007199254740992 },
  ]);
  expect(run.notices).toEqual([
    "object 1: not imported, since they are lists of other values: 'tags', 'runs'",
    "object 1: not imported, since a list of a few integers may be settings: 'shape'",
    "object 2: 'big' has integers beyond 2^53, which are rounded; write them as strings",
    "object 2: not imported, since lists of one object have different lengths: 'u', 'v'",
    "other lists of objects with numbers are not imported: 'machines[]', 'results[].runs[]'; " +
      "--params selects one: 'list: machines[]'",
    "not imported, since outside of 'results[]': 'total', 'tool.opts.x'",
  ]);
});

test("lists within the elements of a list are found, with what describes them around them", async () => {
  const inner = [{ bench: "x", ops: 1.5 }];
  const framed = await read({
    suites: [
      { name: "s", on: true, cpus: 7, results: inner },
      { name: "t", results: [] },
    ],
  });
  expect(framed.rows).toEqual([{ name: "s", on: true, cpus: 7, bench: "x", ops: 1.5 }]);
  expect(framed.notices).toEqual([
    "other lists of objects with numbers are not imported: 'suites[]'; --params selects one: 'list: suites[]'",
  ]);
  // Elements with numbers of their own are records.
  const whole = await read({ suites: [{ name: "s", mean: 2.5, n: 3, results: inner }] });
  expect(whole.rows).toEqual([{ name: "s", mean: 2.5, n: 3 }]);
  expect(whole.notices).toEqual([
    "object 1: not imported, since it is a list of other values: 'results'",
    "other lists of objects with numbers are not imported: 'suites[].results[]'; " +
      "--params selects one: 'list: suites[].results[]'",
  ]);
});

test("the option list selects another list", async () => {
  const document = { results: [{ name: "a", ops: 1.5 }], machines: [{ host: "m", cores: 8 }] };
  const select = async (list: string) => (await readReport(withOption(list), bytes(document)))[0]!.rows;
  expect(await select("machines[]")).toEqual([{ host: "m", cores: 8 }]);
  expect(await select("machines")).toEqual([{ host: "m", cores: 8 }]);
  await expect(select("other")).rejects.toMatchObject({ code: "bad-collector-option" });
});

function withOption(list: string): Importer {
  return { ...json, read: (source, options, guide) => json.read(source, new Map([...options, ["list", list]]), guide) };
}

test("a value that does not fit names its object, and a document without numbers has no results", async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ t: at + 0.5 }));
  await expect(read([...rows, { t: "x" }])).rejects.toMatchObject({
    message: "some.file: object 10001: column t: 'x' is not a number as in the first rows",
  });
  const wide = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, at + 0.5]));
  await expect(read([{ t: 1.5 }, wide])).rejects.toMatchObject({
    message: "some.file: object 2: more than 1000 different members",
  });
  await expect(read([{ name: "x" }])).rejects.toMatchObject({ code: "no-results" });
  await expect(readReport(json, new TextEncoder().encode('[{"t": 1},'))).rejects.toMatchObject({ code: "not-json" });
});

test.each([
  ["a list that is cut", '[{"name": "a", "stats": {"ops": 1.5}}, {"name": "b", "sta', 0.1],
  ["a document", '\uFEFF{"a": {"mean": 1.5}}', 0.1],
  ["a list of texts", '[{"name": "a"}]', 0],
  ["a log", "[INFO] it took 12 ms\n", 0],
  ["several documents", '{"a": {"b": 1}}\n{"a": {"b": 2}}\n', 0],
  ["a trace", '{"traceEvents": [{"ph": "X", "ts": 1}]}', 0],
  ["a profile", '{"nodes": [{"id": 1}], "startTime": 1}', 0],
  ["an answer of perfkeep", '{"schema": "perfkeep.query/1", "rows": [{"a": 1}]}', 0],
])("the confidence for %s", (_, text, confidence) => {
  expect(json.sniff(new TextEncoder().encode(text))).toBe(confidence);
});

test("NaN is a missing value that is reported, and an infinity is refused", async () => {
  const python = new TextEncoder().encode('[{"n": "a", "t": NaN}, {"n": "b", "t": 1.5}]');
  const [run] = await readReport(json, python);
  expect([json.sniff(python), run!.rows]).toEqual([0.1, [{ n: "a" }, { n: "b", t: 1.5 }]]);
  expect(run!.notices).toEqual(["object 1: NaN is a missing value: 't'"]);
  await expect(readReport(json, new TextEncoder().encode('[{"t": 1.5}, {"t": Infinity}]'))).rejects.toMatchObject({
    message: "some.file: object 2: 't' is a number beyond 1.8e308",
  });
});
