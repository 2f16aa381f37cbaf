import { Failure } from "../../core/failures/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { ExperimentHome } from "../../workspace/experiments/index.ts";
import type { RawOutput } from "../../workspace/import/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { userFile, type ArchiveOptions, type InputFile } from "./input-files.ts";
import type { ImportOptions } from "./options.ts";
import { linkedReport, readReport, type ReadReport } from "./read-report.ts";

/** Uses the reports that were read. */
export interface ReportUse<T> {
  /** Called once the format of a file is known, before it is completely read. */
  formatDetected?(importer: Importer): void;
  use(reports: readonly ReadReport[]): Promise<T>;
}

/** Files to read and their format. */
export interface ReportFilesOptions extends Pick<ImportOptions, "streamLimit" | "preview" | "progress"> {
  /** Name of the format; default: auto-detect. */
  readonly from?: string;
  /** Options of the format. */
  readonly params?: Settings;
  /** `-` is standard input. */
  readonly files: readonly string[];
  /** Outputs of measured programs, instead of files. */
  readonly measured?: readonly MeasuredOutput[];
}

/** Output of a program, and the commit of its worktree; absent: the working tree. */
export interface MeasuredOutput extends RawOutput {
  readonly version?: VersionId;
}

/**
 * Reads all files one after the other and passes them to `use`. Their bytes are compressed meanwhile; files that `use`
 * has not seen stored by its end are discarded. Fails with `several-formats`, and with failures of importers.
 */
export async function withReports<T>(
  workspace: Workspace,
  home: ExperimentHome,
  options: ReportFilesOptions,
  check: () => void,
  { formatDetected = () => {}, use }: ReportUse<T>,
): Promise<T> {
  const reports: ReadReport[] = [];
  try {
    for await (const report of eachReport(workspace, home, options, { check, formatDetected })) {
      reports.push(report);
      requireSameFormat(reports[0]!, report);
    }
    return await use(reports);
  } finally {
    for (const report of reports) await report.discard();
  }
}

async function* eachReport(
  { registry, files: world }: Workspace,
  home: ExperimentHome,
  options: ReportFilesOptions,
  { check, formatDetected }: { check(): void; formatDetected(importer: Importer): void },
): AsyncGenerator<ReadReport> {
  const { files, measured = [], from, params } = options;
  const inputs = [
    ...files.map((path) => ({ file: userFile(world, path), version: undefined })),
    ...measured.map(measuredFile),
  ];
  const total = inputs.reduce((sum, { file: { size } }) => sum + (size ?? Number.NaN), 0);
  const archive = archiveOptions(home, options, total, check);
  for (const { file, version } of inputs) {
    const report = await readReport(file, {
      registry,
      from,
      params,
      archive,
      formatDetected,
      reopen: async ({ path, object }) =>
        object === undefined ? world.stream(path) : (await home.objects.open(object)).body,
    });
    yield version === undefined ? report : linkedReport(report, version);
  }
}

function archiveOptions(
  home: ExperimentHome,
  { preview, streamLimit: maxStreamBytes = 16 * 2 ** 30, progress = () => {} }: ReportFilesOptions,
  total: number,
  check: () => void,
): ArchiveOptions {
  let read = 0;
  return {
    maxStreamBytes,
    onBytes: (bytes) => {
      check();
      progress((read += bytes), Number.isNaN(total) ? undefined : total);
    },
    ...(preview === undefined ? { objects: home.objects.folder } : {}),
  };
}

function measuredFile({ bytes, path, version }: MeasuredOutput): {
  readonly file: InputFile;
  readonly version: VersionId | undefined;
} {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return { file: { path, size: bytes.length, stream }, version };
}

function requireSameFormat(first: ReadReport, { file, importer }: ReadReport): void {
  if (first.importer.name === importer.name) return;
  throw new Failure("several-formats", {
    first: first.file.path,
    format: first.importer.name,
    file: file.path,
    other: importer.name,
  });
}
