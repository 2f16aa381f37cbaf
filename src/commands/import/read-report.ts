import type { VersionId } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure } from "../../core/failures/failure.ts";
import { castTable, castValues } from "../../core/tables/cast-table.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Table } from "../../core/tables/table.ts";
import type { Values } from "../../core/values/value.ts";
import type { ByteSource, Importer, ImportEvent } from "../../plugins/importers/importer.ts";
import { assembleRuns } from "../../workspace/import/assemble-runs.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import type { Registry } from "../../workspace/plugins/registry.ts";
import { detectReportFormat, type DetectedFormat } from "../../workspace/import/detect-format.ts";
import { decompress } from "../../workspace/files/compression.ts";
import { PassingFile, type InputFile, type PassingOptions, type ReadFile } from "./input-files.ts";
import type { ImportStep } from "./read-runs.ts";

/**
 * So many bytes of rows are held until the experiment is known; a file with more of them is read a second time instead.
 */
const mostBytes = 2 ** 28;

/** A file that was read, with what its format knows of it. */
export interface ReadReport {
  readonly file: ReadFile;
  readonly importer: Importer;
  readonly declared: readonly Variable[];
  /** Commits that it names. */
  readonly commits: readonly string[];
  events(): AsyncIterable<ImportEvent>;
  /** The bytes of the file are kept, durably, once it returns: they are packed beside all other work. */
  kept(): Promise<void>;
  /** Lets go of everything; what was not kept by now is not kept at all. */
  discard(): Promise<void>;
}

export interface ReportReadingOptions {
  readonly registry: Registry;
  /** The format, where the user names it. */
  readonly from?: string | undefined;
  /** Options of the format. */
  readonly params?: Settings | undefined;
  readonly passing: PassingOptions;
  /** Told as soon as the format is known. */
  recognised(importer: Importer): void;
  /** The bytes of a file that was read. */
  reopen(file: ReadFile): Promise<ByteSource>;
}

/**
 * Reads a file to its end, while its bytes are measured and packed. Fails with `unknown-report-format`, and with what
 * the importer refuses.
 */
export async function readReport(file: InputFile, options: ReportReadingOptions): Promise<ReadReport> {
  const passing = new PassingFile(file, undefined, options.passing);
  try {
    const { head, source } = await decompress(passing.source(), file.path);
    const { importer, otherFormat: beside } = await detectReportFormat(options.registry, options.from, file.path, head);
    const values = optionsOf(importer, options.params ?? new Map());
    options.recognised(importer);
    const held = await heldEvents(importer, source, file.path, values);
    const read = await passing.measured();
    const again = async function* (): AsyncGenerator<ImportEvent> {
      await passing.kept();
      yield* eventsOf(importer, (await decompress(await options.reopen(read), file.path)).source, file.path, values);
    };
    const { declared, commits } = held;
    const notices = beside === undefined ? [] : [besideNotice(importer, beside)];
    const events = (): AsyncIterable<ImportEvent> => noticed(notices, held.events ? inOrder(held.events) : again());
    return {
      file: read,
      importer,
      declared,
      commits,
      events,
      kept: () => passing.kept(),
      discard: () => passing.discard(),
    };
  } catch (error) {
    await passing.discard();
    throw error;
  }
}

/** The same with all its runs at one version, whatever it says of commits. */
export function linkedReport(report: ReadReport, version: VersionId): ReadReport {
  const linked = async function* (): AsyncGenerator<ImportEvent> {
    for await (const event of report.events()) {
      if (event.kind === "end") yield { kind: "about", commit: version };
      yield event;
    }
  };
  return { ...report, commits: [version], events: linked };
}

/**
 * The runs of reports as an experiment that has all their variables takes them; `fixed` contents win over the reports.
 */
export async function* reportSteps(
  reports: readonly Pick<ReadReport, "file" | "events" | "kept">[],
  experiment: Experiment,
  fixed: Values,
  notice: (file: string, line: number, text: string) => void,
): AsyncGenerator<ImportStep> {
  for (const { file, events, kept } of reports) {
    const { path, modified } = file;
    try {
      yield { kind: "reading", ...(modified === undefined ? {} : { modified }) };
      yield* assembleRuns(recast(events(), experiment), experiment, {
        fixed,
        rows: "refuse",
        complete: async (once, missing) => completed(once, missing),
        notice: (line, text) => notice(path, line, text),
      });
      await kept();
      yield { kind: "read", files: [file] };
    } catch (error) {
      throw error instanceof Failure ? error.at(path) : error;
    }
  }
}

/** All events of one file, from unpacked bytes. */
export function eventsOf(
  importer: Importer,
  source: ByteSource,
  path: string,
  options: Values,
): AsyncIterable<ImportEvent> {
  return importer.read(source, options, { experiment: { name: "", readers: [], writers: [], variables: [] }, path });
}

/** Results must not get lost in silence. */
function besideNotice({ name }: Importer, beside: NonNullable<DetectedFormat["otherFormat"]>): ImportEvent {
  const text = `here begins what ${beside.name} knows, and only what ${name} knows is read of this file: import it again with --from ${beside.name}`;
  return { kind: "notice", line: beside.line, text };
}

async function* noticed(
  notices: readonly ImportEvent[],
  events: AsyncIterable<ImportEvent>,
): AsyncGenerator<ImportEvent> {
  yield* notices;
  yield* events;
}

interface HeldEvents extends Pick<ReadReport, "declared" | "commits"> {
  /** Absent: there were too many. */
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
    if (held.bytes > mostBytes) events = undefined;
    events?.push(event);
  }
  return { declared, commits, ...(events ? { events } : {}) };
}

/** What tables weigh, which may share what they hold. */
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

/** Numbers where the experiment has texts, and the like. */
async function* recast(events: AsyncIterable<ImportEvent>, { variables }: Experiment): AsyncGenerator<ImportEvent> {
  const declared: Variable[] = [];
  for await (const event of events) {
    if (event.kind === "declare") declared.push(...event.variables);
    if (event.kind === "rows") yield { ...event, table: castTable(event.table, variables) };
    else if (event.kind === "once") yield { ...event, values: castValues(event.values, declared, variables) };
    else yield event;
  }
}

/** Variables of the experiment that no report knows take their default. */
function completed(once: Values, missing: readonly Variable[]): Values {
  const lacking = missing.find((variable) => variable.default === undefined);
  if (lacking !== undefined) throw new Failure("missing-content", { variable: lacking.name, occurrence: "once" });
  return once;
}
