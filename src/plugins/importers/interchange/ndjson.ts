import { Failure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import { type SourceRow, textLineLists } from "../../../formats/text/index.ts";
import type { Importer, ImportEvent } from "../importer.ts";
import { inBlocks, tableEvents, tableOptions } from "../table-events.ts";
import { ObjectRows } from "../table-objects.ts";

/** Number of leading lines to sniff. */
const sniffedLines = 20;

/**
 * One object per line; members of nested objects become columns `outer.inner`, lists of numbers samples. Streams row by
 * row in bounded memory.
 */
export const ndjson: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "ndjson",
  synopsis: "NDJSON (JSON lines)",
  marks: "lines that are JSON objects with numbers",
  declaresFirst: true,
  options: tableOptions,
  sniff: (head) => confidence(new TextDecoder().decode(head)),
  read: (source, options, { path = "-" }) => events(source, path, options),
});

async function* events(source: AsyncIterable<Uint8Array>, file: string, options: Values): AsyncGenerator<ImportEvent> {
  const objects = new ObjectRows(file);
  const rows = inBlocks(rowsOf(source, objects, file));
  for await (const event of tableEvents(rows, () => objects.headings, { file, format: "ndjson", options })) {
    if (event.kind === "end") yield* objects.notices();
    yield event;
  }
}

async function* rowsOf(
  source: AsyncIterable<Uint8Array>,
  objects: ObjectRows,
  file: string,
): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const lines of textLineLists(source))
    for (const text of lines) {
      line += 1;
      if (text.trim() === "") continue;
      const object = objectIn(text);
      if (object === undefined)
        throw new Failure("damaged-report", { file, problem: "the line is not a JSON object", line });
      yield objects.row(object, line);
    }
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last line may be truncated. Nested objects are less typical, and a single one is rather a document. */
function confidence(text: string): number {
  const lines = text
    .split(/\r?\n/, sniffedLines + 1)
    .slice(0, -1)
    .filter((line) => line !== "");
  const objects = lines.map((line) => (line.startsWith("{") ? objectIn(line) : undefined));
  if (objects.length === 0 || objects.includes(undefined)) return 0;
  const values = objects.map((object) => Object.values(object!));
  const isFlat = values.every((own) => own.every((value) => typeof value !== "object" || value === null));
  if (isFlat) return values.some((own) => own.some((value) => typeof value === "number")) ? 0.3 : 0;
  return values.length > 1 && lines.every((line) => /[:[,]\s*-?\d/.test(line)) ? 0.15 : 0;
}
