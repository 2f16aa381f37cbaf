import { Failure } from "../../core/failures/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { ExperimentHome } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { decodeReport, linkedReport, type DecodedReport, type ReportDecodingOptions } from "./decode-report.ts";
import { HeldMemory } from "./held-events.ts";
import type { ArchiveOptions } from "./input-files.ts";
import type { ReportInput } from "./locate-reports.ts";

export interface ReportsDecodingOptions {
  /** Name of the format; default: auto-detect. */
  readonly from?: string | undefined;
  /** Options of the format. */
  readonly params?: Settings | undefined;
  readonly archive: ArchiveOptions;
  /** Called once the format of a file is known, before it is completely read. */
  formatDetected(importer: Importer): void;
}

/**
 * Step 2 of an import of known formats: reads the files one after the other, since together they decide on the
 * variables of the experiment. The caller discards the reports. Fails with `several-formats`, and with failures of
 * importers.
 */
export async function decodeReports(
  workspace: Workspace,
  home: ExperimentHome,
  inputs: readonly ReportInput[],
  options: ReportsDecodingOptions,
): Promise<readonly DecodedReport[]> {
  const reports: DecodedReport[] = [];
  try {
    const memory = new HeldMemory();
    for (const input of inputs) {
      const report = await decodeOne(workspace, home, input, { ...options, memory, isLast: input === inputs.at(-1) });
      reports.push(report);
      requireSameFormat(reports[0]!, report);
    }
    return reports;
  } catch (error) {
    for (const report of reports) await report.discard();
    throw error;
  }
}

async function decodeOne(
  { registry, files }: Workspace,
  home: ExperimentHome,
  { file, version }: ReportInput,
  options: ReportsDecodingOptions & Pick<ReportDecodingOptions, "memory" | "isLast">,
): Promise<DecodedReport> {
  const report = await decodeReport(file, {
    ...options,
    registry,
    reopen: async ({ path, object }) => {
      if (object === undefined) return files.stream(path);
      await options.archive.objects?.commit();
      return (await home.objects.open(object)).body;
    },
  });
  return version === undefined ? report : linkedReport(report, version);
}

function requireSameFormat(first: DecodedReport, { name, importer }: DecodedReport): void {
  if (first.importer.name === importer.name) return;
  throw new Failure("several-formats", {
    first: first.name,
    format: first.importer.name,
    file: name,
    other: importer.name,
  });
}
