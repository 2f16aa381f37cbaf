import { isFailure } from "../../src/core/failures/failure.ts";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import { parseInputXml } from "../../src/formats/descriptions/input/input-xml.ts";
import type { ImportGuide } from "../../src/plugins/importers/importer.ts";
import { description } from "../../src/plugins/importers/description/description.ts";

const once = (name: string, type: Variable["type"], more: Partial<Variable> = {}): Variable => ({
  name,
  role: "parameter",
  occurrence: "once",
  type,
  ...more,
});
const multiple = (name: string, type: Variable["type"], more: Partial<Variable> = {}): Variable => ({
  ...once(name, type, more),
  occurrence: "multiple",
});

export const experiment: Experiment = {
  name: "e",
  readers: [],
  writers: [],
  variables: [
    once("host", "string", { longest: 20 }),
    once("fs", "string", { valid: ["ufs", "nfs"] }),
    once("n", "integer", { size: 4 }),
    once("hits", "integer"),
    once("load", "float"),
    once("ok", "boolean"),
    once("note", "text"),
    once("day", "date"),
    once("release", "version"),
    multiple("size", "integer", { size: 4 }),
    multiple("op", "string"),
    multiple("seen", "boolean"),
    multiple("t", "float"),
    multiple("u", "float", { default: -1 }),
  ],
};

interface Read {
  once: Record<string, Value>[];
  rows: Record<string, unknown>[];
  runs: number;
  notices: string[];
  updates: unknown[];
}

/** One chunk per text. */
export async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

export const locations = (xml: string): NonNullable<ImportGuide["description"]> =>
  parseInputXml(`<input>${xml}</input>`, "in.xml");

export async function read(xml: string, text: string | string[], more: Partial<ImportGuide> = {}): Promise<Read> {
  const result: Read = { once: [], rows: [], runs: 0, notices: [], updates: [] };
  for await (const event of description.read(bytesOf(...[text].flat()), new Map(), {
    experiment,
    description: locations(xml),
    ...more,
  })) {
    if (event.kind === "once") result.once.push(Object.fromEntries(event.values));
    if (event.kind === "end") result.runs += 1;
    if (event.kind === "notice") result.notices.push(`${event.line}: ${event.text}`);
    if (event.kind !== "rows") continue;
    if (event.update) result.updates.push(event.update);
    const names = event.table.variables.map(({ name }) => name);
    for (const row of rowsOf(event.table))
      result.rows.push(Object.fromEntries(names.map((name, at) => [name, row[at]])));
  }
  return result;
}

export async function failure(xml: string, text: string, more: Partial<ImportGuide> = {}): Promise<string> {
  try {
    await read(xml, text, more);
  } catch (error) {
    if (isFailure(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "no failure";
}

export const onceValues = async (xml: string, text: string): Promise<Record<string, Value> | undefined> =>
  (await read(xml, text)).once[0];
export const rows = async (xml: string, text: string): Promise<unknown[][]> =>
  (await read(xml, text)).rows.map((row) => Object.values(row));

export const named = (name: string, marks: string, attributes = ""): string =>
  `<named_location ${attributes}><name>${name}</name>${marks}</named_location>`;
export const column = (name: string, more = "", attributes = ""): string =>
  `<tabular_value ${attributes}><name>${name}</name>${more}</tabular_value>`;
export const table = (inner: string, attributes = ""): string =>
  `<tabular_location ${attributes}>${inner}</tabular_location>`;
export const sizes = table(`<match># size</match><skip>1</skip>${column("size")}${column("t")}`);
