import { mostVariables, type BenchmarkReport } from "../../core/measurements/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { collectBytes } from "../../formats/bytes/index.ts";
import { reportBytes } from "../../formats/benchmarks/index.ts";
import type { Importer, ImportEvent } from "./importer.ts";
import { reportEvents } from "./report-events.ts";

/** A format whose files are complete reports. */
export type ReportFormat = AnyReportFormat & (BufferedReports | StreamedReports);

interface AnyReportFormat {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The program and the version or option that writes it. */
  readonly synopsis: string;
  readonly marks: string;
  readonly options?: readonly Variable[];
  /** Confidence, 0..1, that these first bytes (at most 64 KiB) are its format; ignores file names. */
  sniff(head: Uint8Array): number;
}

interface BufferedReports {
  /**
   * The runs of a file. Fails with `damaged-report`, `not-json` and others, for any bytes. A file without results
   * gives no reports, or empty ones.
   */
  reports(bytes: Uint8Array, file: string, options: ReadonlyMap<string, unknown>): readonly BenchmarkReport[];
}

interface StreamedReports {
  /** The same from a stream. */
  reportsFrom(source: AsyncIterable<Uint8Array>, file: string): Promise<readonly BenchmarkReport[]>;
}

/**
 * Makes an importer of a format that is read completely before its runs are known: memory grows with the file. Fails
 * with `no-results` for a file without results.
 */
export function reportImporter(format: ReportFormat): Importer {
  const { name, aliases, synopsis, marks, options = [], sniff } = format;
  return Object.freeze<Importer>({
    kind: "importer",
    name,
    ...(aliases === undefined ? {} : { aliases }),
    synopsis,
    marks,
    options,
    sniff: (head) => sniff("reports" in format ? reportBytes(head) : head),
    async *read(source, values, { path = "-" }): AsyncGenerator<ImportEvent> {
      const reports =
        "reports" in format
          ? format.reports(reportBytes(await collectBytes(source)), path, values)
          : await format.reportsFrom(source, path);
      const found = reports.filter(({ results }) => results.length > 0);
      if (found.length === 0) throw new Failure("no-results", { file: path, format: name });
      for (const report of found) {
        refuseTooWide(report, path);
        yield* reportEvents(report);
      }
    },
  });
}

/**
 * Bounds the number of columns: every result has a cell in each, so a file with a new column per line would take
 * quadratic memory.
 */
function refuseTooWide({ metrics, results, facts }: BenchmarkReport, file: string): void {
  const names = new Set<string>();
  for (const { parameters } of results) for (const name of parameters?.keys() ?? []) names.add(name);
  const variables = metrics.length + names.size + (facts?.size ?? 0);
  if (variables <= mostVariables) return;
  const problem = `it has ${variables} different parameters and quantities; the limit is ${mostVariables}`;
  throw new Failure("damaged-report", { file, problem });
}
