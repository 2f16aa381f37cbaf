import { type ImportChange, numbersGiven } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { type StoredExperiment, touch, purgeRuns, markRunsDeleted } from "../catalogue/index.ts";
import type { HistoryStep } from "./history-step.ts";
import type { IndependentImport, IndependentImports } from "./independent-imports.ts";
import { appendChange } from "../ledger/index.ts";
import type { Objects } from "../objects/index.ts";
import { dataTable, onceTable } from "../schema/index.ts";

/** An import before and after renumbering; null if another import provides its runs. */
export interface RenumberedImport {
  readonly before: IndependentImport;
  readonly after: IndependentImport | null;
}

/**
 * Renumbers or drops the runs of imports in one transaction, without reading files. The ledger records a deletion and a
 * new import. `time`: of the previous step, in microseconds since 1970-01-01T00:00:00Z.
 */
export async function renumberRuns(
  engine: Engine,
  objects: Pick<Objects, "put">,
  stored: StoredExperiment,
  imports: readonly RenumberedImport[],
  time: number,
): Promise<void> {
  const runs = imports.flatMap(({ before }) => numbersGiven(before.change));
  const dropped = imports.flatMap(({ before, after }) => (after === null ? numbersGiven(before.change) : []));
  const moves = imports.flatMap(({ before, after }) => (after === null ? [] : movesOf(before.change, after.change)));
  await engine.transaction(async () => {
    await markRunsDeleted(engine, stored, dropped);
    await purgeRuns(engine, stored, dropped);
    await renumber(engine, stored.id, moves);
    await engine.catalogue.restartRuns(stored.id, Math.max(...runs, ...moves.map(({ to }) => to)) + 1);
    await touch(engine, stored.id, time);
    await appendChange(engine, objects, stored.id, { kind: "delete-runs", runs }, time, { aside: true });
    await appendChange(engine, objects, stored.id, { kind: "purge-runs", runs }, time, { aside: true });
    for (const { after } of imports) {
      if (after === null) continue;
      await touch(engine, stored.id, after.time);
      await appendChange(engine, objects, stored.id, after.change, after.time, { origin: after.origin });
    }
  });
}

interface Move {
  readonly from: number;
  readonly to: number;
}

function movesOf(earlier: ImportChange, later: ImportChange): Move[] {
  const [before, after] = [numbersGiven(earlier), numbersGiven(later)];
  return before.flatMap((from, at) => (from === after[at] ? [] : [{ from, to: after[at] as number }]));
}

/** Renumbers runs with one statement per table, so that keys never collide. */
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
      `update ${table} set ${column} = case ${column} ${cases} end
       where experiment = ${id} and ${column} in (${among})`,
    );
}

/** How to renumber the imports in `done` if only imports precede them; null if more than run numbers would change. */
export function renumberedImports(
  independent: IndependentImports,
  done: readonly HistoryStep[],
  steps: readonly HistoryStep[],
): RenumberedImport[] | null {
  const end = steps.findIndex((step) => !independent.has(step));
  const expected = new Map((end < 0 ? steps : steps.slice(0, end)).map((step) => [step.origin, step]));
  const later = new Set(end < 0 ? [] : steps.slice(end).map(({ origin }) => origin));
  const moved: RenumberedImport[] = [];
  for (const before of done) {
    const after = expected.get(before.origin) ?? null;
    if (!independent.has(before) || later.has(before.origin)) return null;
    if (after !== null && (!independent.has(after) || !isSameImport(before, after))) return null;
    moved.push({ before, after });
  }
  return moved;
}

/** Whether two imports differ in run numbers only. */
function isSameImport(a: IndependentImport, b: IndependentImport): boolean {
  return a.change.runs.length === b.change.runs.length && a.change.inputs.length === b.change.inputs.length;
}

/** A run whose number has changed. */
export interface RenumberedRun {
  readonly before: number;
  /** Absent if another run of the same file replaces it. */
  readonly after?: number;
}

export function renumberedRuns(before: readonly HistoryStep[], after: readonly HistoryStep[]): RenumberedRun[] {
  if (after[0]?.change.kind === "purge-experiment") return [];
  const [earlier, later] = [numbersByRun(before), numbersByRun(after)];
  return [...earlier].flatMap(([run, number]): RenumberedRun[] => {
    const now = later.get(run);
    if (now === number) return [];
    return [now === undefined ? { before: number } : { before: number, after: now }];
  });
}

function numbersByRun(steps: readonly HistoryStep[]): Map<string, number> {
  return new Map(
    steps.flatMap(({ origin, change }) =>
      change.kind === "import"
        ? change.runs.map(({ number, was = number }) => [`${origin} ${was}`, number] as const)
        : [],
    ),
  );
}
