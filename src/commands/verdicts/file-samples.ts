import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Measurements } from "../../core/verdicts/index.ts";
import { collectBytes, inOnePiece } from "../../formats/bytes/index.ts";
import { readSampleFile } from "../../formats/benchmarks/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { reportMachines, reportSamples } from "../../query/series/index.ts";
import { parseRuns, reportImporterOf } from "../../workspace/import/index.ts";
import { decompress } from "../../workspace/files/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Formats that are also sample file formats: sample files have their own rules, with benchstat's names. */
const sampleFormats = ["go-bench", "hyperfine", "csv", "ndjson"];

/**
 * Reads the measurements of a sample file or of a report in any format that `import` reads. `from`: name of the format;
 * default: auto-detect. `named`: metrics that count even if they describe others. Fails with `no-measurements`, and
 * with failures of the format's reader.
 */
export async function sampleSide(
  workspace: Workspace,
  path: string,
  from: string | undefined,
  named: readonly string[] = [],
): Promise<Measurements> {
  const bytes = await readDecompressed(workspace, path);
  const importer = await reportImporterOf(workspace.registry, from, path, bytes);
  const name = workspace.files.name(path);
  const samples =
    from === undefined && (importer === null || sampleFormats.includes(importer.name))
      ? samplesOrNull(bytes, path, importer)
      : null;
  if (samples !== null || importer === null) return { ...(samples ?? readSampleFile(bytes, path)), name };
  const runs = await parseRuns(importer, inOnePiece(bytes), path);
  const measured = reportSamples(runs, named);
  if (measured.length > 0) return { name, measured, machines: reportMachines(runs), version: null };
  throw new Failure("no-measurements", {
    file: path,
    reason: `${importer.name} finds no measurements in it`,
  });
}

/** Reads a file, decompressing gzip. */
async function readDecompressed({ files }: Workspace, path: string): Promise<Uint8Array> {
  return collectBytes((await decompress(inOnePiece(files.read(path)), path)).source);
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
