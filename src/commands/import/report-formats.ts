import { type Settings, formatValue } from "../../core/values/index.ts";
import type { ImportHow } from "../../formats/store/index.ts";
import { recognisingImporters, type Importer } from "../../plugins/importers/importer.ts";
import { decompressReport } from "../../workspace/files/index.ts";
import { userImporters, builtInImporters } from "../../workspace/import/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A benchmark format, auto-detected or named. */
export interface ReportFormat {
  readonly name: string;
  readonly synopsis: string;
  /** How the format is detected. */
  readonly signature: string;
}

/** A format and the confidence of its detection, 0..1. */
export interface FormatScore extends ReportFormat {
  readonly confidence: number;
}

/** All known benchmark formats, with user plug-ins, by name. */
export async function listReportFormats({ registry }: Workspace): Promise<ReportFormat[]> {
  const all = [...(await builtInImporters(registry)), ...(await userImporters(registry))];
  return all.flatMap(formatOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Detection scores for a file, best first. Fails with `unreadable-file`, `packed-file`. */
export async function explainReportFormat(workspace: Workspace, file: string): Promise<FormatScore[]> {
  const { head, source } = await decompressReport(workspace.files.stream(file), file);
  await source[Symbol.asyncIterator]().return?.();
  const all = [...(await builtInImporters(workspace.registry)), ...(await userImporters(workspace.registry))];
  return recognisingImporters(all, head).flatMap(({ importer, sure }) =>
    formatOf(importer).map((format) => ({ ...format, confidence: sure })),
  );
}

function formatOf({ name, synopsis, marks }: Importer): ReportFormat[] {
  return marks === undefined ? [] : [{ name, synopsis, signature: marks }];
}

/** User options of an importer as texts. Fails like `optionsOf`. */
export function givenOptions(importer: Importer, params: Settings = new Map()): Pick<ImportHow, "options"> {
  const values = optionsOf(importer, params);
  const given = importer.options.flatMap(({ name, type, default: otherwise = null }): [string, string][] => {
    const value = values.get(name) ?? null;
    return value === null || value === otherwise ? [] : [[name, formatValue(value, type)]];
  });
  return given.length === 0 ? {} : { options: given };
}
