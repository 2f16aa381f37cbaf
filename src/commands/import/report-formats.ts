import { recognised, type Importer } from "../../plugins/importers/importer.ts";
import { unpacked } from "../../workspace/files/gunzip.ts";
import { addedImporters, builtInImporters } from "../../workspace/import/detect-format.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A format of benchmarks that files are recognised by, or that has to be named. */
export interface ReportFormat {
  readonly name: string;
  readonly synopsis: string;
  /** What tells the format. */
  readonly marks: string;
}

/** A format, and how sure it is, 0..1, that a file is of it. */
export interface FormatScore extends ReportFormat {
  readonly sure: number;
}

/** All formats of benchmarks that are known, also those of the user, by name. */
export async function listReportFormats({ registry }: Workspace): Promise<ReportFormat[]> {
  const all = [...(await builtInImporters(registry)), ...(await addedImporters(registry))];
  return all.flatMap(formatOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** How sure each format is that a file is of it, the surest first. Fails with `unreadable-file`, `packed-file`. */
export async function explainReportFormat(workspace: Workspace, file: string): Promise<FormatScore[]> {
  const { head, source } = await unpacked(workspace.files.stream(file), file);
  await source[Symbol.asyncIterator]().return?.();
  const all = [...(await builtInImporters(workspace.registry)), ...(await addedImporters(workspace.registry))];
  return recognised(all, head).flatMap(({ importer, sure }) =>
    formatOf(importer).map((format) => ({ ...format, sure })),
  );
}

function formatOf({ name, synopsis, marks }: Importer): ReportFormat[] {
  return marks === undefined ? [] : [{ name, synopsis, marks }];
}
