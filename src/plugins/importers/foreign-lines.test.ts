import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readReport, type ReadRun } from "../../../test/contracts/report-importer.ts";
import { isFailure } from "../../core/failures/index.ts";
import { builtins } from "../builtin.ts";
import { type Importer, recognisingImporters } from "./importer.ts";

const folder = "test/samples";
const foreign = ["slow node!", "warning: 12 of 17 nodes are slow, 3.5 s"];

/** Where a line may have any text: within names, and settings of Go benchmarks (`warning: …`). */
const free: Readonly<Record<string, RegExp>> = {
  "benchmark-ips": /i\/100ms$/,
  catch2: /^-{60}|^\.{60}|^\w+\.cpp:|^ *[A-Z][\w ]*$|^  by sections|^a_very_long_name/,
  "go-bench": /^/,
  gungraun: /^second line"/,
  julia: /^BenchmarkTools\.Trial/,
};

/** Beyond it inserting a line everywhere takes long. */
const mostBytes = 40_000;

const importers = await Promise.all(
  builtins.filter(({ kind }) => kind === "importer").map(async (each) => (await each.load()) as Importer),
);
const samples = readdirSync(folder)
  .flatMap((format) => readdirSync(`${folder}/${format}`).map((name) => `${format}/${name}`))
  .filter((path) => /\.(?:txt|log|dat|md)$/.test(path) && !path.endsWith("README.md"))
  .map((path) => ({ path, bytes: new Uint8Array(readFileSync(`${folder}/${path}`)) }))
  .filter(({ bytes }) => bytes.length < mostBytes && !/^\s*[[{<]/.test(new TextDecoder().decode(bytes.subarray(0, 99))))
  .flatMap(({ path, bytes }) => {
    const [best] = recognisingImporters(importers, bytes);
    return best === undefined ? [] : [{ path, bytes, importer: best.importer }];
  });

const rowsOf = (runs: readonly ReadRun[]): string[] =>
  runs.flatMap(({ rows }) => rows.map(({ sample: _, ...row }) => JSON.stringify(row)));

describe("a line of another program, anywhere in a report, is no row and hides none without a notice", () => {
  test.each(samples)("$path", async ({ bytes, importer }) => {
    const expected = rowsOf(await readReport(importer, bytes));
    const lines = new TextDecoder().decode(bytes).split("\n");
    for (const line of foreign)
      for (const [at, next] of lines.entries()) {
        if (free[importer.name]?.test(next) === true) continue;
        const text = [...lines.slice(0, at), line, ...lines.slice(at)].join("\n");
        const runs = await readReport(importer, new TextEncoder().encode(text)).catch((error: unknown) => {
          if (isFailure(error)) return undefined;
          throw error;
        });
        // Refused.
        if (runs === undefined) continue;
        if (runs.some(({ notices }) => notices.length > 0)) continue;
        expect(rowsOf(runs), `${line} above line ${at + 1}`).toEqual(expected);
      }
  });
});
