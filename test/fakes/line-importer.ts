import { Failure } from "../../src/core/failures/failure.ts";
import { tableOf } from "../../src/core/tables/table-builder.ts";
import { rowsOf, type Table } from "../../src/core/tables/table.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import type { ImportEvent, Importer, RowsUpdate } from "../../src/plugins/importers/importer.ts";

const size: Variable = { name: "S_size", role: "parameter", occurrence: "multiple", type: "integer" };
const latency: Variable = { name: "T_lat", role: "result", occurrence: "multiple", type: "float" };

/** Reads lines `SIZE LATENCY`, `run` between runs, `proc N`, and fails at `bad`. */
export const lineImporter: Importer = {
  kind: "importer",
  name: "description",
  synopsis: "for the tests",
  options: [],
  sniff: () => 0,
  async *read(first, _, { companionInputs = [] }): AsyncIterable<ImportEvent> {
    let text = "";
    for (const source of [first, ...companionInputs.map((each) => each.source)])
      for await (const chunk of source) text += new TextDecoder().decode(chunk);
    for (const line of text.split("\n").filter((each) => each !== "")) yield eventOf(line);
    yield { kind: "end" };
  },
};

function eventOf(line: string): ImportEvent {
  if (line === "run") return { kind: "end" };
  if (line === "bad") throw new Failure("nothing-found", { lines: 1 });
  if (line.startsWith("#")) return { kind: "notice", line: 1, text: line };
  if (line.startsWith("proc ")) return { kind: "once", values: new Map([["n_proc", Number(line.slice(5))]]) };
  const [left, right] = line.split(" ").map(Number);
  if (right === undefined) return { kind: "once", values: new Map([["S_size", left ?? 0]]) };
  return { kind: "rows", table: tableOf([latency, size], [[right, left ?? 0]]) };
}

/** A preview that records its calls. */
export function recordingPreview() {
  const received: unknown[] = [];
  return {
    received,
    begin: async () => void received.push("begin"),
    rows: async (table: Table) => void received.push(rowsOf(table)),
    update: async (table: Table, { keys }: RowsUpdate) => void received.push([keys, rowsOf(table)]),
    end: async (once: Table) => void received.push([once.variables.map((each) => each.name), rowsOf(once)]),
  };
}
