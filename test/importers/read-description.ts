import { isFailure } from "../../src/core/failures/failure.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Values } from "../../src/core/values/value.ts";
import { parseExperiment } from "../../src/formats/descriptions/experiment/experiment.ts";
import { parseInput } from "../../src/formats/descriptions/input/input.ts";
import type { ImportEvent } from "../../src/plugins/importers/importer.ts";
import { description } from "../../src/plugins/importers/description/description.ts";

const experiment = parseExperiment(
  `*experiment e
*parameter S int Byte
*parameter op string
*parameter np int
*parameter host string once
*parameter note text once
*parameter when timestamp once
*result T float us
*result B float MByte/s
*result total float s once
`,
  "e.exp",
);

export async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
}

export interface Read {
  names: string[];
  runs: { once: Record<string, unknown>; rows: unknown[][] }[];
  notices: string[];
}

export async function eventsOf(
  input: string,
  data: string | Uint8Array,
  fixed: Values = new Map(),
  size = 1 << 16,
  target = experiment,
): Promise<ImportEvent[]> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const guide = { experiment: target, description: parseInput(input, "in"), fixed };
  const events: ImportEvent[] = [];
  for await (const event of description.read(chunks(bytes, size), new Map(), guide)) events.push(event);
  return events;
}

export function summary(events: readonly ImportEvent[]): Read {
  const read: Read = { names: [], runs: [], notices: [] };
  let run: Read["runs"][number] = { once: {}, rows: [] };
  for (const event of events) {
    if (event.kind === "notice") read.notices.push(`${event.line}: ${event.text}`);
    if (event.kind === "once") run.once = { ...run.once, ...Object.fromEntries(event.values) };
    if (event.kind === "rows") {
      read.names = event.table.variables.map((variable) => variable.name);
      run.rows.push(...rowsOf(event.table));
    }
    if (event.kind !== "end") continue;
    read.runs.push(run);
    run = { once: {}, rows: [] };
  }
  return read;
}

export const readText = async (input: string, data: string | Uint8Array, fixed?: Values): Promise<Read> =>
  summary(await eventsOf(input, data, fixed));
export const rows = async (input: string, data: string | Uint8Array): Promise<unknown[][]> =>
  (await readText(input, data)).runs.flatMap((run) => run.rows);

/** The same for another experiment, described by `text`. */
export const readWith = async (text: string, input: string, data: string): Promise<Read> =>
  summary(await eventsOf(input, data, undefined, undefined, parseExperiment(text, "e.exp")));
export const rowsWith = async (text: string, input: string, data: string): Promise<unknown[][]> =>
  (await readWith(text, input, data)).runs.flatMap((run) => run.rows);

export async function failure(
  input: string,
  data: string | Uint8Array,
  fixed?: Values,
  text?: string,
): Promise<string> {
  try {
    await eventsOf(input, data, fixed, undefined, text === undefined ? experiment : parseExperiment(text, "e.exp"));
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
  return "no failure";
}
