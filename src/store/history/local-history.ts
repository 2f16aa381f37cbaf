import { createHash } from "node:crypto";
import type { Digest } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { experimentJson } from "../../formats/store/experiments/experiment-json.ts";
import type { DescribedChange, LedgerChange } from "../../formats/store/experiments/ledger.ts";
import type { ImportChange } from "../../formats/store/experiments/ledger-import.ts";
import type { SharedRun, SharedWhat } from "../../formats/store/sharing/experiment-change.ts";
import type { StoredEntry } from "../ledger/ledger.ts";
import type { HistoryStep } from "./history-step.ts";
import { updateBetween, type KeyedExperiment } from "./history-variables.ts";

/** What was done to an experiment in a database, as its ledger tells it. */
export interface LocalHistory {
  readonly uid: Digest;
  /** Its id in that database. */
  readonly id: number;
  /** Ids and keys of the variables that it has, in their order. */
  readonly variableIds: readonly number[];
  readonly keys: readonly string[];
  /** In order. */
  readonly steps: readonly LocalStep[];
}

export interface LocalStep extends HistoryStep {
  /** The change in terms that all instances understand. */
  readonly what: SharedWhat;
}

/** Keys of the variables after each change of one experiment that describes it, by the object of its entry. */
export function keysByEntry(entries: readonly StoredEntry[]): Map<Digest, readonly string[]> {
  const keys = new Map<Digest, readonly string[]>();
  const [first] = entries;
  if (first === undefined) return keys;
  const walk = new HistoryBuilder(first.entry.experiment, first.object);
  for (const kept of entries) {
    walk.take(kept);
    if ("description" in kept.entry.change) keys.set(kept.object, walk.keys);
  }
  return keys;
}

/** The experiments of a database by their uids. */
export interface LocalHistories {
  readonly byUid: ReadonlyMap<Digest, LocalHistory>;
  /** Ids of those that were being made again beside another one when that was killed. */
  readonly unfinished: readonly number[];
}

/** What a ledger tells, in order. Experiments of which it does not tell from their beginning on are left out. */
export function localHistories(entries: readonly StoredEntry[]): LocalHistories {
  const byId = new Map<number, HistoryBuilder>();
  const uids = experimentUids(entries);
  for (const kept of entries) {
    const { experiment: id, change, aside } = kept.entry;
    if (change.kind === "create-experiment") byId.set(id, new HistoryBuilder(id, uids.get(id) as Digest));
    else if (change.kind === "purge-experiment" && aside === true) byId.delete(id);
    byId.get(id)?.take(kept);
  }
  const byUid = new Map<Digest, LocalHistory>();
  const unfinished: number[] = [];
  for (const walk of byId.values()) {
    if (byUid.has(walk.uid)) unfinished.push(walk.id);
    else byUid.set(walk.uid, walk);
  }
  return { byUid, unfinished };
}

/** What the experiments of a ledger are called among all instances, by their ids. */
export function experimentUids(entries: readonly StoredEntry[]): Map<number, Digest> {
  const uids = new Map<number, Digest>();
  const used = new Set<Digest>();
  for (const kept of entries) {
    const { experiment, change } = kept.entry;
    if (change.kind === "create-experiment") uids.set(experiment, uidOf(kept, change, used));
  }
  return uids;
}

/**
 * Two experiments made of one description are the same, unless they are in one database: then the later one is another.
 */
function uidOf({ object }: StoredEntry, { uid, description }: DescribedChange, used: Set<Digest>): Digest {
  const derived = uid ?? experimentUid(description);
  const own = uid === undefined && used.has(derived) ? sha1(`${derived} ${object}`) : derived;
  used.add(own);
  return own;
}

/** What an experiment is called among all instances, which follows from its name and variables. */
function experimentUid({ name, variables }: Experiment): Digest {
  const told = experimentJson({ name: name.toLowerCase(), readers: [], writers: [], variables });
  return sha1(JSON.stringify(told));
}

function sha1(text: string): Digest {
  return createHash("sha1").update(text).digest("hex") as Digest;
}

const emptyExperiment: Experiment = { name: "", readers: [], writers: [], variables: [] };

class HistoryBuilder implements LocalHistory {
  readonly uid: Digest;
  readonly id: number;
  readonly steps: LocalStep[] = [];
  variableIds: readonly number[] = [];
  keys: readonly string[] = [];
  #experiment = emptyExperiment;
  /** Runs and attachments that are there, by number and by name in lower case. */
  readonly #runs = new Map<number, SharedRun>();
  readonly #attached = new Map<string, Digest>();

  constructor(id: number, uid: Digest) {
    this.id = id;
    this.uid = uid;
  }

  take({ object, entry }: StoredEntry): void {
    const { change, time, origin = object, aside } = entry;
    if (aside === true) return this.#set(change);
    const step = this.#stepOf(change, origin, object);
    if (step !== null) this.steps.push({ origin, time, ...step });
  }

  /** What brings the experiment back to where the shared history goes on. */
  #set(change: LedgerChange): void {
    if (change.kind === "purge-runs") this.#undo(change.runs);
    else if (change.kind === "update-experiment") this.#describe(change, "");
  }

  /** Imports are undone whole. */
  #undo(runs: readonly number[]): void {
    for (const run of runs) {
      const origin = this.#runs.get(run)?.origin;
      const at = this.steps.findIndex((step) => step.origin === origin);
      if (at >= 0) this.steps.splice(at, 1);
      this.#runs.delete(run);
    }
  }

  #stepOf(change: LedgerChange, origin: Digest, object: Digest): Pick<LocalStep, "change" | "what"> | null {
    switch (change.kind) {
      case "mend":
      case "spend-numbers":
        return null;
      case "create-experiment":
      case "update-experiment":
        return this.#described(change, object);
      case "import":
        return this.#imported(change, origin);
      case "delete-runs":
      case "undelete-runs":
      case "purge-runs":
        return { change, what: { ...change, runs: change.runs.flatMap((run) => this.#runs.get(run) ?? []) } };
      case "attach":
        this.#attached.set(change.attachment.name.toLowerCase(), origin);
        return { change, what: change };
      case "detach":
        return this.#detached(change);
      case "store-parameters": {
        const contents = change.contents.flatMap(({ variable, content }) => {
          const key = this.keys[this.variableIds.indexOf(variable)];
          return key === undefined ? [] : [{ key, content }];
        });
        return { change: { ...change, contents }, what: { ...change, contents } };
      }
      default:
        return { change, what: change };
    }
  }

  #described(change: DescribedChange, object: Digest): Pick<LocalStep, "change" | "what"> {
    const before: KeyedExperiment = { experiment: this.#experiment, keys: this.keys };
    this.#describe(change, object);
    const { kind, description } = change;
    const { keys } = this;
    const step = { kind, description, keys };
    return {
      change: step,
      what:
        kind === "create-experiment"
          ? { kind, description, keys }
          : updateBetween(before, { experiment: description, keys }),
    };
  }

  /** New variables have their names for keys, or what distinguishes them from a variable that was renamed. */
  #describe({ description, variables, keys: told }: DescribedChange, object: string): void {
    const known = new Map(this.variableIds.map((id, at) => [id, this.keys[at] ?? ""]));
    const used = new Set(variables.flatMap((id) => known.get(id) ?? []));
    this.keys = variables.map((id, at) => {
      const name = description.variables[at]?.name.toLowerCase() ?? "";
      const key = told?.[at] ?? known.get(id) ?? (used.has(name) ? `${name}#${object}` : name);
      used.add(key);
      return key;
    });
    this.variableIds = variables;
    this.#experiment = description;
  }

  #imported(change: ImportChange, origin: Digest): Pick<LocalStep, "change" | "what"> {
    const numbers = new Map(change.runs.map(({ number, was = number }) => [number, was]));
    for (const [number, was] of numbers) this.#runs.set(number, { origin, number: was });
    const runs = change.runs.map(({ was: _, ...facts }) => ({
      ...facts,
      number: numbers.get(facts.number) ?? facts.number,
    }));
    const inputs = change.inputs.map((input) => ({ ...input, runs: input.runs.map((run) => numbers.get(run) ?? run) }));
    return { change, what: { ...change, inputs, runs } };
  }

  #detached(change: Extract<LedgerChange, { kind: "detach" }>): Pick<LocalStep, "change" | "what"> | null {
    const attached = this.#attached.get(change.name.toLowerCase());
    this.#attached.delete(change.name.toLowerCase());
    return attached === undefined ? null : { change, what: { kind: "detach", attached } };
  }
}
