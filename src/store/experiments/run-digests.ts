import { createHash, type Hash } from "node:crypto";
import type { Column, Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { encodeRows } from "../../formats/store/experiments/dump-rows.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { ownColumns, ownVariables } from "../dump/dump-members.ts";
import { ordinalSpans } from "../export/export-runs.ts";
import { exportSlices } from "../export/export-slices.ts";
import { RowBudget } from "../export/row-budget.ts";
import { dataTable, onceTable } from "../schema/schema.ts";
import { versionOfKey } from "../schema/version-key.ts";

/** Which contents of a run count. */
export interface DigestedValues {
  /** Variables of the experiment, the same objects. */
  readonly variables: readonly Variable[];
  /** Data sets count, be it only how many there are. */
  readonly dataSets: boolean;
}

/** SHA-256 by number of run over these contents: the same in whatever database they are. */
export async function runDigests(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
  contents: DigestedValues,
): Promise<Map<number, string>> {
  const digests = new Map(runs.map((run) => [String(run), createHash("sha256")]));
  const { experiment, variableIds } = stored;
  const nameAt = (at: number): string => experiment.variables[at]?.name ?? "";
  const places = experiment.variables.flatMap((variable, at) => (contents.variables.includes(variable) ? [at] : []));
  places.sort((a, b) => (nameAt(a) < nameAt(b) ? -1 : 1));
  const part: StoredExperiment = {
    ...stored,
    experiment: { ...experiment, variables: places.flatMap((at) => experiment.variables[at] ?? []) },
    variableIds: places.flatMap((at) => variableIds[at] ?? []),
  };
  await addRows(engine, part, "once", runs, digests);
  if (contents.dataSets) await addRows(engine, part, "data", runs, digests);
  return new Map([...digests].map(([run, hash]) => [Number(run), hash.digest("hex")]));
}

async function addRows(
  engine: Engine,
  part: StoredExperiment,
  table: "once" | "data",
  runs: readonly number[],
  digests: ReadonlyMap<string, Hash>,
): Promise<void> {
  const variables = ownVariables(part, table);
  const from = `select ${ownColumns(part, table).join(", ")} from ${table === "once" ? onceTable(part.id) : dataTable(part.id)}`;
  for (const hash of digests.values()) hash.update(`${table}\n`);
  const spans = table === "once" ? new Map() : await ordinalSpans(engine, part);
  const budget = new RowBudget();
  for (const { runs: some, ordinals } of exportSlices(runs, spans, () => budget.rows)) {
    const within = ordinals === undefined ? "" : ` and ordinal between ${ordinals.first} and ${ordinals.last}`;
    const order = table === "once" ? "run" : "run, ordinal";
    const { columns, length } = await engine.query(
      `${from} where run in (${some.join(", ")})${within} order by ${order}`,
    );
    const plain = columns.map((column, at) => plainColumn(column, variables[at] as Variable));
    budget.record(length, addLines({ variables, columns: plain, length }, some, digests));
  }
}

/**
 * A row is a line that begins with the number of its run. Lines of one run alone need not be looked at. Answers how
 * many bytes they are.
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
