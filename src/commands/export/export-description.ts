import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { readExportDescription, type ExportDescription } from "../../formats/descriptions/export-description.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What a file says that an export is to hold. Fails with `description-error`, `unreadable-file`. */
export function exportDescription(workspace: Workspace, file: string): ExportDescription {
  return readExportDescription(descriptionText(workspace.files.read(file), file), file);
}
