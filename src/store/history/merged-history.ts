import type { Experiment } from "../../core/experiments/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type {
  ImportChange,
  ImportedInput,
  StoredAttachment,
  SharedRun,
  SharedChange,
  SharedValue,
  SharedUpdate,
  SharedChangeBody,
} from "../../formats/store/index.ts";
import type { HistoryChange, HistoryStep } from "./history-step.ts";
import { applySharedUpdate, type Aliases, type KeyedExperiment } from "./history-variables.ts";

/** A shared change and its digest. */
export interface NamedChange {
  readonly digest: Digest;
  readonly change: SharedChange;
}

/**
 * Merges the changes of an experiment into one history, regardless of the order in which they arrived
 * (docs/adr/018-share-experiments.md). Omits changes that are impossible after the others. Empty without the change
 * that created the experiment. A purge overrides all other changes.
 */
export function mergedHistory(changes: Iterable<NamedChange>): HistoryStep[] {
  const ordered = inSentOrder(changes);
  const purge = ordered.find(({ what }) => what.kind === "purge-experiment");
  if (purge !== undefined) return [{ origin: purge.origin, time: purge.time, change: { kind: "purge-experiment" } }];
  const history = new HistoryMerger();
  const steps: HistoryStep[] = [];
  for (const { origin, time, what } of ordered) {
    const change = history.next(origin, what);
    if (change !== null) steps.push({ origin, time, change });
  }
  return steps;
}

/** Sorts changes by the time they were sent; keeps the first of each origin. */
function inSentOrder(changes: Iterable<NamedChange>): SharedChange[] {
  const sorted = [...changes].sort(
    (a, b) => a.change.sent - b.change.sent || (a.digest < b.digest ? -1 : a.digest > b.digest ? 1 : 0),
  );
  const origins = new Set<Digest>();
  return sorted.flatMap(({ change }) => {
    if (origins.has(change.origin)) return [];
    origins.add(change.origin);
    return [change];
  });
}

/** A run in the merged history. */
interface HistoryRun {
  readonly number: number;
  readonly created: number;
  /** SHA-256 of the files it was imported from. */
  readonly files: readonly string[];
  active: boolean;
}

/** Maximum gap in run numbers; a requested number farther ahead is replaced. */
const maxGap = 100_000;

/** The runs of an experiment while its history is merged: their numbers, states and files. */
class SharedRuns {
  readonly #runs = new Map<string, HistoryRun>();
  readonly #claimed = new Set<string>();
  #last = 0;

  /** Whether there are any runs, including deleted ones. */
  get any(): boolean {
    return this.#runs.size > 0;
  }

  /**
   * The import to apply after the previous changes. If an earlier import has the same file, its runs replace those of
   * this one, also in later changes. null if nothing remains.
   */
  import(origin: Digest, given: ImportChange): ImportChange | null {
    const mayShrink = !given.force && given.how.answers === undefined;
    const remaining: ImportedInput[] = [];
    for (const group of groupsOf(given.inputs)) {
      if (mayShrink && group.every(({ sha256 }) => this.#claimed.has(sha256))) this.#aliasRuns(origin, group);
      else remaining.push(...group);
      for (const { sha256 } of group) this.#claimed.add(sha256);
    }
    if (remaining.length === 0) return null;
    const numbers = this.#assignNumbers(origin, given, new Set(remaining.flatMap(({ runs }) => runs)));
    return {
      ...given,
      inputs: remaining.map((input) => ({ ...input, runs: input.runs.map((run) => numbers.get(run) ?? run) })),
      runs: given.runs.flatMap(({ was: _, number: requested, ...facts }) => {
        const number = numbers.get(requested);
        return number === undefined ? [] : [{ number, ...facts, ...(number === requested ? {} : { was: requested }) }];
      }),
    };
  }

  #aliasRuns(origin: Digest, group: readonly ImportedInput[]): void {
    const [first] = group;
    const others = this.#active().filter(({ files }) => first !== undefined && files.includes(first.sha256));
    for (const [at, number] of (first?.runs ?? []).entries()) {
      const other = others[at];
      if (other !== undefined) this.#runs.set(runKey({ origin, number }), other);
    }
  }

  #assignNumbers(
    origin: Digest,
    { runs, inputs }: ImportChange,
    used: ReadonlySet<number>,
  ): ReadonlyMap<number, number> {
    const numbers = new Map<number, number>();
    for (const { number: requested, created } of runs.filter(({ number }) => used.has(number))) {
      const number = requested > this.#last && requested <= this.#last + maxGap ? requested : this.#last + 1;
      this.#last = number;
      numbers.set(requested, number);
      const files = inputs.flatMap(({ sha256, runs: of }) => (of.includes(requested) ? [sha256] : []));
      this.#runs.set(runKey({ origin, number: requested }), { number, created, files, active: true });
    }
    return numbers;
  }

  /** Deletes runs and returns the numbers of those that were active. */
  delete(given: readonly SharedRun[]): number[] {
    const runs = this.#find(given).filter(({ active }) => active);
    for (const run of runs) run.active = false;
    const files = new Set(this.#active().flatMap((run) => run.files));
    for (const file of this.#claimed) if (!files.has(file)) this.#claimed.delete(file);
    return runs.map(({ number }) => number);
  }

  /**
   * Restores deleted runs and returns their numbers. Unless forced, skips runs whose file another active import has.
   */
  undelete(given: readonly SharedRun[], force: boolean): number[] {
    const active = this.#active();
    const isTaken = ({ created, files }: HistoryRun): boolean =>
      active.some((other) => other.created !== created && other.files.some((file) => files.includes(file)));
    const runs = this.#find(given).filter((run) => !run.active && (force || !isTaken(run)));
    for (const run of runs) {
      run.active = true;
      for (const file of run.files) this.#claimed.add(file);
    }
    return runs.map(({ number }) => number);
  }

  /** Permanently removes deleted runs and returns their numbers. */
  purge(given: readonly SharedRun[]): number[] {
    const runs = this.#find(given).filter(({ active }) => !active);
    for (const [name, run] of this.#runs) if (runs.includes(run)) this.#runs.delete(name);
    return runs.map(({ number }) => number);
  }

  #find(given: readonly SharedRun[]): HistoryRun[] {
    return [...new Set(given.flatMap((each) => this.#runs.get(runKey(each)) ?? []))];
  }

  #active(): HistoryRun[] {
    return [...new Set(this.#runs.values())].filter(({ active }) => active).sort((a, b) => a.number - b.number);
  }
}

function runKey({ origin, number }: SharedRun): string {
  return `${origin} ${number}`;
}

/** Groups consecutive inputs of the same runs, which were read together. */
function groupsOf(inputs: readonly ImportedInput[]): ImportedInput[][] {
  const groups: ImportedInput[][] = [];
  for (const input of inputs) {
    const before = groups.at(-1);
    if (before?.[0] && before[0].runs.length > 0 && before[0].runs.join() === input.runs.join()) before.push(input);
    else groups.push([input]);
  }
  return groups;
}

class HistoryMerger {
  #experiment: KeyedExperiment | null = null;
  #isDeleted = false;
  readonly #aliases: Aliases = new Map();
  readonly #runs = new SharedRuns();
  /** Names of attachments by the change that added them. */
  readonly #attached = new Map<Digest, string>();
  /** Names of parameter sets, in lower case. */
  readonly #sets = new Set<string>();

  /** The effect of a change after the previous ones; null if it has none. */
  next(origin: Digest, what: SharedChangeBody): HistoryChange | null {
    if (this.#experiment === null)
      return what.kind === "create-experiment" ? this.#create(what.description, what.keys) : null;
    switch (what.kind) {
      case "create-experiment":
      case "purge-experiment":
        return null;
      case "update-experiment":
        return this.#update(this.#experiment, what);
      case "import":
        return this.#runs.import(origin, what);
      case "delete-runs":
        return runChange(what.kind, this.#runs.delete(what.runs));
      case "undelete-runs":
        return runChange(what.kind, this.#runs.undelete(what.runs, what.force === true), what.force);
      case "purge-runs":
        return runChange(what.kind, this.#runs.purge(what.runs));
      case "delete-experiment":
      case "undelete-experiment":
        return this.#setDeleted(what);
      case "attach":
        return this.#attach(origin, what.attachment);
      case "detach":
        return this.#detach(what.attached);
      case "store-parameters":
        return this.#store(what.set, what.contents, this.#experiment.keys);
      case "delete-parameters":
        return this.#sets.delete(what.set.toLowerCase()) ? what : null;
    }
  }

  #create(description: Experiment, keys: readonly string[]): HistoryChange {
    this.#experiment = { experiment: description, keys };
    return { kind: "create-experiment", description, keys };
  }

  #update(before: KeyedExperiment, update: SharedUpdate): HistoryChange {
    const after = applySharedUpdate(before, update, this.#aliases, this.#runs.any);
    this.#experiment = after;
    const { kind, converts } = update;
    return { kind, description: after.experiment, keys: after.keys, ...(converts === undefined ? {} : { converts }) };
  }

  #setDeleted(
    what: Extract<SharedChangeBody, { kind: "delete-experiment" | "undelete-experiment" }>,
  ): HistoryChange | null {
    const deletes = what.kind === "delete-experiment";
    if (deletes === this.#isDeleted) return null;
    this.#isDeleted = deletes;
    if (what.kind === "undelete-experiment" && this.#experiment !== null)
      this.#experiment = { ...this.#experiment, experiment: { ...this.#experiment.experiment, name: what.name } };
    return what;
  }

  /** Renames the later of two attachments with the same name. */
  #attach(origin: Digest, attachment: StoredAttachment): HistoryChange {
    const taken = new Set([...this.#attached.values()].map((name) => name.toLowerCase()));
    let { name } = attachment;
    for (let digits = 7; taken.has(name.toLowerCase()) && digits <= 40; digits++)
      name = `${attachment.name}-${origin.slice(0, digits)}`;
    this.#attached.set(origin, name);
    return { kind: "attach", attachment: { ...attachment, name } };
  }

  #detach(attached: Digest): HistoryChange | null {
    const name = this.#attached.get(attached);
    return name !== undefined && this.#attached.delete(attached) ? { kind: "detach", name } : null;
  }

  #store(set: string, given: readonly SharedValue[], keys: readonly string[]): HistoryChange {
    this.#sets.add(set.toLowerCase());
    const values = new Map(given.map(({ key, content }) => [this.#aliases.get(key) ?? key, content]));
    return {
      kind: "store-parameters",
      set,
      contents: [...values].filter(([key]) => keys.includes(key)).map(([key, content]) => ({ key, content })),
    };
  }
}

function runChange(
  kind: "delete-runs" | "undelete-runs" | "purge-runs",
  runs: readonly number[],
  force?: true,
): HistoryChange | null {
  return runs.length === 0 ? null : { kind, runs, ...(force === undefined ? {} : { force }) };
}
