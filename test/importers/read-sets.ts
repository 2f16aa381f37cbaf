import { rowsOf } from "../../src/core/tables/table.ts";
import { isFailure } from "../../src/core/failures/failure.ts";
import { parseExperiment } from "../../src/formats/descriptions/experiment/experiment.ts";
import type {
  ExplicitLocation,
  InputLocation,
  NamedLocation,
  Separation,
  TableLocation,
  TableValue,
} from "../../src/formats/descriptions/input/input-description.ts";
import type { TextMark } from "../../src/formats/descriptions/input/location-parts.ts";
import { description } from "../../src/plugins/importers/description/description.ts";

const experiment = parseExperiment(
  `*experiment e
*parameter S int Byte
*parameter op string
*parameter note text
*parameter n int
*parameter hits int once
*parameter ok boolean once
*parameter fs string once
*parameter when timestamp once
*result T float us
*result B float
*result total float s once
`,
  "e.exp",
);

export const origin = { line: 1, column: 1 };
export const keyword = (text: string): TextMark => ({ kind: "keyword", text });
export const pattern = (source: string): TextMark => ({ kind: "pattern", source });
export const named = (name: string, more: Partial<NamedLocation> = {}): NamedLocation => ({
  kind: "named",
  name,
  aliases: [],
  patterns: [],
  origin,
  ...more,
});
export const value = (name: string, number: number, more: Partial<TableValue> = {}): TableValue => ({
  name,
  position: { kind: "number", number },
  repetition: 1,
  typed: false,
  origin,
  ...more,
});
export const table = (values: TableValue[], more: Partial<TableLocation> = {}): TableLocation => ({
  kind: "table",
  rows: [keyword("size")],
  start: 1,
  values,
  origin,
  ...more,
});
export const separation = (more: Partial<Separation> = {}): Separation => ({
  kind: "separation",
  mark: keyword("***"),
  run: false,
  origin,
  ...more,
});
export const explicit = (name: string, more: Partial<ExplicitLocation> = {}): ExplicitLocation => ({
  kind: "explicit",
  name,
  row: { kind: "number", number: 1 },
  position: { kind: "number", number: 1 },
  repetition: 1,
  typed: false,
  origin,
  ...more,
});

async function* pieces(data: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(data);
  for (let at = 0; at < bytes.length; at += 7) yield await Promise.resolve(bytes.slice(at, at + 7));
}

interface Run {
  readonly once: Record<string, unknown>;
  readonly rows: unknown[][];
}

export async function read(
  locations: readonly InputLocation[],
  data: string,
  path?: string,
): Promise<{ runs: Run[]; notices: string[] }> {
  const guide = {
    experiment,
    description: { file: "in", rules: "sets" as const, locations },
    ...(path === undefined ? {} : { path }),
  };
  const [runs, notices]: [Run[], string[]] = [[], []];
  let run: Run = { once: {}, rows: [] };
  for await (const event of description.read(pieces(data), new Map(), guide)) {
    if (event.kind === "notice") notices.push(`${event.line}: ${event.text}`);
    if (event.kind === "once") run = { ...run, once: { ...run.once, ...Object.fromEntries(event.values) } };
    if (event.kind === "rows") run.rows.push(...rowsOf(event.table));
    if (event.kind !== "end") continue;
    runs.push(run);
    run = { once: {}, rows: [] };
  }
  return { runs, notices };
}

export const rows = async (locations: readonly InputLocation[], data: string): Promise<unknown[][]> =>
  (await read(locations, data)).runs.flatMap((run) => run.rows);
export const once = async (locations: readonly InputLocation[], data: string, path?: string): Promise<unknown> =>
  (await read(locations, data, path)).runs[0]?.once;
export const failure = async (locations: readonly InputLocation[], data = "x"): Promise<string> => {
  try {
    await read(locations, data);
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
  return "no failure";
};
