import type { VersionId } from "../../core/versions/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Settings, Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ByteSource, Importer, ImportEvent } from "../../plugins/importers/importer.ts";
import { detectReportFormat, type DetectedFormat } from "../../workspace/import/index.ts";
import { optionsOf, type Registry } from "../../workspace/plugins/index.ts";
import { decompress } from "../../workspace/files/index.ts";
import type { DecodedInput } from "./decode.ts";
import { LastNumber } from "./last-number.ts";
import { ArchivedFile, type InputFile, type ArchiveOptions, type ReadFile } from "./input-files.ts";

/** Rows held until the experiment is known, bytes; larger files are read twice. */
const maxHeldBytes = 2 ** 28;

/** A completely read report, whose events are held; compression runs in parallel. */
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
  /** Reopens a file that was read. */
  reopen(file: ReadFile): Promise<ByteSource>;
}

/**
 * Reads a complete file while hashing and compressing its bytes. Fails with `unknown-report-format`, and with failures
 * of the importer.
 */
export async function decodeReport(file: InputFile, options: ReportDecodingOptions): Promise<DecodedReport> {
  const archived = new ArchivedFile(file, undefined, options.archive);
  try {
    const { head, source } = await decompress(archived.source(), file.path);
    const { importer, otherFormat } = await detectReportFormat(options.registry, options.from, file.path, head);
    const values = optionsOf(importer, options.params ?? new Map());
    options.formatDetected(importer);
    const last = new LastNumber();
    const held = await heldEvents(importer, last.watch(source), file.path, values);
    const read = await archived.measured();
    const again = async function* (): AsyncGenerator<ImportEvent> {
      await archived.stored();
      yield* eventsOf(importer, (await decompress(await options.reopen(read), file.path)).source, file.path, values);
    };
    const { declared, commits } = held;
    const notices = [
      ...(otherFormat === undefined ? [] : [otherFormatNotice(importer, otherFormat)]),
      ...last.notices(),
    ];
    const events = (): AsyncIterable<ImportEvent> => noticed(notices, held.events ? inOrder(held.events) : again());
    const finish = async (): Promise<ReadFile[]> => {
      await archived.stored();
      return [read];
    };
    const modified = read.modified === undefined ? {} : { modified: read.modified };
    return {
      name: read.path,
      ...modified,
      importer,
      declared,
      commits,
      events,
      finish,
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

async function* noticed(
  notices: readonly ImportEvent[],
  events: AsyncIterable<ImportEvent>,
): AsyncGenerator<ImportEvent> {
  yield* notices;
  yield* events;
}

interface HeldEvents extends Pick<DecodedReport, "declared" | "commits"> {
  /** Absent if there were too many. */
  readonly events?: readonly ImportEvent[];
}

async function heldEvents(importer: Importer, source: ByteSource, path: string, options: Values): Promise<HeldEvents> {
  const declared: Variable[] = [];
  const commits: string[] = [];
  let events: ImportEvent[] | undefined = [];
  const held = new HeldBytes();
  for await (const event of eventsOf(importer, source, path, options)) {
    if (event.kind === "declare") declared.push(...event.variables);
    if (event.kind === "about" && event.commit !== undefined) commits.push(event.commit);
    if (event.kind === "rows") held.add(event.table);
    if (held.bytes > maxHeldBytes) events = undefined;
    events?.push(event);
  }
  return { declared, commits, ...(events ? { events } : {}) };
}

/** Memory size of tables, counting shared buffers once. */
class HeldBytes {
  bytes = 0;
  readonly #buffers = new Set<ArrayBufferLike>();

  add({ columns }: Table): void {
    for (const column of columns) {
      this.#hold(column.kind === "number" ? column.values : column.codes);
      if (column.kind === "number" && column.missing !== null) this.#hold(column.missing);
    }
  }

  #hold({ buffer }: ArrayBufferView): void {
    if (this.#buffers.has(buffer)) return;
    this.#buffers.add(buffer);
    this.bytes += buffer.byteLength;
  }
}

async function* inOrder(events: readonly ImportEvent[]): AsyncGenerator<ImportEvent> {
  yield* events;
}
