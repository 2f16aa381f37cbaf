import {
  describeExport,
  exportByRun,
  exportRows,
  type ExportOptions,
  type ExportHead,
  exportParquet,
  exportArrow,
  exportAsv,
  exportBenchmarks,
  type BenchmarkFormat,
  type RunSink,
  type MeasurementOptions,
} from "../../../commands/export/index.ts";
import { counted } from "../../../core/text/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { answerFigure, jsonRow } from "../../../core/figures/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Output } from "../../output.ts";
import { asciiExport, renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import {
  databaseOf,
  databaseOption,
  forSpreadsheetOf,
  spreadsheetOption,
  historyOptionsOf,
  historyOptions,
  runRanges,
} from "../options.ts";
import { joinOptions, joinOptionsOf } from "./join-options.ts";

/** Benchmark formats of other programs, by their names in `import`. */
const benchmarkFormats = [
  "go-bench",
  "bmf",
  "custom-smaller",
  "custom-bigger",
  "openmetrics",
] as const satisfies readonly BenchmarkFormat[];

/** Formats of rows, regardless of their runs. */
const joinFormats = ["csv", "ndjson", "parquet", "arrow"] as const;

export const exportVerb: Verb = {
  name: "export",
  summary: "export an experiment for other programs",
  details: [
    "Values are written with full precision. In csv, ndjson, parquet and arrow each row repeats the values of its run;",
    "json and ascii (the default) write them once per run. Runs also have commit, dirty, performed, created,",
    "performer, label and synopsis.",
    "",
    "go-bench (for benchstat), bmf, custom-smaller and custom-bigger (github-action-benchmark), openmetrics and asv (a",
    "folder, given by -o) are formats of other programs: results in base units, named by --benchmark and the",
    "parameters. Except for go-bench and asv, the last run of each benchmark is written.",
    "",
    "Examples: perfkeep export b_eff_io commit S_chunk B_write --where op=write -o write.csv",
    "          perfkeep export go-bench --format go-bench -o new.txt && benchstat old.txt new.txt",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "name of the experiment" },
    { name: "[variables...]", synopsis: "variables to export (default: all)" },
  ],
  options: [
    {
      flags: "-r, --run <numbers>",
      synopsis: "only these runs: numbers, ranges such as 4-7, and labels",
      repeat: true,
    },
    { flags: "-c, --commit <rev>", synopsis: "only runs of this commit or range a..b", repeat: true },
    ...historyOptions,
    {
      flags: "-w, --where <condition>",
      synopsis: "only rows that match; several conditions are combined with `and`",
      repeat: true,
    },
    ...joinOptions,
    { flags: "--deleted", synopsis: "include deleted runs" },
    {
      flags: "--benchmark <variable>",
      synopsis: "go-bench, bmf, …: variable that names the benchmark (default: benchmark, else the first text)",
    },
    { flags: "--describe", synopsis: "ascii: print an input description for this export instead of the export" },
    spreadsheetOption,
    databaseOption,
  ],
  formats: ["csv", "json", "ndjson", "parquet", "arrow", ...benchmarkFormats, "asv", "ascii"],
  async run(session, args) {
    const { format, output, workspace } = session;
    const options = { ...optionsOf(args), note: (text: string) => output.note(text) };
    if (options.join !== undefined && !joinFormats.some((each) => each === format))
      throw new Failure("unusable-combination", {
        what: `--join for ${format === "text" ? "ascii" : format}`,
        instead: `give --format ${joinFormats.join(", ")}, or use perfkeep query`,
      });
    const forSpreadsheet = forSpreadsheetOf(args, format);
    if (args.flag("describe") && format !== "ascii" && format !== "text")
      throw new Failure("unusable-combination", { what: `--describe for ${format}`, instead: "give --format ascii" });
    const known = benchmarkFormats.find((each) => each === format);
    const benchmark = args.text("benchmark");
    const measured: MeasurementOptions = { ...options, ...(benchmark === undefined ? {} : { benchmark }) };
    if (benchmark !== undefined && known === undefined && format !== "asv")
      throw new Failure("unusable-combination", {
        what: `--benchmark for ${format}`,
        instead: "give --format go-bench, bmf, …",
      });
    if (args.flag("describe")) output.data(await describeExport(workspace, options));
    else if (format === "csv") await exportCsv(session, options, forSpreadsheet);
    else if (format === "parquet") await exportParquetFile(session, options);
    else if (format === "arrow") await exportArrowFile(session, options);
    else if (known !== undefined) {
      const without = await exportBenchmarks(workspace, measured, known, (text) => output.data(text));
      if (without.length > 0)
        output.note(`skipped, direction unknown: ${without.join(", ")}; name these variables to export them anyway`);
    } else if (format === "asv") await exportAsvFolder(session, measured);
    else if (format === "ndjson") await exportRows(workspace, options, (table) => output.data(linesOf(table)));
    else
      await exportByRun(workspace, options, (head) =>
        format === "json" ? jsonExport(output, head) : asciiExport(output, head),
      );
    return 0;
  },
};

function optionsOf(args: Arguments): ExportOptions {
  const commits = args.texts("commit");
  const runs = runRanges(args);
  return {
    experiment: args.operand(0),
    variables: args.rest(1),
    where: args.texts("where"),
    deleted: args.flag("deleted"),
    ...(commits.length === 0 ? {} : { commits }),
    ...(runs.length === 0 ? {} : { runs }),
    ...joinOptionsOf(args),
    ...historyOptionsOf(args),
    ...databaseOf(args),
  };
}

async function exportCsv(session: Session, options: ExportOptions, forSpreadsheet: boolean): Promise<void> {
  let isFirst = true;
  const values = new Map([["for-spreadsheet", forSpreadsheet]]);
  await exportRows(session.workspace, options, async (table) => {
    for (let from = 0; isFirst || from < table.length; from += rowsPerFigure) {
      const figure = answerFigure(table, "exact", from, Math.min(table.length, from + rowsPerFigure));
      const text = String(await renderFigure(session, figure, "csv", { values }));
      session.output.data(isFirst ? text : text.slice(text.indexOf("\r\n") + 2));
      isFirst = false;
    }
  });
}

/** Few enough that their texts are garbage before they are old, which makes collecting it cheap. */
const rowsPerFigure = 4096;

async function exportParquetFile({ output, workspace }: Session, options: ExportOptions): Promise<void> {
  if (output.toTerminal)
    throw new Failure("unusable-combination", {
      what: "Parquet is binary and cannot be printed on a terminal",
      instead: "give -o FILE.parquet",
    });
  await exportParquet(workspace, options, (bytes) => output.data(bytes));
}

async function exportArrowFile({ output, workspace }: Session, options: ExportOptions): Promise<void> {
  if (output.toTerminal)
    throw new Failure("unusable-combination", {
      what: "Arrow is binary and cannot be printed on a terminal",
      instead: "give -o FILE.arrow",
    });
  await exportArrow(workspace, options, (bytes) => output.data(bytes));
}

async function exportAsvFolder({ output, workspace }: Session, options: MeasurementOptions): Promise<void> {
  const { file: folder } = output.options;
  if (folder === undefined)
    throw new Failure("unusable-combination", {
      what: "asv results are written to a folder, and none is given",
      instead: "give -o FOLDER",
    });
  const { files, without } = await exportAsv(workspace, options);
  for (const { path, text } of files) output.saveBelow(folder, path, text);
  output.note(`${counted(files.length, "file")} written`);
  if (without.length > 0) output.note(`skipped runs without a commit: ${without.join(", ")}`);
}

function linesOf(table: Table): string {
  const names = table.variables.map(({ name }) => name);
  const line = (row: number): string => {
    const values = jsonRow(table, row);
    return JSON.stringify(Object.fromEntries(names.map((name, i) => [name, values[i]])));
  };
  return Array.from({ length: table.length }, (_, row) => `${line(row)}\n`).join("");
}

/** One document: each run with its values by name and its rows. */
function jsonExport(output: Output, { experiment, once, rows }: ExportHead): RunSink {
  let isFirstRun = true;
  let isFirstRow = true;
  const print = (text: string): void => output.data(text);
  return {
    open(table: Table, row: number): void {
      const [run, ...values] = jsonRow(table, row);
      const named = Object.fromEntries(once.map(({ name }, i) => [name, values[i] ?? null]));
      if (isFirstRun) print(headOf(experiment.name, once, rows));
      print(`${isFirstRun ? "\n" : ",\n"}{"run":${JSON.stringify(run)},"once":${JSON.stringify(named)},"rows":[`);
      [isFirstRun, isFirstRow] = [false, true];
    },
    rows(table: Table, from: number, to: number): void {
      const lines = Array.from({ length: to - from }, (_, i) => JSON.stringify(jsonRow(table, from + i).slice(1)));
      print(`${isFirstRow ? "\n" : ",\n"}${lines.join(",\n")}`);
      isFirstRow = false;
    },
    close: () => print("]}"),
    end(): void {
      if (!isFirstRun) print("\n]}\n");
    },
  };
}

function headOf(experiment: string, once: readonly Variable[], rows: readonly Variable[]): string {
  const columnsOf = (variables: readonly Variable[]): string =>
    JSON.stringify(
      variables.map(({ name, role, type, unit, better, synopsis }) => ({
        name,
        role,
        type,
        unit: formatUnit(unit),
        better,
        synopsis,
      })),
    );
  const head = { schema: "perfkeep.export/1", experiment };
  return `${JSON.stringify(head).slice(0, -1)},"once":${columnsOf(once)},"columns":${columnsOf(rows)},"runs":[`;
}
