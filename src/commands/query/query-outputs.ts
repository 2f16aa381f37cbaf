import type { Figure } from "../../core/figures/figure.ts";
import type { Table } from "../../core/tables/table.ts";
import type { QueryProduct } from "../../query/description/outputs/outputs.ts";
import { ParquetRows } from "../../store/export/parquet.ts";
import { withScratchDatabase } from "../../workspace/experiments/scratch-database.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * What goes to standard output, or to a file below the folder the user stands in: finished, or a figure for the
 * renderer of that name.
 */
export type QueryOutput = { /** Absent: standard output. */ readonly file?: string } & (
  | { readonly kind: "content"; readonly content: string | Uint8Array; readonly picture?: string }
  | { readonly kind: "figure"; readonly figure: Figure; readonly renderer: string }
);

/** Seconds that gnuplot may take for a picture: a script with a million points needs few. */
const drawingSeconds = 120;

/** Tables become bytes here. */
export function finished(workspace: Workspace, products: readonly QueryProduct[]): Promise<QueryOutput[]> {
  return Promise.all(
    products.map(async (product): Promise<QueryOutput> => {
      if (product.kind !== "table") return product;
      const { file } = product;
      return { kind: "content", content: await bytesOf(workspace, product), ...(file === undefined ? {} : { file }) };
    }),
  );
}

/** An engine writes Parquet; what writes Arrow is loaded only here. */
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

/**
 * Has gnuplot draw the pictures of scripts that are written already, where it is installed. Answers what the user
 * should know of those that were not drawn; the scripts stand all the same.
 */
export async function drawPictures(workspace: Workspace, outputs: readonly QueryOutput[]): Promise<string[]> {
  const scripts = outputs.flatMap((each) =>
    each.kind === "content" && each.picture !== undefined && each.file !== undefined
      ? [{ script: each.file, picture: each.picture }]
      : [],
  );
  if (scripts.length === 0) return [];
  const program = await workspace.shell().which("gnuplot");
  const notes: string[] = [];
  for (const { script, picture } of scripts) {
    const problem = program === null ? "gnuplot is not installed" : await drawn(workspace, program, script);
    if (problem !== undefined) notes.push(`${picture} was not drawn: ${problem}; ${script} is the script for it`);
  }
  return notes;
}

/** What gnuplot had to say when it did not succeed. `-d` leaves settings of the user out. */
async function drawn(workspace: Workspace, program: string, script: string): Promise<string | undefined> {
  const { directory } = workspace.world;
  const { status, stderr } = await workspace
    .shell()
    .run([program, "-d", `./${script}`], { directory, timeoutSeconds: drawingSeconds });
  if (status === 0) return undefined;
  const said = new TextDecoder()
    .decode(stderr)
    .split("\n")
    .find((line) => /[a-z]{3}/.test(line));
  return `gnuplot ended with status ${status}${said === undefined ? "" : ` (${said.trim().slice(0, 200)})`}`;
}
