import type { VersionId } from "../../core/versions/index.ts";
import type { Settings, Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ByteSource, Importer, ImportEvent } from "../../plugins/importers/importer.ts";
import { detectReportFormat, type DetectedFormat } from "../../workspace/import/index.ts";
import { optionsOf, type Registry } from "../../workspace/plugins/index.ts";
import { decompressReport } from "../../workspace/files/index.ts";
import type { DecodedInput } from "./decode.ts";
import { holdEvents, type HeldMemory } from "./held-events.ts";
import { LastNumber } from "./last-number.ts";
import { ArchivedFile, type InputFile, type ArchiveOptions, type ReadFile } from "./input-files.ts";

/** A report of which enough is read to know its variables; compression runs in parallel. */
export interface DecodedReport extends DecodedInput {
  readonly importer: Importer;
  readonly declared: readonly Variable[];
  /** Commits named in the report. */
  readonly commits: readonly string[];
}

export interface ReportDecodingOptions {
  readonly registry: Registry;
  /** Format given by the user. */
  readonly from?: string | undefined;
  /** Options of the format. */
  readonly params?: Settings | undefined;
  readonly archive: ArchiveOptions;
  /** Called once the format is known. */
  formatDetected(importer: Importer): void;
  /** Memory for the rows of all reports of the import. */
  readonly memory: HeldMemory;
  /** The rows of the last report may be read later, while the first ones are stored. */
  readonly isLast: boolean;
  /** Reopens a file that was read. */
  reopen(file: ReadFile): Promise<ByteSource>;
}

/**
 * Reads a file while hashing and compressing its bytes: completely, unless it is the last one and its importer
 * `declaresFirst`. Fails with `unknown-report-format`, and with failures of the importer.
 */
export async function decodeReport(file: InputFile, options: ReportDecodingOptions): Promise<DecodedReport> {
  const archived = new ArchivedFile(file, undefined, options.archive);
  try {
    const { head, source } = await decompressReport(archived.source(), file.path);
    const { importer, otherFormat } = await detectReportFormat(options.registry, options.from, file.path, head);
    const values = optionsOf(importer, options.params ?? new Map());
    options.formatDetected(importer);
    const held = await holdEvents(watched(importer, source, file.path, values), {
      memory: options.memory,
      declaresFirst: importer.declaresFirst === true,
      mayPause: options.isLast,
    });
    if (!held.isPaused) await archived.measured();
    const again = async function* (): AsyncGenerator<ImportEvent> {
      const read = await archived.finish();
      yield* watched(
        importer,
        (await decompressReport(await options.reopen(read), file.path)).source,
        file.path,
        values,
      );
    };
    const { declared, commits } = held;
    const warning = otherFormat === undefined ? [] : [otherFormatNotice(importer, otherFormat)];
    return {
      name: file.path,
      ...(file.modified === undefined ? {} : { modified: file.modified }),
      importer,
      declared,
      commits,
      events: () => inOrder(warning, held.events ?? again()),
      finish: async () => [await archived.finish()],
      discard: () => archived.discard(),
    };
  } catch (error) {
    await archived.discard();
    throw error;
  }
}

/** The report with all runs linked to one commit, ignoring commits it names. */
export function linkedReport(report: DecodedReport, version: VersionId): DecodedReport {
  const linked = async function* (): AsyncGenerator<ImportEvent> {
    for await (const event of report.events()) {
      if (event.kind === "end") yield { kind: "about", commit: version };
      yield event;
    }
  };
  return { ...report, commits: [version], events: linked };
}

/** Events of a decompressed file. */
export function eventsOf(
  importer: Importer,
  source: ByteSource,
  path: string,
  options: Values,
): AsyncIterable<ImportEvent> {
  return importer.read(source, options, { experiment: { name: "", readers: [], writers: [], variables: [] }, path });
}

/** Warns about output of another program in the file, which is ignored. */
function otherFormatNotice({ name }: Importer, otherFormat: NonNullable<DetectedFormat["otherFormat"]>): ImportEvent {
  const text =
    `output of ${otherFormat.name} begins here and is ignored, since the file is read as ${name}: ` +
    `import it again with --from ${otherFormat.name}`;
  return { kind: "notice", line: otherFormat.line, text };
}

/** The events of a source, and a notice about a number at its end. */
async function* watched(
  importer: Importer,
  source: ByteSource,
  path: string,
  options: Values,
): AsyncGenerator<ImportEvent> {
  const last = new LastNumber();
  yield* eventsOf(importer, last.watch(source), path, options);
  yield* last.notices();
}

async function* inOrder(
  first: readonly ImportEvent[],
  rest: Iterable<ImportEvent> | AsyncIterable<ImportEvent>,
): AsyncGenerator<ImportEvent> {
  yield* first;
  yield* rest;
}
