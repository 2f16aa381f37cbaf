import { Failure } from "../../core/failures/failure.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { ExperimentHome } from "../../workspace/experiments/experiments.ts";
import type { RawOutput } from "../../workspace/import/output-reader.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { userFile, type InputFile } from "./input-files.ts";
import type { ImportOptions } from "./options.ts";
import { linkedReport, readReport, type ReadReport } from "./read-report.ts";

/** Works on what was read. */
export interface ReportUse<T> {
  /** Told as soon as the format of a file is known, long before all is read. */
  recognised?(importer: Importer): void;
  use(reports: readonly ReadReport[]): Promise<T>;
}

/** What is to be read, and by which format. */
export interface ReportFilesOptions extends Pick<ImportOptions, "streamLimit" | "preview" | "progress"> {
  /** The name of the format; absent: as the first bytes tell. */
  readonly from?: string;
  /** Options of the format. */
  readonly params?: Settings;
  /** `-` is standard input. */
  readonly files: readonly string[];
  /** Instead of files: what programs wrote while they were measured. */
  readonly measured?: readonly MeasuredOutput[];
}

/** What a program wrote, and the version whose clean tree it ran in; absent: the tree as it is. */
export interface MeasuredOutput extends RawOutput {
  readonly version?: VersionId;
}

/**
 * Reads all files, one after the other; `use` gets what they hold. Their bytes are packed meanwhile: what `use` has not
 * seen kept by its end is not kept at all. Fails with `several-formats`, and with what an importer refuses.
 */
export async function withReports<T>(
  workspace: Workspace,
  home: ExperimentHome,
  options: ReportFilesOptions,
  check: () => void,
  { recognised = () => {}, use }: ReportUse<T>,
): Promise<T> {
  const reports: ReadReport[] = [];
  try {
    for await (const report of eachReport(workspace, home, options, { check, recognised })) {
      reports.push(report);
      refuseOther(reports[0]!, report);
    }
    return await use(reports);
  } finally {
    for (const report of reports) await report.discard();
  }
}

async function* eachReport(
  { registry, files: world }: Workspace,
  home: ExperimentHome,
  {
    files,
    measured = [],
    from,
    params,
    preview,
    streamLimit: most = 16 * 2 ** 30,
    progress = () => {},
  }: ReportFilesOptions,
  { check, recognised }: { check(): void; recognised(importer: Importer): void },
): AsyncGenerator<ReadReport> {
  const inputs = [
    ...files.map((path) => ({ file: userFile(world, path), version: undefined })),
    ...measured.map(measuredFile),
  ];
  const total = inputs.reduce((sum, { file: { size } }) => sum + (size ?? Number.NaN), 0);
  let passed = 0;
  const passing = {
    most,
    passed: (bytes: number): void => {
      check();
      progress((passed += bytes), Number.isNaN(total) ? undefined : total);
    },
    ...(preview === undefined ? { objects: home.objects.folder } : {}),
  };
  for (const { file, version } of inputs) {
    const report = await readReport(file, {
      registry,
      from,
      params,
      passing,
      recognised,
      reopen: async ({ path, object }) =>
        object === undefined ? world.stream(path) : (await home.objects.open(object)).body,
    });
    yield version === undefined ? report : linkedReport(report, version);
  }
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

function refuseOther(first: ReadReport, { file, importer }: ReadReport): void {
  if (first.importer.name === importer.name) return;
  throw new Failure("several-formats", {
    first: first.file.path,
    format: first.importer.name,
    file: file.path,
    other: importer.name,
  });
}
