import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { importReports } from "./import-reports.ts";
import { listRuns } from "../experiments/run-values.ts";
import { rebuildExperiments } from "../maintenance/rebuild.ts";

let folder: string;
let workspace: Workspace;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-reports-"));
  mkdirSync(join(folder, ".perun"));
  const world = {
    directory: folder,
    environment: { HOME: folder },
    now: () => 1_700_000_000_000,
    random: () => 0.5,
    command: "test",
  };
  workspace = new Workspace(world);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Large enough to be compressed in several steps while it is written to the database. */
function report(name: string, benchmark: string): string {
  const times = Array.from({ length: 60_000 }, (_, at) => at / 7);
  const text = JSON.stringify({
    benchmarks: [{ fullname: benchmark, stats: { iqr: 1, data: times } }],
    machine_info: {},
  });
  writeFileSync(join(folder, name), text);
  return name;
}

/** Names of all files in the object store, complete or not. */
function objectFiles(): string[] {
  const objects = join(folder, ".perun", "objects");
  return readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name)
    .sort();
}

test("stores the bytes of reports with their runs, so that they can be rebuilt", async () => {
  const { runs } = await importReports(workspace, { files: [report("a.json", "a"), report("b.json", "b")] });
  expect(runs.map(({ dataSets }) => dataSets)).toEqual([60_000, 60_000]);
  rmSync(join(folder, ".perun", "experiments.duckdb"));
  await rebuildExperiments(workspace, {});
  expect(
    await listRuns(workspace, {
      experiment: "pytest-benchmark",
      columns: ["benchmark"],
      where: [],
      deleted: false,
      maxValues: 2,
    }),
  ).toEqual([["a"], ["b"]]);
});

test("a text for a column of numbers is refused in a new experiment, too", async () => {
  writeFileSync(join(folder, "a.csv"), "size,time_ms\n1,2\n");
  const given = (...fixed: [string, string][]): unknown =>
    importReports(workspace, { files: ["a.csv"], from: "csv", fixed });
  await expect(given(["Size", "abc"])).rejects.toMatchObject({ code: "bad-content", message: /'abc' .*'size'/ });
  await expect(given(["size", "5.5"], ["host", "abc"])).resolves.toMatchObject({ added: ["size", "time", "host"] });
});

test("times of a table are stored as times, or as they are written if the experiment has texts", async () => {
  const rows = async (experiment: string): Promise<unknown> =>
    listRuns(workspace, { experiment, columns: ["at"], where: [], deleted: false, maxValues: 9 });
  writeFileSync(join(folder, "texts.csv"), "at,t_ms\nlast night,1\n");
  writeFileSync(join(folder, "times.csv"), "at,t_ms\n2026-01-31 12:30:00,2\n2026-01-31T14:30:00+02:00,3\n");
  for (const files of [["texts.csv"], ["times.csv"]])
    await importReports(workspace, { files, from: "csv", experiment: "texts" });
  await importReports(workspace, { files: ["times.csv"], from: "csv", experiment: "times", force: true });
  for (const again of [false, true]) {
    if (again) rmSync(join(folder, ".perun", "experiments.duckdb"));
    if (again) await rebuildExperiments(workspace, {});
    expect(await rows("texts")).toEqual([["last night"], ["2026-01-31 12:30:00|2026-01-31T14:30:00+02:00"]]);
    expect(await rows("times")).toEqual([["2026-01-31 12:30:00"]]);
  }
});

test.each([
  ["a file of another format", "csv", "case,time_ms\na,1\n", "several-formats"],
  [
    "a damaged file",
    "json",
    '{"benchmarks": [{"fullname": 1, "stats": {"iqr": 1}}], "machine_info": {}}',
    "damaged-report",
  ],
  ["the same bytes again", "json", undefined, "given-twice"],
])("%s with a valid one: leaves no partial objects", async (_, ending, text, code) => {
  const files = [report("a.json", "a"), `other.${ending}`];
  if (text === undefined) report(files[1]!, "a");
  else writeFileSync(join(folder, files[1]!), text);
  await expect(importReports(workspace, { files })).rejects.toMatchObject({ code });
  // Failures detected at the end leave unreferenced objects, but never partial ones.
  expect(objectFiles().every((name) => /^[0-9a-f]{38}$/.test(name))).toBe(true);
  if (code !== "given-twice") expect(objectFiles()).toEqual([]);
});

test("reports the line where another program's output begins, unless the format is named", async () => {
  const time = readFileSync("test/samples/time/bash.txt", "utf8");
  writeFileSync(join(folder, "both.txt"), `goos: linux\npkg: p\nBenchmarkA-8 10 5 ns/op\nPASS\n${time}`);
  const noticesOf = async (file: string, from?: string): Promise<(readonly [number, string])[]> => {
    const notices: (readonly [number, string])[] = [];
    const notice = (_: string, line: number, text: string): void => void notices.push([line, text]);
    await importReports(workspace, { files: [file], notice, ...(from === undefined ? {} : { from }) });
    return notices;
  };
  expect(await noticesOf("both.txt")).toEqual([[6, expect.stringContaining("import it again with --from time")]]);
  expect(await noticesOf("both.txt", "time")).toEqual([]);
});
