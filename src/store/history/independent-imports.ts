import type { Digest } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { readInput } from "../../formats/descriptions/input/input.ts";
import type { ImportChange } from "../../formats/store/experiments/ledger-import.ts";
import type { Objects } from "../objects/objects.ts";
import type { HistoryStep } from "./history-step.ts";

/**
 * A step that adds runs and changes none: among others of its kind it leaves the same behind, whichever of them comes
 * first.
 */
export interface IndependentImport extends HistoryStep {
  readonly change: ImportChange;
}

/** Tells such imports from others, which takes a look at the descriptions they were read by. */
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

  /** The steps, with neighbours that are such imports in the order of their runs. */
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

  /** What cannot be read may do anything. */
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
