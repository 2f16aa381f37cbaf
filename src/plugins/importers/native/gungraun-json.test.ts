import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { gungraunJson } from "./gungraun.ts";

const folder = "test/samples/gungraun-json";

reportImporterContract(
  gungraunJson,
  ["mixed.txt"].map((name) => `${folder}/${name}`),
);

test("reads the new values of all tools, within other text", async () => {
  const [run] = await readSample(gungraunJson, `${folder}/mixed.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sorting::group::sort",
      id: "short",
      Ir: 1000,
      EstimatedCycles: 1500,
      L1HitRate: 99.5,
      TotalBytes: 4096,
      TotalBlocks: 3,
    },
    {
      benchmark: "sorting::group::sort",
      id: "long",
      "Memcheck.Errors": 0,
      "Memcheck.Contexts": 0,
      "Cachegrind.Ir": 2000,
    },
  ]);
});

test("skips an object without end, and reads the next", async () => {
  const summary = {
    module_path: "a",
    package_dir: "/a",
    version: "6",
    id: null,
    profiles: [
      {
        tool: "Callgrind",
        summaries: { total: { summary: { Callgrind: { Ir: { metrics: { Left: { Int: 1 } } } } } } },
      },
    ],
  };
  const text = `{\n  "baselines": [\n${JSON.stringify(summary)}\n{\n`;
  const [run] = await readReport(gungraunJson, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "a", Ir: 1 }]);
});

test("a summary without metrics is not a result", async () => {
  const bytes = new TextEncoder().encode('{"module_path": "a", "package_dir": "/a", "version": "6", "profiles": []}');
  await expect(readReport(gungraunJson, bytes)).rejects.toMatchObject({ code: "no-results" });
});

test.each(["5", "7", null])(
  "refuses a summary of schema version %j, whose counts may mean something else",
  async (version) => {
    const text = JSON.stringify({ module_path: "a", package_dir: "/a", version, profiles: [] });
    await expect(readReport(gungraunJson, new TextEncoder().encode(text))).rejects.toMatchObject({
      code: "damaged-report",
      message: expect.stringContaining('only version "6" can be read'),
    });
  },
);
