import { ParquetRows } from "../../store/export/parquet.ts";
import { withScratchDatabase } from "../../workspace/experiments/scratch-database.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exportRows, type ExportOptions } from "./export.ts";

/**
 * Hands out the rows of `exportRows` as the bytes of a Parquet file, piece by piece; nothing before the whole file is
 * made. The experiment's own database is left alone by then.
 */
export async function exportParquet(
  workspace: Workspace,
  options: ExportOptions,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  await withScratchDatabase(workspace, async (engine, folder) => {
    let rows: ParquetRows | undefined;
    const experiment = await exportRows(workspace, options, async (table) => {
      rows ??= await ParquetRows.begin(engine, table.variables);
      await rows.append(table);
    });
    const path = `${folder}/export.parquet`;
    await rows?.write(path, experiment);
    for await (const bytes of workspace.files.stream(path)) take(bytes);
  });
}
