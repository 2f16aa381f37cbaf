import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { ndjson } from "./ndjson.ts";

const sample = "test/samples/ndjson/flat.ndjson";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(ndjson, [sample]);

test("members of any line are columns", async () => {
  const [run] = await readSample(ndjson, sample);
  expect(run!.rows).toEqual([
    { case: "copy", threads: 1, time: 0.0015, gpu: false },
    { case: "copy", threads: 1, time: 0.002, gpu: true, peak_bytes: 100 },
    { case: "sort", threads: 2, time: 0.004 },
    { case: "sort", threads: 2, time: 0.008 },
  ]);
  expect(run!.variables.map(({ name, role }) => [name, role])).toEqual([
    ["case", "parameter"],
    ["threads", "parameter"],
    ["time", "result"],
    ["gpu", "parameter"],
    ["peak_bytes", "result"],
  ]);
});

test("members of nested objects are columns, and no member is a prototype", async () => {
  const [run] = await readReport(ndjson, bytes('{"a": {"b": 1.5, "l": ["x"]}, "__proto__": "x"}\n'));
  expect(run!.notices).toEqual(["not imported, since it is a list of other values: 'a.l'"]);
  expect(Object.entries(run!.rows[0]!)).toEqual([
    ["a.b", 1.5],
    ["__proto__", "x"],
  ]);
});

test("reports the line of a value that does not fit", async () => {
  const refused = async (text: string): Promise<unknown> =>
    readReport(ndjson, bytes(text)).catch((error: unknown) => error);
  expect(await refused('{"a": 1}\n\n[1]\n')).toMatchObject({ message: "some.file:3: the line is not a JSON object" });
  expect(await refused(`${'{"a": 1.5}\n'.repeat(10_000)}{"b": 1}\n`)).toMatchObject({
    message: "some.file:10001: the row has 2 cells, the header 1",
  });
  expect(await refused(`{"a": ${"[".repeat(100_000)}`)).toMatchObject({ code: "damaged-report" });
});

test("refuses numbers that would become infinite", async () => {
  const refused = readReport(ndjson, new TextEncoder().encode('{"a":"x","t":1.5}\n{"a":"y","t":1e400}\n'));
  await expect(refused).rejects.toMatchObject({ message: "some.file:2: 't' is a number beyond 1.8e308" });
});

test("reports integers that double precision rounds", async () => {
  const [run] = await readReport(ndjson, bytes('{"id":9007199254740993,"t":1.5}\n{"id":9007199254740991,"t":1e300}\n'));
  expect(run!.notices).toEqual(["'id' has integers beyond 2^53, which are rounded; write them as strings"]);
  const [exact] = await readReport(ndjson, bytes('{"id":9007199254740991,"t":1e300}\n'));
  expect(exact!.notices).toEqual([]);
});

test("lists of numbers are samples, and lines of nested objects are recognised", async () => {
  const lines = '{"n":"a","stats":{"mean":2.5},"t":[1.5,2.5]}\n{"n":"b","stats":{"mean":3.5},"t":[3.5]}\n';
  const [run] = await readReport(ndjson, bytes(lines));
  expect(run!.rows).toEqual([
    { n: "a", "stats.mean": 2.5, sample: 1, t: 1.5 },
    { n: "a", sample: 2, t: 2.5 },
    { n: "b", "stats.mean": 3.5, sample: 1, t: 3.5 },
  ]);
  expect(ndjson.sniff(bytes(lines))).toBe(0.15);
  expect(ndjson.sniff(bytes('{"n":"a","stats":{"mean":2.5}}\n'))).toBe(0);
});
