import type { HistoryStep } from "./history-step.ts";
import type { IndependentImports } from "./independent-imports.ts";

/**
 * What imports may have together to be done in one transaction: what a kill, or a file that is refused, costs once
 * more.
 */
const maxImports = 100;
const maxBytes = 16 * 1024 * 1024;

/**
 * The steps in their order, imports that stand beside each other together: to end a transaction takes longer than a
 * small import.
 */
export function* stepBatches(
  steps: readonly HistoryStep[],
  separate: Pick<IndependentImports, "has">,
): Generator<readonly HistoryStep[]> {
  let together: HistoryStep[] = [];
  let bytes = 0;
  for (const step of steps) {
    const size = separate.has(step) ? step.change.inputs.reduce((sum, input) => sum + input.bytes, 0) : Infinity;
    if (together.length > 0 && (together.length >= maxImports || bytes + size > maxBytes)) {
      yield together;
      [together, bytes] = [[], 0];
    }
    together.push(step);
    bytes += size;
  }
  if (together.length > 0) yield together;
}
