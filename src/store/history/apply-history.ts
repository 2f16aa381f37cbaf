import type { Digest } from "../../core/versions/index.ts";
import { experimentById } from "../catalogue/index.ts";
import { type HistoryTools, type AppliedHistory, HistoryApplier } from "./history-applier.ts";
import { commonPrefixLength, newSharedName, type HistoryStep } from "./history-step.ts";
import { IndependentImports } from "./independent-imports.ts";
import type { LocalHistory } from "./local-history.ts";
import { renumberedImports, renumberRuns } from "./renumber-runs.ts";
import { appendChange } from "../ledger/index.ts";

/**
 * Applies the missing steps of a merged history to an experiment, in transactions of one step or several imports. If
 * others changed something before local steps, renumbers runs, or else rebuilds the experiment and then replaces the
 * existing one. Fails with StepRefused if an import cannot be read again, without losing data.
 */
export async function applyHistory(
  tools: HistoryTools,
  uid: Digest,
  steps: readonly HistoryStep[],
  local: LocalHistory | undefined,
): Promise<AppliedHistory> {
  const [only] = steps;
  if (only?.change.kind === "purge-experiment") return purge(tools, only, local);
  if (only === undefined) return { steps: 0 };
  if (local === undefined) return new HistoryApplier(tools, uid).applyAll(steps);
  const independent = new IndependentImports(tools.objects);
  const done = independent.inRunOrder(local.steps);
  const common = commonPrefixLength(done, steps);
  if (common === done.length)
    return new HistoryApplier(tools, uid, local).applyMissing(steps, new Set(done.map(({ origin }) => origin)));
  const renumbered = renumberedImports(independent, done.slice(common), steps.slice(common));
  if (common === 0 || renumbered === null) return recreate(tools, uid, steps, local);
  const stored = await experimentById(tools.engine, local.id);
  await renumberRuns(tools.engine, tools.objects, stored, renumbered, done[common - 1]?.time ?? 0);
  const applied = [...done.slice(0, common), ...renumbered.flatMap(({ after }) => after ?? [])];
  return new HistoryApplier(tools, uid, local).applyMissing(steps, new Set(applied.map(({ origin }) => origin)));
}

async function purge(
  { engine, objects }: HistoryTools,
  { origin, time }: HistoryStep,
  local?: LocalHistory,
): Promise<AppliedHistory> {
  if (local === undefined || local.steps.at(-1)?.change.kind === "purge-experiment") return { steps: 0 };
  await engine.transaction(async () => {
    await appendChange(engine, objects, local.id, { kind: "purge-experiment" }, time, { origin });
    await engine.catalogue.dropExperiment(local.id);
  });
  return { steps: 1 };
}

/** Rebuilds the experiment; the existing one stays until the new one is complete. */
async function recreate(
  tools: HistoryTools,
  uid: Digest,
  steps: readonly HistoryStep[],
  local: LocalHistory,
): Promise<AppliedHistory> {
  const { engine } = tools;
  const done = new Set(local.steps.map(({ origin }) => origin));
  const name = newSharedName(steps, done) ?? (await experimentById(engine, local.id)).experiment.name;
  const applier = new HistoryApplier(tools, uid);
  try {
    const applied = await applier.applyAll(steps);
    await engine.transaction(async () => {
      await purgeUnshared(tools, local.id, steps[0]!.time);
      await applier.rename(name, steps.at(-1)!.time);
    });
    return { ...applied, name: (await experimentById(engine, applier.id)).experiment.name };
  } catch (error) {
    const { id } = applier;
    if (id !== 0) await engine.transaction(() => purgeUnshared(tools, id, steps[0]!.time));
    throw error;
  }
}

/** Purges an experiment without sharing that, within a transaction of the caller. */
async function purgeUnshared(
  { engine, objects }: Pick<HistoryTools, "engine" | "objects">,
  id: number,
  time: number,
): Promise<void> {
  await appendChange(engine, objects, id, { kind: "purge-experiment" }, time, { aside: true });
  await engine.catalogue.dropExperiment(id);
}
