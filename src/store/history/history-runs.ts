import type { Digest } from "../../core/versions/digest.ts";
import type { ImportChange, ImportedInput } from "../../formats/store/experiments/ledger-import.ts";
import type { SharedRun } from "../../formats/store/sharing/experiment-change.ts";

/** A run as the history knows it. */
interface HistoryRun {
  readonly number: number;
  readonly created: number;
  /** SHA-256 of the files that it came from. */
  readonly files: readonly string[];
  active: boolean;
}

/** A number that an instance wished for is given unless it is farther ahead than this: a gap has no use. */
const maxGap = 100_000;

/**
 * The runs of an experiment while its history is gone through: their numbers, which of them are active, and from which
 * files.
 */
export class SharedRuns {
  readonly #runs = new Map<string, HistoryRun>();
  readonly #claimed = new Set<string>();
  #last = 0;

  /** Whether there are any, be they deleted. */
  get any(): boolean {
    return this.#runs.size > 0;
  }

  /**
   * The import as it is to be done after all that came before it. Of a file that another import brought meanwhile there
   * is one run: the earlier one, which later changes of the other one mean, too. null: nothing is left of it.
   */
  import(origin: Digest, told: ImportChange): ImportChange | null {
    const mayShrink = !told.force && told.how.answers === undefined;
    const kept: ImportedInput[] = [];
    for (const group of groupsOf(told.inputs)) {
      if (mayShrink && group.every(({ sha256 }) => this.#claimed.has(sha256))) this.#meanOthers(origin, group);
      else kept.push(...group);
      for (const { sha256 } of group) this.#claimed.add(sha256);
    }
    if (kept.length === 0) return null;
    const numbers = this.#begin(origin, told, new Set(kept.flatMap(({ runs }) => runs)));
    return {
      ...told,
      inputs: kept.map((input) => ({ ...input, runs: input.runs.map((run) => numbers.get(run) ?? run) })),
      runs: told.runs.flatMap(({ was: _, number: wished, ...facts }) => {
        const number = numbers.get(wished);
        return number === undefined ? [] : [{ number, ...facts, ...(number === wished ? {} : { was: wished }) }];
      }),
    };
  }

  #meanOthers(origin: Digest, group: readonly ImportedInput[]): void {
    const [first] = group;
    const others = this.#active().filter(({ files }) => first !== undefined && files.includes(first.sha256));
    for (const [at, number] of (first?.runs ?? []).entries()) {
      const other = others[at];
      if (other !== undefined) this.#runs.set(runKey({ origin, number }), other);
    }
  }

  #begin(origin: Digest, { runs, inputs }: ImportChange, kept: ReadonlySet<number>): ReadonlyMap<number, number> {
    const numbers = new Map<number, number>();
    for (const { number: wished, created } of runs.filter(({ number }) => kept.has(number))) {
      const number = wished > this.#last && wished <= this.#last + maxGap ? wished : this.#last + 1;
      this.#last = number;
      numbers.set(wished, number);
      const files = inputs.flatMap(({ sha256, runs: of }) => (of.includes(wished) ? [sha256] : []));
      this.#runs.set(runKey({ origin, number: wished }), { number, created, files, active: true });
    }
    return numbers;
  }

  /** Numbers of those that were active, and are not any more. */
  delete(told: readonly SharedRun[]): number[] {
    const runs = this.#named(told).filter(({ active }) => active);
    for (const run of runs) run.active = false;
    const files = new Set(this.#active().flatMap((run) => run.files));
    for (const file of this.#claimed) if (!files.has(file)) this.#claimed.delete(file);
    return runs.map(({ number }) => number);
  }

  /**
   * Numbers of those that were not active, and are now: unless forced, none whose file another import brought
   * meanwhile.
   */
  undelete(told: readonly SharedRun[], force: boolean): number[] {
    const active = this.#active();
    const isTaken = ({ created, files }: HistoryRun): boolean =>
      active.some((other) => other.created !== created && other.files.some((file) => files.includes(file)));
    const runs = this.#named(told).filter((run) => !run.active && (force || !isTaken(run)));
    for (const run of runs) {
      run.active = true;
      for (const file of run.files) this.#claimed.add(file);
    }
    return runs.map(({ number }) => number);
  }

  /** Numbers of those that were deleted, and are gone for good. */
  purge(told: readonly SharedRun[]): number[] {
    const runs = this.#named(told).filter(({ active }) => !active);
    for (const [name, run] of this.#runs) if (runs.includes(run)) this.#runs.delete(name);
    return runs.map(({ number }) => number);
  }

  #named(told: readonly SharedRun[]): HistoryRun[] {
    return [...new Set(told.flatMap((each) => this.#runs.get(runKey(each)) ?? []))];
  }

  #active(): HistoryRun[] {
    return [...new Set(this.#runs.values())].filter(({ active }) => active).sort((a, b) => a.number - b.number);
  }
}

function runKey({ origin, number }: SharedRun): string {
  return `${origin} ${number}`;
}

/** Inputs of the same runs were read together. */
function groupsOf(inputs: readonly ImportedInput[]): ImportedInput[][] {
  const groups: ImportedInput[][] = [];
  for (const input of inputs) {
    const before = groups.at(-1);
    if (before?.[0] && before[0].runs.length > 0 && before[0].runs.join() === input.runs.join()) before.push(input);
    else groups.push([input]);
  }
  return groups;
}
