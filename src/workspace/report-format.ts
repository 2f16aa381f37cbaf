import { Failure } from "../core/errors.ts";
import { recognised, type Importer } from "../plugins/importers/importer.ts";
import type { Registry } from "./registry.ts";

/** The importer that is named, else the one that knows the first bytes of a file. Fails with `unknown-plugin`, `unknown-report-format`. */
export async function reportImporterFor(registry: Registry, name: string | undefined, file: string, head: Uint8Array): Promise<Importer> {
  if (name !== undefined) {
    const importer = await registry.get("importer", name);
    if (importer.marks !== undefined) return importer;
    throw new Failure("unusable-combination", { what: `${importer.name} is no format by itself`, instead: "give a description with -d" });
  }
  const [best] = recognised(await builtInImporters(registry), head);
  const [own] = best === undefined ? recognised(await addedImporters(registry), head) : [];
  const found = best ?? own;
  if (found === undefined) throw new Failure("unknown-report-format", { file });
  return found.importer;
}

export function builtInImporters(registry: Registry): Promise<Importer[]> {
  return Promise.all(registry.names("importer").map((name) => registry.get("importer", name)));
}

/** Importers of the user's repository. */
export async function addedImporters(registry: Registry): Promise<Importer[]> {
  return (await registry.users()).flatMap(({ plugin }) => (plugin.kind === "importer" ? [plugin] : []));
}
