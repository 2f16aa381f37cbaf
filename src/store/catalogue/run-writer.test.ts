import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { TestExperiments } from "../../../test/servers/test-experiments.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import type { Digest } from "../../core/versions/digest.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { columnName } from "../schema/index.ts";
import type { RunWriter } from "./run-writer.ts";
import { plainImport } from "../../../test/fakes/import-rows.ts";

/* Runs that are held and written together are stored as if each were written on its own. */

const variable = (name: string, type: Variable["type"], occurrence: Variable["occurrence"]): Variable => ({
  name,
  type,
  occurrence,
  role: "parameter",
  default: null,
});
const host = variable("host", "string", "once");
const n = variable("n", "integer", "multiple");
const word = variable("word", "text", "multiple");
const experiment: Experiment = { name: "e", readers: [], writers: [], variables: [host, n, word] };

interface GivenTable {
  readonly columns: readonly Variable[];
  readonly rows: number;
}

interface GivenFile {
  readonly runs: readonly (readonly GivenTable[])[];
}

const table: fc.Arbitrary<GivenTable> = fc.record({
  columns: fc.constantFrom([n, word], [word, n], [n], [word]),
  rows: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(17_000) },
  ),
});
const file: fc.Arbitrary<GivenFile> = fc.record({
  runs: fc.array(fc.array(table, { maxLength: 3 }), { maxLength: 3 }),
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const source = (name: string) => ({
  path: name,
  sha256: createHash("sha256").update(name).digest("hex"),
  object: "f".repeat(40) as Digest,
  bytes: 1,
});

async function write(writer: RunWriter, files: readonly GivenFile[]): Promise<void> {
  for (const [at, { runs }] of files.entries()) {
    for (const tables of runs) {
      writer.begin();
      for (const { columns, rows } of tables) {
        const cells = Array.from({ length: rows }, (_, row) => columns.map(({ name }) => (name === "n" ? row : "w")));
        await writer.rows(tableOf(columns, cells));
      }
      await writer.end(new Map([["host", `h${at}`]]), { created: 0, performed: at });
    }
    await writer.claim(runs.length, source(`f${at}`), false);
  }
}

onEachDialect("the writer of runs", (makeDatabase) => {
  const fixture = new TestExperiments(makeDatabase);
  const numbers = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
    rowsOf(await fixture.engine.query(sql));

  test("numbers runs, rows and files in order, whatever is written together", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 6 }), async (files) => {
        const made = await fixture.experiments.create(experiment, 1);
        try {
          await fixture.experiments.import(made, 1, plainImport, (writer) => write(writer, files));
          const runs = files.flatMap(({ runs }, at) => runs.map((tables) => ({ at, tables })));
          const sizes = runs.map(({ tables }) => tables.reduce((sum, { rows }) => sum + rows, 0));
          const listed = await numbers(
            `select number, data_sets from run where experiment = ${made.id} order by number`,
          );
          expect(listed).toEqual(sizes.map((size, at) => [at + 1, size]));
          const data = await numbers(
            `select run, min(ordinal), max(ordinal), count(distinct ordinal) from data_${made.id}
             group by run order by run`,
          );
          expect(data).toEqual(sizes.flatMap((size, at) => (size === 0 ? [] : [[at + 1, 1, size, size]])));
          const [nColumn, wordColumn] = made.variableIds.slice(1).map(columnName);
          const values = await numbers(
            `select count(${nColumn}), coalesce(sum(${nColumn}), 0)::bigint, count(${wordColumn}) from data_${made.id}`,
          );
          const given = runs.flatMap(({ tables }) => tables);
          const having = (column: Variable): number[] =>
            given.flatMap(({ columns, rows }) => (columns.includes(column) ? [rows] : []));
          const [counts, words] = [having(n), having(word)];
          expect(values).toEqual([[sumOf(counts), sumOf(counts.map((size) => (size * (size - 1)) / 2)), sumOf(words)]]);
          const sources = await numbers(`select run, path from source where experiment = ${made.id} order by run`);
          expect(sources).toEqual(runs.map(({ at }, run) => [run + 1, `f${at}`]));
        } finally {
          await fixture.experiments.purge(made, 1);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  test("refuses the first of many files that was imported before, and stores nothing", async () => {
    const made = await fixture.experiments.create(experiment, 1);
    const one: GivenFile = { runs: [[{ columns: [n], rows: 1 }]] };
    await fixture.experiments.import(made, 1, plainImport, (writer) => write(writer, [one]));
    const again = fixture.experiments.import(made, 1, plainImport, async (writer) => {
      for (let at = 1500; at >= 0; at--) {
        writer.begin();
        await writer.end(new Map(), { created: 0, performed: 0 });
        await writer.claim(1, source(`f${at}`), false);
      }
    });
    await expect(again).rejects.toMatchObject({ code: "already-imported", data: { path: "f0", run: "1" } });
    expect(await numbers(`select count(*) from run where experiment = ${made.id}`)).toEqual([[1]]);
    await fixture.experiments.purge(made, 1);
  });
});
