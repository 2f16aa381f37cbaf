import { Failure, isFailure } from "../../core/failures/index.ts";
import { genericConfidence, recognisingImporters, type Importer } from "../../plugins/importers/importer.ts";
import type { Registry } from "../plugins/index.ts";

const newline = 0x0a;

/** A second format below this confidence is ignored: generic table formats match the tables of others. */
const minConfidence = 0.5;

const maxMarkLines = 50;

/** The importer of a file, and a second format in its first bytes. */
export interface DetectedFormat {
  readonly importer: Importer;
  /** Another format that the importer ignores, with its one-based line. */
  readonly otherFormat?: { readonly name: string; readonly line: number };
}

/**
 * The named importer, else the one that recognises the first bytes. Fails with `unknown-plugin`,
 * `unknown-report-format`, `format-not-imported`.
 */
export async function detectReportImporter(
  registry: Registry,
  name: string | undefined,
  file: string,
  head: Uint8Array,
): Promise<Importer> {
  return (await detectReportFormat(registry, name, file, head)).importer;
}

/** Bytes used to detect the format of a file that is in memory. */
const headSize = 1 << 16;

/** Like `detectReportImporter`, of a whole file; null: unknown format. */
export async function reportImporterOf(
  registry: Registry,
  name: string | undefined,
  file: string,
  bytes: Uint8Array,
): Promise<Importer | null> {
  try {
    return await detectReportImporter(registry, name, file, bytes.subarray(0, headSize));
  } catch (error) {
    if (isFailure(error, "unknown-report-format") || isFailure(error, "format-not-imported")) return null;
    throw error;
  }
}

/** The same with a second format, which is not looked for if the format is named. */
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
      what: `${importer.name} is not a self-describing format`,
      instead: "give a description with -d",
    });
  }
  const [best, second] = recognisingImporters(await builtInImporters(registry), head);
  const isGeneric = (best?.sure ?? 0) <= genericConfidence;
  const [own] = isGeneric ? recognisingImporters(await userImporters(registry), head) : [];
  const match = own ?? best;
  if (match === undefined) throw unknownFormat(file, head);
  const { importer } = match;
  if (second === undefined || second.sure < minConfidence) return { importer };
  const { name: other } = second.importer;
  return { importer, otherFormat: { name: other, line: firstMarkLine(head, second.importer) } };
}

function unknownFormat(file: string, head: Uint8Array): Failure {
  const isArrow = new TextDecoder("latin1").decode(head.subarray(0, 6)) === "ARROW1";
  return isArrow
    ? new Failure("format-not-imported", { file, format: "Apache Arrow" })
    : new Failure("unknown-report-format", { file });
}

/**
 * First line of what an importer recognises. Confidence grows with the number of lines, so a binary search finds the
 * line that completes the marks; they start at most `maxMarkLines` before it.
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

/** Importers among the plug-ins of the user. */
export async function userImporters(registry: Registry): Promise<Importer[]> {
  return (await registry.userPlugins()).flatMap(({ plugin }) => (plugin.kind === "importer" ? [plugin] : []));
}
