import type { Digest } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { KeptAttachment } from "../../formats/store/experiments/ledger.ts";
import type {
  SharedChange,
  SharedContent,
  SharedUpdate,
  SharedWhat,
} from "../../formats/store/sharing/experiment-change.ts";
import type { HistoryChange, HistoryStep } from "./history-step.ts";
import { SharedRuns } from "./history-runs.ts";
import { applySharedUpdate, type Aliases, type KeyedExperiment } from "./history-variables.ts";

/** A shared change and its digest. */
export interface NamedChange {
  readonly digest: Digest;
  readonly change: SharedChange;
}

/**
 * What happened to an experiment: a function of the set of its changes, in whatever order they are known
 * (docs/adr/018-share-experiments.md). What an instance could not have done any more, had it known of the others, is
 * left out. Empty without the change that made the experiment. That it was dropped for good holds against everything:
 * nothing else happened then.
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

/** By the time they were told at; the first of each origin. */
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

class HistoryMerger {
  #experiment: KeyedExperiment | null = null;
  #isHidden = false;
  readonly #aliases: Aliases = new Map();
  readonly #runs = new SharedRuns();
  /** Names of attachments by the change that brought them. */
  readonly #attached = new Map<Digest, string>();
  /** Names of parameter sets, in lower case. */
  readonly #sets = new Set<string>();

  /** What the change does after those before it; null: nothing. */
  next(origin: Digest, what: SharedWhat): HistoryChange | null {
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
        return this.#hide(what);
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
    return { kind: "update-experiment", description: after.experiment, keys: after.keys };
  }

  #hide(what: Extract<SharedWhat, { kind: "delete-experiment" | "undelete-experiment" }>): HistoryChange | null {
    const hides = what.kind === "delete-experiment";
    if (hides === this.#isHidden) return null;
    this.#isHidden = hides;
    if (what.kind === "undelete-experiment" && this.#experiment !== null)
      this.#experiment = { ...this.#experiment, experiment: { ...this.#experiment.experiment, name: what.name } };
    return what;
  }

  /** Of two attachments of one name the later one is called otherwise. */
  #attach(origin: Digest, attachment: KeptAttachment): HistoryChange {
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

  #store(set: string, told: readonly SharedContent[], keys: readonly string[]): HistoryChange {
    this.#sets.add(set.toLowerCase());
    const contents = new Map(told.map(({ key, content }) => [this.#aliases.get(key) ?? key, content]));
    return {
      kind: "store-parameters",
      set,
      contents: [...contents].filter(([key]) => keys.includes(key)).map(([key, content]) => ({ key, content })),
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
