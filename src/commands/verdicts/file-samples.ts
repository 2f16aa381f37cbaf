import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Measurements } from "../../core/verdicts/samples.ts";
import { joinedPieces } from "../../formats/bytes/concatenate.ts";
import { readSampleFile } from "../../formats/benchmarks/sample-file.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { reportSamples } from "../../query/series/report-samples.ts";
import { runsFound } from "../../workspace/import/parse-runs.ts";
import { reportImporterFor } from "../../workspace/import/detect-format.ts";
import { unpacked } from "../../workspace/files/gunzip.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Formats that files of samples are of as well: these have rules of their own, and names as benchstat has them. */
const ofSamples = ["go-bench", "hyperfine", "csv", "ndjson"];

/** So many bytes tell a format. */
const headSize = 1 << 16;

/**
 * What a file of samples or a report of any format that `import` knows tells. `from`: the name of the format; absent:
 * as its content tells. Fails with `no-measurements`, and with what readers of formats fail with.
 */
export async function sampleSide(workspace: Workspace, path: string, from: string | undefined): Promise<Measurements> {
  const bytes = await wholeOf(workspace, path);
  const importer = await importerFor(workspace, path, from, bytes.subarray(0, headSize));
  const name = workspace.files.name(path);
  const samples =
    from === undefined && (importer === null || ofSamples.includes(importer.name))
      ? samplesIn(bytes, path, importer)
      : null;
  if (samples !== null || importer === null) return { ...(samples ?? readSampleFile(bytes, path)), name };
  const measured = reportSamples(await runsFound(importer, inOne(bytes), path));
  if (measured.length > 0) return { name, measured, machines: [], version: null };
  throw new Failure("no-measurements", {
    file: path,
    reason: `${importer.name} finds no number that was measured in it`,
  });
}

/** As it was before gzip packed it. */
async function wholeOf({ files }: Workspace, path: string): Promise<Uint8Array> {
  return joinedPieces((await unpacked(inOne(files.read(path)), path)).source);
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** null: no format knows it. */
async function importerFor(
  { registry }: Workspace,
  path: string,
  from: string | undefined,
  head: Uint8Array,
): Promise<Importer | null> {
  try {
    return await reportImporterFor(registry, from, path, head);
  } catch (error) {
    if (isFailure(error, "unknown-report-format")) return null;
    throw error;
  }
}

/** null: it is a table or report of other columns, which the importer reads. */
function samplesIn(bytes: Uint8Array, path: string, importer: Importer | null): Measurements | null {
  try {
    return readSampleFile(bytes, path);
  } catch (error) {
    if (importer !== null && isFailure(error, "no-measurements")) return null;
    throw error;
  }
}
