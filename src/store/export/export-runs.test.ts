import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import type { Digest } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { flatQuery, runQueries } from "../../query/export/export-queries.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { Experiments } from "../experiments/experiments.ts";
import { exportRuns, type ExportPlan } from "./export-runs.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";
import { plainImport } from "../../../test/fakes/import-rows.ts";

const number: Variable = { name: "n", role: "parameter", occurrence: "multiple", type: "integer" };
const value: Variable = { name: "x", role: "result", occurrence: "multiple", type: "float", default: null };
const release: Variable = { name: "release", role: "parameter", occurrence: "once", type: "version", default: null };
/** Same name as a built-in run variable. */
const taken: Variable = { name: "Run", role: "parameter", occurrence: "once", type: "string", default: null };
const experiment: Experiment = { name: "e", readers: [], writers: [], variables: [number, value, release, taken] };

const rowsOfRuns: readonly (readonly (readonly Value[])[])[] = [
  [
    [1, 0.1],
    [2, Number.NaN],
    [9223372036854775807n, null],
    [4, -Infinity],
    [5, -0],
  ],
  [],
  [[6, 1e-300]],
];
const flat = rowsOfRuns.flatMap((rows, i) => rows.map((row) => [i + 1, ...row, `1.${i}`, "r"]));

onEachDialect("export of runs", (makeDatabase) => {
  let folder: string;
  let database: TestDatabase;
  let engine: Engine;
  let stored: StoredExperiment;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "perfkeep-export-"));
    database = await makeDatabase();
    engine = await database.open("write");
    await migrate(engine);
    const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
    stored = await experiments.create(experiment, 0);
    for (const [i, rows] of rowsOfRuns.entries()) {
      const source = { path: `${i}`, sha256: `${i}`.padEnd(64, "0"), object: "f".repeat(40) as Digest, bytes: 1 };
      const once = new Map<string, Value>([
        ["release", `1.${i}`],
        ["Run", "r"],
      ]);
      await experiments.import(stored, 0, plainImport, async (writer) => {
        writer.begin();
        if (rows.length > 0) await writer.rows(tableOf([number, value], rows));
        await writer.end(once, { created: 0, performed: 0 });
        await writer.claim(1, source, false);
      });
    }
    await experiments.removeRuns(stored, [3], 0);
  });
  afterAll(async () => {
    await engine.close();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function exported(
    plan: ExportPlan,
    maxRows: number,
  ): Promise<{ once: unknown[][]; rows: unknown[][]; longest: number }> {
    const found = { once: [] as unknown[][], rows: [] as unknown[][], longest: 0 };
    const all = (table: Table | undefined): unknown[][] => (table === undefined ? [] : rowsOf(table));
    await exportRuns(
      engine,
      stored,
      plan,
      ({ once, rows }) => {
        found.once.push(...all(once));
        found.rows.push(...all(rows));
        found.longest = Math.max(found.longest, rows?.length ?? 0);
      },
      maxRows,
    );
    return found;
  }

  test.each([1, 2, 4, 5, 6, 50_000])("is the same in pieces of %i rows", async (maxRows) => {
    const rows = flatQuery({ variables: [], where: [] }, experiment);
    expect(rows.outputs.map((output) => output.variable.name)).toEqual(["@run", "n", "x", "release", "Run"]);
    const found = await exported({ runs: [1, 2, 3], rows }, maxRows);
    expect(found.rows).toEqual(flat);
    expect(found.longest).toBeLessThanOrEqual(maxRows);
  });

  test.each([1, 2, 50_000])("has every run once in pieces of %i rows", async (maxRows) => {
    const { once, rows } = runQueries({ variables: ["release", "n"], where: [] }, experiment);
    const found = await exported({ runs: [1, 2, 3], once, ...(rows === undefined ? {} : { rows }) }, maxRows);
    expect(found.once).toEqual([
      [1, "1.0"],
      [2, "1.1"],
      [3, "1.2"],
    ]);
    expect(found.rows).toEqual(flat.map(([run, n]) => [run, n]));
  });

  test("only named runs and rows that match", async () => {
    const rows = flatQuery({ variables: ["n"], where: ["n>1"] }, experiment);
    expect((await exported({ runs: [1], rows }, 2)).rows).toEqual([[2], [9223372036854775807n], [4], [5]]);
    expect((await exported({ runs: [], rows }, 2)).rows).toEqual([]);
  });
});
