import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readReport, type ReadRun } from "../../../test/contracts/report-importer.ts";
import { cargoBench } from "./native/cargo-bench.ts";
import { gungraun } from "./native/gungraun.ts";
import { hpcg } from "./hpc/hpc-suites.ts";
import { consoleTime } from "./javascript/console-time.ts";
import { vitest } from "./javascript/vitest.ts";
import { jmh } from "./managed/jmh.ts";
import { fio } from "./tools/fio.ts";
import { k6 } from "./tools/k6.ts";
import { redisBenchmark } from "./tools/redis-benchmarks.ts";
import type { Importer } from "./importer.ts";

const sample = (path: string): string => readFileSync(`test/samples/${path}`, "utf8");
const read = async (importer: Importer, text: string): Promise<ReadRun[]> =>
  readReport(importer, new TextEncoder().encode(text));
/** The rows of all runs without their position in a series of equal names. */
const rowsOf = (runs: readonly ReadRun[]): unknown[] =>
  runs.flatMap(({ rows }) => rows.map(({ sample: _, ...row }) => row));

test.each([
  [jmh, "jmh/console.txt"],
  [k6, "k6/console.txt"],
  [k6, "k6/old-console.txt"],
  [vitest, "vitest/console.txt"],
  [fio, "fio/groups.txt"],
])("the output of two runs of %o keeps the rows of both: %s", async (importer, path) => {
  const rows = rowsOf(await read(importer, sample(path)));
  const second = sample(path).replaceAll(/(?<=\d)\.(?=\d)/g, "9.");
  expect(rowsOf(await read(importer, second))).not.toEqual(rows);
  const both = rowsOf(await read(importer, sample(path) + second));
  expect(both).toHaveLength(rows.length * 2);
  expect(both).toEqual(expect.arrayContaining(rows));
});

test.each([
  [consoleTime, "console-time/browsers.txt"],
  [cargoBench, "cargo-bench/cargo.txt"],
  [gungraun, "gungraun/tools.txt"],
  [hpcg, "hpcg/report.txt"],
])("blanks at the ends of lines lose nothing of %o: %s", async (importer, path) => {
  const rows = rowsOf(await read(importer, sample(path)));
  expect(rowsOf(await read(importer, sample(path).replaceAll("\n", "  \n")))).toEqual(rows);
});

test("a line between the heading and the row of redis-benchmark is no row", async () => {
  const text = sample("redis-benchmark/text.txt");
  const rows = rowsOf(await read(redisBenchmark, text));
  for (const between of ["", "WARN: slow disk 17 found"]) {
    const broken = text.replaceAll(/(?<= max *\n)/g, `${between}\n`);
    expect(broken).not.toBe(text);
    expect(rowsOf(await read(redisBenchmark, broken))).toEqual(rows);
  }
});
