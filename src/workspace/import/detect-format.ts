import { Failure } from "../../core/failures/failure.ts";
import { recognised, type Importer } from "../../plugins/importers/importer.ts";
import type { Registry } from "../plugins/registry.ts";

const newline = 0x0a;

/** Less than this is no sign of a second format: tables in general know what other formats write as tables. */
const minConfidence = 0.5;

const maxMarkLines = 50;

/** The importer of a file, and what else its first bytes have. */
export interface DetectedFormat {
  readonly importer: Importer;
  /** Where another format shows, which that importer passes over; lines count from 1. */
  readonly otherFormat?: { readonly name: string; readonly line: number };
}

/**
 * The importer that is named, else the one that knows the first bytes of a file. Fails with `unknown-plugin`,
 * `unknown-report-format`.
 */
export async function detectReportImporter(
  registry: Registry,
  name: string | undefined,
  file: string,
  head: Uint8Array,
): Promise<Importer> {
  return (await detectReportFormat(registry, name, file, head)).importer;
}

/** The same; whoever names a format knows what he has. */
export async function detectReportFormat(
  registry: Registry,
  name: string | undefined,
  file: string,
  head: Uint8Array,
): Promise<DetectedFormat> {
  if (name !== undefined) {
    const importer = await registry.get("importer", name);
    if (importer.marks !== undefined) return { importer };
    throw new Failure("unusable-combination", {
      what: `${importer.name} is no format by itself`,
      instead: "give a description with -d",
    });
  }
  const [best, second] = recognised(await builtInImporters(registry), head);
  const [own] = best === undefined ? recognised(await userImporters(registry), head) : [];
  const found = best ?? own;
  if (found === undefined) throw new Failure("unknown-report-format", { file });
  const { importer } = found;
  if (second === undefined || second.sure < minConfidence) return { importer };
  const { name: other } = second.importer;
  return { importer, otherFormat: { name: other, line: firstMarkLine(head, second.importer) } };
}

/**
 * The line at which begins what an importer knows. More lines tell it no less; marks are looked for in the few lines
 * before the one that completes them.
 */
function firstMarkLine(head: Uint8Array, importer: Importer): number {
  const starts = [0, ...[...head.keys()].filter((at) => head[at] === newline).map((at) => at + 1), head.length];
  let [low, high] = [1, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (importer.sniff(head.subarray(0, starts[middle])) > 0) high = middle;
    else low = middle + 1;
  }
  const end = starts[low];
  for (let line = low; line > Math.max(0, low - maxMarkLines); line--)
    if (importer.sniff(head.subarray(starts[line - 1], end)) > 0) return line;
  return low;
}

export function builtInImporters(registry: Registry): Promise<Importer[]> {
  return Promise.all(registry.names("importer").map((name) => registry.get("importer", name)));
}

/** Importers of the user's repository. */
export async function userImporters(registry: Registry): Promise<Importer[]> {
  return (await registry.userPlugins()).flatMap(({ plugin }) => (plugin.kind === "importer" ? [plugin] : []));
}
