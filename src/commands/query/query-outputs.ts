import type { Figure } from "../../core/figures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { crowd } from "../../query/chart/index.ts";
import type { QueryProduct } from "../../query/description/index.ts";
import { ParquetRows } from "../../store/export/index.ts";
import { withScratchDatabase } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * An output for standard output or a file below the current directory: final bytes, or a figure for the named renderer.
 */
export type QueryOutput = { /** Absent: standard output. */ readonly file?: string } & (
  | { readonly kind: "data"; readonly data: string | Uint8Array; readonly picture?: string }
  | { readonly kind: "figure"; readonly figure: Figure; readonly renderer: string }
);

/** Timeout for gnuplot, seconds. */
const drawingSeconds = 120;

/** Converts table outputs to bytes. */
export function finishOutputs(workspace: Workspace, products: readonly QueryProduct[]): Promise<QueryOutput[]> {
  return Promise.all(
    products.map(async (product): Promise<QueryOutput> => {
      if (product.kind !== "table") return product;
      const { file } = product;
      return { kind: "data", data: await bytesOf(workspace, product), ...(file === undefined ? {} : { file }) };
    }),
  );
}

/** Parquet is written by the database engine; Arrow is loaded on demand. */
async function bytesOf(
  workspace: Workspace,
  { table, format }: { readonly table: Table; readonly format: "parquet" | "arrow" },
): Promise<Uint8Array> {
  if (format === "parquet") return parquetOf(workspace, table);
  const { arrowFile } = await import("../../formats/columnar/arrow.ts");
  return arrowFile(table);
}

async function parquetOf(workspace: Workspace, table: Table): Promise<Uint8Array> {
  return withScratchDatabase(workspace, async (engine, folder) => {
    const rows = await ParquetRows.create(engine, table.variables);
    await rows.append(table);
    await rows.write(`${folder}/output.parquet`, "");
    return workspace.files.read(`${folder}/output.parquet`);
  });
}

/** Notes on charts with too many curves to distinguish. */
export function crowdedCharts(outputs: readonly QueryOutput[]): string[] {
  return outputs.flatMap((each) => {
    const curves = each.kind === "figure" ? crowd(each.figure) : undefined;
    if (curves === undefined) return [];
    const split = "a sweep of the parameter that distinguishes them, resolved outside (extern), draws a chart for each";
    return [`${each.file ?? "the chart"}: ${curves} curves in one chart: ${split}`];
  });
}

/**
 * Runs gnuplot, if installed, for written scripts. Returns notes about pictures that were not drawn; the scripts are
 * kept.
 */
export async function drawPictures(workspace: Workspace, outputs: readonly QueryOutput[]): Promise<string[]> {
  const scripts = outputs.flatMap((each) =>
    each.kind === "data" && each.picture !== undefined && each.file !== undefined
      ? [{ script: each.file, picture: each.picture }]
      : [],
  );
  if (scripts.length === 0) return [];
  const program = await workspace.shell().which("gnuplot");
  const notes: string[] = [];
  for (const { script, picture } of scripts) {
    const problem = program === null ? "gnuplot is not installed" : await runGnuplot(workspace, program, script);
    if (problem !== undefined) notes.push(`${picture} was not drawn: ${problem}; ${script} is the script for it`);
  }
  return notes;
}

/** Error of gnuplot, if any. `-d` ignores user settings. */
async function runGnuplot(workspace: Workspace, program: string, script: string): Promise<string | undefined> {
  const { directory } = workspace.world;
  const { status, stderr } = await workspace
    .shell()
    .run([program, "-d", `./${script}`], { directory, timeoutSeconds: drawingSeconds });
  if (status === 0) return undefined;
  const errorLine = new TextDecoder()
    .decode(stderr)
    .split("\n")
    .find((line) => /[a-z]{3}/.test(line));
  return `gnuplot ended with status ${status}${errorLine === undefined ? "" : ` (${errorLine.trim().slice(0, 200)})`}`;
}
