import { numbersGiven } from "../../formats/store/experiments/ledger.ts";
import type { ImportChange } from "../../formats/store/experiments/ledger-import.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { touch } from "../catalogue/experiment-states.ts";
import { appendChange } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { purgeRuns, markRunsDeleted } from "../catalogue/run-states.ts";
import { dataTable, onceTable, restartRuns } from "../schema/schema.ts";
import type { IndependentImport } from "./independent-imports.ts";

/** An import as it was done, and as it is to be; null: its runs are those of another import. */
export interface RenumberedImport {
  readonly before: IndependentImport;
  readonly after: IndependentImport | null;
}

/**
 * Gives the runs of imports other numbers without reading anything again, or drops them; in one transaction. In the
 * ledger they are deleted, and imported once more. `time`: of the step before them, in microseconds since
 * 1970-01-01T00:00:00Z.
 */
export async function renumberRuns(
  engine: Engine,
  objects: Pick<Objects, "put">,
  stored: StoredExperiment,
  imports: readonly RenumberedImport[],
  time: number,
): Promise<void> {
  const runs = imports.flatMap(({ before: was }) => numbersGiven(was.change));
  const gone = imports.flatMap(({ before: was, after: is }) => (is === null ? numbersGiven(was.change) : []));
  const moves = imports.flatMap(({ before: was, after: is }) => (is === null ? [] : movesOf(was.change, is.change)));
  await engine.transaction(async () => {
    await markRunsDeleted(engine, stored, gone);
    await purgeRuns(engine, stored, gone);
    await renumber(engine, stored.id, moves);
    await restartRuns(engine, stored.id, Math.max(...runs, ...moves.map(({ to }) => to)) + 1);
    await touch(engine, stored.id, time);
    await appendChange(engine, objects, stored.id, { kind: "delete-runs", runs }, time, { aside: true });
    await appendChange(engine, objects, stored.id, { kind: "purge-runs", runs }, time, { aside: true });
    for (const { after: is } of imports) {
      if (is === null) continue;
      await touch(engine, stored.id, is.time);
      await appendChange(engine, objects, stored.id, is.change, is.time, { origin: is.origin });
    }
  });
}

interface Move {
  readonly from: number;
  readonly to: number;
}

function movesOf(was: ImportChange, is: ImportChange): Move[] {
  const [before, after] = [numbersGiven(was), numbersGiven(is)];
  return before.flatMap((from, at) => (from === after[at] ? [] : [{ from, to: after[at] as number }]));
}

/** By way of numbers that no run has, in one statement for each table: keys are never double. */
async function renumber(engine: Engine, id: number, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const cases = moves.map(({ from, to }) => `when ${from} then ${to}`).join(" ");
  const among = moves.map(({ from }) => from).join(", ");
  for (const table of [dataTable(id), onceTable(id)])
    await engine.execute(`update ${table} set run = case run ${cases} end where run in (${among})`);
  for (const [table, column] of [
    ["source", "run"],
    ["run", "number"],
  ] as const)
    await engine.execute(
      `update ${table} set ${column} = case ${column} ${cases} end where experiment = ${id} and ${column} in (${among})`,
    );
}
