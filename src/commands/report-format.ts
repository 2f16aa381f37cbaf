import { Failure } from "../core/errors.ts";
import { recognised, type Importer } from "../plugins/importers/importer.ts";
import { unpacked } from "../workspace/unpacked.ts";
import type { Registry } from "../workspace/registry.ts";
import type { Workspace } from "../workspace/workspace.ts";

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
  const all = [...(await builtIn(registry)), ...(await added(registry))];
  return all.flatMap(formatOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** How sure each format is that a file is of it, the surest first. Fails with `unreadable-file`, `packed-file`. */
export async function explainReportFormat(workspace: Workspace, file: string): Promise<FormatScore[]> {
  const { head, source } = await unpacked(workspace.files.stream(file), file);
  await source[Symbol.asyncIterator]().return?.();
  const all = [...(await builtIn(workspace.registry)), ...(await added(workspace.registry))];
  return recognised(all, head).flatMap(({ importer, sure }) => formatOf(importer).map((format) => ({ ...format, sure })));
}

/** The importer that is named, else the one that knows the first bytes of a file. Fails with `unknown-plugin`, `unknown-report-format`. */
export async function reportImporterFor(registry: Registry, name: string | undefined, file: string, head: Uint8Array): Promise<Importer> {
  if (name !== undefined) {
    const importer = await registry.get("importer", name);
    if (importer.marks !== undefined) return importer;
    throw new Failure("unusable-combination", { what: `${importer.name} is no format by itself`, instead: "give a description with -d" });
  }
  const [best] = recognised(await builtIn(registry), head);
  const [own] = best === undefined ? recognised(await added(registry), head) : [];
  const found = best ?? own;
  if (found === undefined) throw new Failure("unknown-report-format", { file });
  return found.importer;
}

function builtIn(registry: Registry): Promise<Importer[]> {
  return Promise.all(registry.names("importer").map((name) => registry.get("importer", name)));
}

/** Importers of the user's repository. */
async function added(registry: Registry): Promise<Importer[]> {
  return (await registry.users()).flatMap(({ plugin }) => (plugin.kind === "importer" ? [plugin] : []));
}

function formatOf({ name, synopsis, marks }: Importer): ReportFormat[] {
  return marks === undefined ? [] : [{ name, synopsis, marks }];
}
