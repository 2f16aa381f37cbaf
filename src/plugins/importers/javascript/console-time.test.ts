import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { consoleTime } from "./console-time.ts";

const folder = "test/samples/console-time";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  consoleTime,
  ["node.txt", "browsers.txt"].map((name) => `${folder}/${name}`),
);

test("reads repeated labels as samples", async () => {
  const [run] = await readSample(consoleTime, `${folder}/node.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "parse: JSON", sample: 1, time: 0.027923 },
    { benchmark: "default", sample: 1, time: 0.017015 },
    { benchmark: "default", sample: 2, time: 0.019819 },
    { benchmark: "wait", sample: 1, time: 1.116 },
  ]);
});

test("reads formats of browsers, and times from a minute on", async () => {
  const [run] = await readSample(consoleTime, `${folder}/browsers.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "load", time: 1.2345 },
    { benchmark: "draw: all", time: 0.017 },
    { benchmark: "long", time: 62.345 },
    { benchmark: "longer", time: 7262.5 },
  ]);
});

test("does not recognise other texts with times, but reads them on request", async () => {
  const text = bytesOf("started\nload: 12ms\nHTTP 200: fine\n");
  expect(consoleTime.sniff(text)).toBe(0);
  expect(await readReport(consoleTime, text).then(([run]) => run!.rows)).toEqual([{ benchmark: "load", time: 0.012 }]);
});
