import type { Digest } from "../../core/versions/digest.ts";
import { comparableStep, type HistoryStep } from "./history-step.ts";
import type { RenumberedImport } from "./move-runs.ts";
import type { IndependentImport, IndependentImports } from "./independent-imports.ts";

/** How many steps are the same from the beginning on. */
export function commonPrefixLength(done: readonly HistoryStep[], steps: readonly HistoryStep[]): number {
  let common = 0;
  while (
    common < done.length &&
    common < steps.length &&
    comparableStep(done[common]!) === comparableStep(steps[common]!)
  )
    common += 1;
  return common;
}

/** What becomes of imports that were done, when only imports come between; null: more than numbers would differ. */
export function renumberedImports(
  separate: IndependentImports,
  done: readonly HistoryStep[],
  steps: readonly HistoryStep[],
): RenumberedImport[] | null {
  const end = steps.findIndex((step) => !separate.has(step));
  const wanted = new Map((end < 0 ? steps : steps.slice(0, end)).map((step) => [step.origin, step]));
  const later = new Set(end < 0 ? [] : steps.slice(end).map(({ origin }) => origin));
  const moved: RenumberedImport[] = [];
  for (const was of done) {
    const is = wanted.get(was.origin) ?? null;
    if (!separate.has(was) || later.has(was.origin)) return null;
    if (is !== null && (!separate.has(is) || !isSameImport(was, is))) return null;
    moved.push({ before: was, after: is });
  }
  return moved;
}

/** But for the numbers of its runs. */
function isSameImport(was: IndependentImport, is: IndependentImport): boolean {
  return was.change.runs.length === is.change.runs.length && was.change.inputs.length === is.change.inputs.length;
}

/** What the experiment is called by all, where a step that was not done here says so; it may have another name here. */
export function newSharedName(steps: readonly HistoryStep[], done: ReadonlySet<Digest>): string | undefined {
  let [told, renamed]: (string | undefined)[] = [];
  for (const { origin, change } of steps) {
    const name: string | undefined =
      change.kind === "undelete-experiment" ? change.name : "description" in change ? change.description.name : told;
    if (told !== undefined && name !== told && !done.has(origin)) renamed = name;
    told = name;
  }
  return renamed;
}
