import type { ParsedRun } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Measurements } from "../../core/verdicts/index.ts";
import { collectBytes, inOnePiece } from "../../formats/bytes/index.ts";
import { readSampleFile } from "../../formats/benchmarks/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { type ComparedSetting, reportIdentity, reportMachines, reportSamples } from "../../query/series/index.ts";
import { parseRuns, reportImporterOf } from "../../workspace/import/index.ts";
import { decompressReport } from "../../workspace/files/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Formats that are also sample file formats: sample files have their own rules, with benchstat's names. */
const sampleFormats = ["go-bench", "hyperfine", "csv", "ndjson"];

/** A report whose benchmarks get their names once all sides of the comparison are known. */
export interface ReportSide {
  readonly name: string;
  readonly path: string;
  readonly importer: string;
  readonly runs: readonly ParsedRun[];
}

/**
 * Reads a sample file, or a report in any format that `import` reads. `from`: name of the format; default: auto-detect.
 * Fails with `no-measurements`, and with failures of the format's reader.
 */
export async function fileSide(
  workspace: Workspace,
  path: string,
  from: string | undefined,
): Promise<Measurements | ReportSide> {
  const bytes = await readDecompressed(workspace, path);
  const importer = await reportImporterOf(workspace.registry, from, path, bytes);
  const name = workspace.files.name(path);
  const samples =
    from === undefined && (importer === null || sampleFormats.includes(importer.name))
      ? samplesOrNull(bytes, path, importer)
      : null;
  if (samples !== null || importer === null) return { ...(samples ?? readSampleFile(bytes, path)), name };
  return { name, path, importer: importer.name, runs: await parseRuns(importer, inOnePiece(bytes), path) };
}

/**
 * The measurements of all sides, and the settings that the reports among them compare. `named`: metrics that count even
 * if they describe others. Fails with `no-measurements`.
 */
export function measuredSides(
  sides: readonly (Measurements | ReportSide)[],
  named: readonly string[],
): { readonly sides: Measurements[]; readonly settings: readonly ComparedSetting[] } {
  const reports = sides.flatMap((side) => ("runs" in side ? [side.runs] : []));
  // A report next to measurements of another kind keeps its names.
  const identity = reports.length === sides.length ? reportIdentity(reports) : undefined;
  return {
    sides: sides.map((side) => ("runs" in side ? measuredReport(side, named, identity?.ignored) : side)),
    settings: identity?.settings ?? [],
  };
}

function measuredReport(
  { name, path, importer, runs }: ReportSide,
  named: readonly string[],
  ignored: ReadonlySet<string> | undefined,
): Measurements {
  const measured = reportSamples(runs, named, ignored);
  if (measured.length > 0) return { name, measured, machines: reportMachines(runs), version: null };
  throw new Failure("no-measurements", { file: path, reason: `${importer} finds no measurements in it` });
}

/** Reads a file, decompressing gzip. */
async function readDecompressed({ files }: Workspace, path: string): Promise<Uint8Array> {
  return collectBytes((await decompressReport(inOnePiece(files.read(path)), path)).source);
}

/** null: not a sample file, but the importer can read it. */
function samplesOrNull(bytes: Uint8Array, path: string, importer: Importer | null): Measurements | null {
  try {
    return readSampleFile(bytes, path);
  } catch (error) {
    if (importer !== null && isFailure(error, "no-measurements")) return null;
    throw error;
  }
}
