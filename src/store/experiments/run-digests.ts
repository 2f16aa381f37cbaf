import { createHash, type Hash } from "node:crypto";
import type { Column, Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { encodeRows } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { ownColumns, ownVariables } from "../dump/index.ts";
import { ordinalSpans, exportSlices, RowBudget } from "../export/index.ts";
import { dataTable, isOneOf, onceTable, versionOfKey } from "../schema/index.ts";

/** The values of a run that a digest covers. */
export interface DigestedValues {
  /** Variables of the experiment (the same objects). */
  readonly variables: readonly Variable[];
  /** Covers rows, at least their number. */
  readonly rows: boolean;
}

/** SHA-256 of these values by run number; equal in every database. */
export async function runDigests(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
  values: DigestedValues,
): Promise<Map<number, string>> {
  const digests = new Map(runs.map((run) => [String(run), createHash("sha256")]));
  const { experiment, variableIds } = stored;
  const nameAt = (at: number): string => experiment.variables[at]?.name ?? "";
  const indexes = experiment.variables.flatMap((variable, at) => (values.variables.includes(variable) ? [at] : []));
  indexes.sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1));
  const projected: StoredExperiment = {
    ...stored,
    experiment: { ...experiment, variables: indexes.flatMap((at) => experiment.variables[at] ?? []) },
    variableIds: indexes.flatMap((at) => variableIds[at] ?? []),
  };
  await addRows(engine, projected, "once", runs, digests);
  if (values.rows) await addRows(engine, projected, "data", runs, digests);
  return new Map([...digests].map(([run, hash]) => [Number(run), hash.digest("hex")]));
}

async function addRows(
  engine: Engine,
  projected: StoredExperiment,
  table: "once" | "data",
  runs: readonly number[],
  digests: ReadonlyMap<string, Hash>,
): Promise<void> {
  const variables = ownVariables(projected, table);
  const name = table === "once" ? onceTable(projected.id) : dataTable(projected.id);
  const from = `select ${ownColumns(projected, table).join(", ")} from ${name}`;
  for (const hash of digests.values()) hash.update(`${table}\n`);
  const spans = table === "once" ? new Map() : await ordinalSpans(engine, projected);
  const budget = new RowBudget();
  for (const { runs: slice, ordinals } of exportSlices(runs, spans, () => budget.rows)) {
    const within = ordinals === undefined ? "" : ` and ordinal between ${ordinals.first} and ${ordinals.last}`;
    const order = table === "once" ? "run" : "run, ordinal";
    const { columns, length } = await engine.query(`${from} where ${isOneOf("run", slice)}${within} order by ${order}`);
    const decoded = columns.map((column, at) => plainColumn(column, variables[at] as Variable));
    budget.record(length, addLines({ variables, columns: decoded, length }, slice, digests));
  }
}

/**
 * Adds rows, each a line that begins with its run number, to the digests. Lines of a single run are not parsed. Returns
 * their number of bytes.
 */
function addLines(rows: Table, runs: readonly number[], digests: ReadonlyMap<string, Hash>): number {
  const [first, ...others] = runs;
  let bytes = 0;
  for (const piece of encodeRows(rows)) {
    bytes += piece.length;
    const lines = piece.subarray(piece.indexOf(lineFeed) + 1);
    if (others.length === 0) digests.get(String(first))?.update(lines);
    else
      for (const line of new TextDecoder().decode(lines).split("\n").slice(0, -1))
        digests.get(runOf(line))?.update(`${line}\n`);
  }
  return bytes;
}

const lineFeed = 10;

function runOf(line: string): string {
  const end = line.indexOf("\t");
  return end < 0 ? line : line.slice(0, end);
}

function plainColumn(column: Column, { type }: Variable): Column {
  return type === "version" && column.kind === "text"
    ? { ...column, dictionary: column.dictionary.map(versionOfKey) }
    : column;
}
