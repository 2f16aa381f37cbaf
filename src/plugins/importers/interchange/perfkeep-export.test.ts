import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { perfkeepExport } from "./perfkeep-export.ts";

const sample = "test/samples/perfkeep-export/values.json";

reportImporterContract(perfkeepExport, [sample]);

test("reads the variables and values that were exported", async () => {
  const [run] = await readSample(perfkeepExport, sample);
  expect(
    run!.variables.map(({ name, role, type, unit }) => `${name} ${role} ${type} ${formatUnit(unit)}`.trim()),
  ).toEqual([
    "host parameter string",
    "note parameter text",
    "n parameter integer",
    "size parameter integer KiByte",
    "flag parameter boolean",
    "day parameter date",
    "clock parameter timeofday",
    "ver parameter version",
    "t result float ms",
    "rate result float MByte/s",
    "at result timestamp",
    "wall result duration",
  ]);
  expect(run!.variables.find(({ name }) => name === "t")!.better).toBe("lower");
  expect(run!.once).toEqual({ host: "node, 1" });
  expect(run!.rows).toHaveLength(5);
  expect(run!.rows[1]).toEqual({
    note: `a, "b" 'c'`,
    n: 9007199254740993n,
    size: 128,
    flag: false,
    day: Date.UTC(2021, 0, 1) / 86_400_000,
    clock: 0,
    ver: "1.9",
    t: Number.NaN,
    rate: 1e-300,
    at: -1_000_000,
    wall: 0.001,
  });
  expect(run!.rows[2]!["rate"]).toBe(Number.POSITIVE_INFINITY);
  expect(run!.rows[3]!["note"]).toBeUndefined();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const document = (columns: string, rows: string): string =>
  `{"schema":"perfkeep.export/1","experiment":"e","once":[],"columns":[${columns}],` +
  `"runs":[{"run":1,"once":{},"rows":${rows}}]}`;
const time = '{"name":"t","type":"float","unit":"s"}';

test("numbers of an older export are results", async () => {
  const [run] = await readReport(
    perfkeepExport,
    bytes(document(`{"name":"n","type":"integer","unit":""},${time}`, "[[1,2.5]]")),
  );
  expect(run!.variables.map(({ role }) => role)).toEqual(["parameter", "result"]);
});

test.each([
  [document(time, '[["x"]]'), "run 1: \"x\" is no float for 't'"],
  [document(time, "[[1,2]]"), "run 1: a row has 2 values"],
  [document('{"name":"t","type":"number","unit":"s"}', "[]"), "'t' has an unknown type"],
  ['{"schema":"perfkeep.export/1","experiment":"e"}', "it is no whole export"],
])("%#: damage is refused", async (text, problem) => {
  await expect(readReport(perfkeepExport, bytes(text))).rejects.toMatchObject({
    message: expect.stringContaining(problem) as string,
  });
});
