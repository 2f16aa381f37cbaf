import { Failure } from "../../../core/failures/index.ts";
import { InvalidValue, readFloat, type Values } from "../../../core/values/index.ts";
import { csvCells, csvRows, isMissingMark, separatorOf, type SourceRow } from "../../../formats/text/index.ts";
import type { Importer, ImportEvent } from "../importer.ts";
import { tableEvents, tableOptions } from "../table-events.ts";

/** Number of leading lines to sniff. */
const sniffedLines = 20;

/** Above the limit of every table; wider inputs are refused with an exact message. */
const mostNames = 10_000;

/** CSV with commas, semicolons or tabs; the first line names the columns. Streams row by row in bounded memory. */
export const csv: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "csv",
  synopsis: "CSV with a header",
  marks: "lines with the same number of cells between commas, semicolons or tabs: names first, then numbers",
  declaresFirst: true,
  options: tableOptions,
  sniff: (head) => (looksLikeCsv(new TextDecoder().decode(head)) ? 0.2 : 0),
  read: (source, options, { path = "-" }) => events(csvRows(source, path), path, options),
});

async function* events(rows: AsyncGenerator<SourceRow[]>, file: string, options: Values): AsyncGenerator<ImportEvent> {
  const names: string[] = [];
  for await (const event of tableEvents(withoutHead(rows, names, file), () => names, {
    file,
    format: "csv",
    options,
  })) {
    if (event.kind === "end") yield* numericNames(names);
    yield event;
  }
}

/** The first line names the columns only if `--from csv` says so: else it is not detected as CSV. */
function* numericNames(names: readonly string[]): Generator<ImportEvent> {
  const numeric = names.filter((name) => isNumber(name));
  if (numeric.length === 0) return;
  const numbers = numeric.slice(0, 8).join(", ").slice(0, 80);
  yield { kind: "notice", line: 1, text: `the first line names the columns, although it has numbers: ${numbers}` };
}

/** Takes the first row as the names of the columns. Fails with `damaged-report` for a row of numbers. */
async function* withoutHead(
  rows: AsyncIterable<SourceRow[]>,
  names: string[],
  file: string,
): AsyncGenerator<SourceRow[]> {
  let hasStarted = false;
  for await (const block of rows) {
    const head: SourceRow | undefined = hasStarted ? undefined : block.shift();
    if (head?.cells.every((cell) => isNumber(String(cell ?? "")))) {
      const problem = "the first row has numbers instead of the names of the columns: add a row of names";
      throw new Failure("damaged-report", { file, problem, line: head.line });
    }
    if (head !== undefined) names.push(...head.cells.map((cell, at) => String(cell ?? `column ${at + 1}`)));
    hasStarted ||= head !== undefined;
    yield block;
  }
}

function looksLikeCsv(text: string): boolean {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, sniffedLines + 1)
    .slice(0, -1)
    .filter((line) => line !== "");
  // A cell may continue in the next line.
  const whole = lines.findIndex((line) => line.split('"').length % 2 === 0);
  const [head, ...rows] = whole < 0 ? lines : lines.slice(0, whole);
  if (head === undefined || rows.length === 0) return false;
  const separator = separatorOf(head);
  const names = csvCells(head, separator);
  if (names.length < 2 || names.length > mostNames || new Set(names).size < names.length) return false;
  if (names.some((name) => name === "" || name.length > 200 || isNumber(name) || isMissingMark(name))) return false;
  const cells = rows.map((row) => csvCells(row, separator));
  return cells.every(({ length }) => length === names.length) && cells.some((row) => row.some(isNumber));
}

function isNumber(cell: string): boolean {
  return !(readFloat(cell) instanceof InvalidValue);
}
