import { mostVariables } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import { type SourceRow, textLineLists } from "../../../formats/text/index.ts";
import type { Importer, ImportEvent } from "../importer.ts";
import { inBlocks, tableEvents, tableOptions } from "../table-events.ts";

/** Number of leading lines to sniff. */
const sniffedLines = 20;

/** Maximum depth of nested objects. */
const deepest = 5;

/**
 * One object per line; members of nested objects become columns `outer.inner`, lists are skipped. Streams row by row
 * in bounded memory.
 */
export const ndjson: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "ndjson",
  synopsis: "NDJSON (JSON lines)",
  marks: "lines that are JSON objects of strings, numbers and booleans",
  declaresFirst: true,
  options: tableOptions,
  sniff: (head) => (looksLikeLines(new TextDecoder().decode(head)) ? 0.3 : 0),
  read: (source, options, { path = "-" }) => events(source, path, options),
});

async function* events(source: AsyncIterable<Uint8Array>, file: string, options: Values): AsyncGenerator<ImportEvent> {
  const [columns, rounded] = [new Map<string, number>(), new Map<string, number>()];
  const rows = inBlocks(rowsOf(source, { columns, rounded }, file));
  for await (const event of tableEvents(rows, () => [...columns.keys()], { file, format: "ndjson", options })) {
    if (event.kind === "end") yield* roundedNotices(rounded);
    yield event;
  }
}

function* roundedNotices(rounded: ReadonlyMap<string, number>): Generator<ImportEvent> {
  for (const [name, line] of rounded)
    yield {
      kind: "notice",
      line,
      text: `'${name}' has integers beyond 2^53, which are rounded; write them as strings`,
    };
}

/** The columns by name, and the first line of those with integers that double precision does not hold. */
interface KnownColumns {
  readonly columns: Map<string, number>;
  readonly rounded: Map<string, number>;
}

/** Adds new names to the columns. */
async function* rowsOf(
  source: AsyncIterable<Uint8Array>,
  known: KnownColumns,
  file: string,
): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const lines of textLineLists(source))
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield { line, cells: cellsOf(text, known, file, line) };
    }
}

/** Fewer digits are exact. */
const longInteger = /\d{16}/;

/** Whether an integer that is written with all its digits exceeds double precision. */
function isRounded(value: string | number | boolean): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) < 1e21;
}

function cellsOf(text: string, { columns, rounded }: KnownColumns, file: string, line: number): SourceRow["cells"] {
  const mayRound = longInteger.test(text);
  const object = objectIn(text);
  if (object === undefined)
    throw new Failure("damaged-report", { file, problem: "the line is not a JSON object", line });
  const cells: SourceRow["cells"][number][] = [];
  for (const [name, value] of scalarsIn(object, "", 0)) {
    const at = columns.get(name) ?? columns.size;
    columns.set(name, at);
    if (at >= mostVariables)
      throw new Failure("damaged-report", { file, problem: `more than ${mostVariables} different members`, line });
    // JSON has no infinity: the number is too large for double precision.
    if (typeof value === "number" && !Number.isFinite(value))
      throw new Failure("damaged-report", { file, problem: `'${name.slice(0, 80)}' is a number beyond 1.8e308`, line });
    if (mayRound && isRounded(value) && !rounded.has(name)) rounded.set(name, line);
    cells[at] = value;
  }
  return Array.from(cells, (cell) => cell ?? null);
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function* scalarsIn(object: object, prefix: string, depth: number): Generator<[string, string | number | boolean]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      yield [prefix + name, value];
    else if (typeof value === "object" && value !== null && !Array.isArray(value) && depth < deepest)
      yield* scalarsIn(value, `${prefix}${name}.`, depth + 1);
  }
}

/** The last line may be truncated. */
function looksLikeLines(text: string): boolean {
  const lines = text
    .split(/\r?\n/, sniffedLines + 1)
    .slice(0, -1)
    .filter((line) => line !== "");
  return (
    lines.length > 0 &&
    lines.every(isFlatObject) &&
    lines.some((line) => Object.values(objectIn(line) ?? {}).some((value) => typeof value === "number"))
  );
}

function isFlatObject(line: string): boolean {
  const object = line.startsWith("{") ? objectIn(line) : undefined;
  return object !== undefined && Object.values(object).every((value) => typeof value !== "object" || value === null);
}
