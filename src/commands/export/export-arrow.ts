import type { Workspace } from "../../workspace/workspace.ts";
import { exportRows, type ExportOptions } from "./export.ts";

/**
 * Hands out the rows of `exportRows` as the bytes of an Arrow file, piece by piece. What writes Arrow is loaded only
 * here.
 */
export async function exportArrow(
  workspace: Workspace,
  options: ExportOptions,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const { ArrowRows } = await import("../../formats/columnar/arrow.ts");
  const rows = new ArrowRows(take);
  await exportRows(workspace, options, (table) => rows.append(table));
  await rows.end();
}
