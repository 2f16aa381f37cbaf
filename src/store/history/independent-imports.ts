import type { HistoryStep } from "./history-step.ts";
import type { Digest } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { descriptionText, readInput } from "../../formats/descriptions/index.ts";
import type { ImportChange } from "../../formats/store/index.ts";
import type { Objects } from "../objects/index.ts";

/** An import that adds runs and changes none, so that the order among such imports does not matter. */
export interface IndependentImport extends HistoryStep {
  readonly change: ImportChange;
}

/** Detects independent imports by their input descriptions. */
export class IndependentImports {
  readonly #objects: Pick<Objects, "get">;
  readonly #known = new Map<Digest, boolean>();

  constructor(objects: Pick<Objects, "get">) {
    this.#objects = objects;
  }

  has(step: HistoryStep): step is IndependentImport {
    const { change } = step;
    if (change.kind !== "import") return false;
    return (
      change.how.from !== undefined ||
      change.inputs.every(({ description }) => description !== undefined && this.#onlyAdds(description))
    );
  }

  /** The steps, with adjacent independent imports sorted by run number. */
  inRunOrder<T extends HistoryStep>(steps: readonly T[]): T[] {
    const ordered: T[] = [];
    const block: T[] = [];
    const flush = (): void => void ordered.push(...block.splice(0).sort((a, b) => firstRun(a) - firstRun(b)));
    for (const step of steps) {
      if (this.has(step)) block.push(step);
      else {
        flush();
        ordered.push(step);
      }
    }
    flush();
    return ordered;
  }

  #onlyAdds(description: Digest): boolean {
    const known = this.#known.get(description) ?? this.#isAdding(description);
    this.#known.set(description, known);
    return known;
  }

  /** An unreadable description counts as changing runs. */
  #isAdding(description: Digest): boolean {
    try {
      return !changesRuns(this.#objects.get(description).body, description);
    } catch (error) {
      if (!isFailure(error)) throw error;
      return false;
    }
  }
}

function firstRun({ change }: HistoryStep): number {
  return change.kind === "import" ? (change.runs[0]?.number ?? 0) : 0;
}

function changesRuns(bytes: Uint8Array, description: Digest): boolean {
  const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
  return JSON.stringify(readInput(descriptionText(bytes, description), description), plain).includes('"update":');
}

/** Limits of the imports in one transaction, which is repeated after a kill or a refused file. */
const maxImports = 100;
const maxBytes = 16 * 1024 * 1024;

/**
 * Divides steps into batches for one transaction each: adjacent independent imports together, since a commit is slower
 * than a small import.
 */
export function* stepBatches(
  steps: readonly HistoryStep[],
  independent: Pick<IndependentImports, "has">,
): Generator<readonly HistoryStep[]> {
  let batch: HistoryStep[] = [];
  let bytes = 0;
  for (const step of steps) {
    const size = independent.has(step) ? step.change.inputs.reduce((sum, input) => sum + input.bytes, 0) : Infinity;
    if (batch.length > 0 && (batch.length >= maxImports || bytes + size > maxBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(step);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
