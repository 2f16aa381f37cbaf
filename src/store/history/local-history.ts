import { createHash } from "node:crypto";
import type { Digest } from "../../core/versions/index.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import {
  experimentJson,
  type DescribedChange,
  type LedgerChange,
  type ImportChange,
  type SharedRun,
  type SharedChangeBody,
} from "../../formats/store/index.ts";
import type { StoredEntry } from "../ledger/index.ts";
import type { HistoryStep } from "./history-step.ts";
import { updateBetween, type KeyedExperiment } from "./history-variables.ts";

/** The history of an experiment in a database, from its ledger. */
export interface LocalHistory {
  readonly uid: Digest;
  /** Its id in that database. */
  readonly id: number;
  /** Ids and keys of its current variables, in order. */
  readonly variableIds: readonly number[];
  readonly keys: readonly string[];
  /** In order. */
  readonly steps: readonly LocalStep[];
}

export interface LocalStep extends HistoryStep {
  /** The change in a form that is valid on all instances. */
  readonly what: SharedChangeBody;
}

/** The keys of an experiment's variables after each change of its description, by the object of the entry. */
export function keysByEntry(entries: readonly StoredEntry[]): Map<Digest, readonly string[]> {
  const keys = new Map<Digest, readonly string[]>();
  const [first] = entries;
  if (first === undefined) return keys;
  const builder = new HistoryBuilder(first.entry.experiment, first.object);
  for (const stored of entries) {
    builder.add(stored);
    if ("description" in stored.entry.change) keys.set(stored.object, builder.keys);
  }
  return keys;
}

/** The experiments of a database by their uids. */
export interface LocalHistories {
  readonly byUid: ReadonlyMap<Digest, LocalHistory>;
  /** Ids of experiments whose rebuild was killed. */
  readonly unfinished: readonly number[];
}

/** The histories in a ledger. Omits experiments whose creation is not in the ledger. */
export function localHistories(entries: readonly StoredEntry[]): LocalHistories {
  const byId = new Map<number, HistoryBuilder>();
  const uids = experimentUids(entries);
  for (const stored of entries) {
    const { experiment: id, change, aside } = stored.entry;
    if (change.kind === "create-experiment") byId.set(id, new HistoryBuilder(id, uids.get(id) as Digest));
    else if (change.kind === "purge-experiment" && aside === true) byId.delete(id);
    byId.get(id)?.add(stored);
  }
  const byUid = new Map<Digest, LocalHistory>();
  const unfinished: number[] = [];
  for (const builder of byId.values()) {
    if (byUid.has(builder.uid)) unfinished.push(builder.id);
    else byUid.set(builder.uid, builder);
  }
  return { byUid, unfinished };
}

/** The uids of the experiments of a ledger, by id. */
export function experimentUids(entries: readonly StoredEntry[]): Map<number, Digest> {
  const uids = new Map<number, Digest>();
  const used = new Set<Digest>();
  for (const stored of entries) {
    const { experiment, change } = stored.entry;
    if (change.kind === "create-experiment") uids.set(experiment, uidOf(stored, change, used));
  }
  return uids;
}

/** Experiments created from the same description have the same uid, except for later ones in the same database. */
function uidOf({ object }: StoredEntry, { uid, description }: DescribedChange, used: Set<Digest>): Digest {
  const derived = uid ?? experimentUid(description);
  const own = uid === undefined && used.has(derived) ? sha1(`${derived} ${object}`) : derived;
  used.add(own);
  return own;
}

/** The uid of an experiment on all instances, derived from its name and variables. */
function experimentUid({ name, variables }: Experiment): Digest {
  const json = experimentJson({ name: name.toLowerCase(), readers: [], writers: [], variables });
  return sha1(JSON.stringify(json));
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
  /** Existing runs by number, and attachments by lower-case name. */
  readonly #runs = new Map<number, SharedRun>();
  readonly #attached = new Map<string, Digest>();

  constructor(id: number, uid: Digest) {
    this.id = id;
    this.uid = uid;
  }

  add({ object, entry }: StoredEntry): void {
    const { change, time, origin = object, aside } = entry;
    if (aside === true) return this.#applyLocal(change);
    const step = this.#stepOf(change, origin, object);
    if (step !== null) this.steps.push({ origin, time, ...step });
  }

  /** Applies a local correction, which returns the experiment to a state of the shared history. */
  #applyLocal(change: LedgerChange): void {
    if (change.kind === "purge-runs") this.#undo(change.runs);
    else if (change.kind === "update-experiment") this.#setDescription(change, "");
  }

  /** Removes the imports of these runs. */
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
        return this.#descriptionStep(change, object);
      case "import":
        return this.#importStep(change, origin);
      case "delete-runs":
      case "undelete-runs":
      case "purge-runs":
        return { change, what: { ...change, runs: change.runs.flatMap((run) => this.#runs.get(run) ?? []) } };
      case "attach":
        this.#attached.set(change.attachment.name.toLowerCase(), origin);
        return { change, what: change };
      case "detach":
        return this.#detachStep(change);
      case "store-parameters": {
        const values = change.contents.flatMap(({ variable, content }) => {
          const key = this.keys[this.variableIds.indexOf(variable)];
          return key === undefined ? [] : [{ key, content }];
        });
        return { change: { ...change, contents: values }, what: { ...change, contents: values } };
      }
      default:
        return { change, what: change };
    }
  }

  #descriptionStep(change: DescribedChange, object: Digest): Pick<LocalStep, "change" | "what"> {
    const before: KeyedExperiment = { experiment: this.#experiment, keys: this.keys };
    this.#setDescription(change, object);
    const { kind, description } = change;
    const { keys } = this;
    const converted = change.converts === undefined ? {} : { converts: change.converts };
    const step = { kind, description, keys, ...converted };
    return {
      change: step,
      what:
        kind === "create-experiment"
          ? { kind, description, keys }
          : { ...updateBetween(before, { experiment: description, keys }), ...converted },
    };
  }

  /** The key of a new variable is its name, or a unique variant if a renamed variable has that key. */
  #setDescription({ description, variables, keys: given }: DescribedChange, object: string): void {
    const known = new Map(this.variableIds.map((id, at) => [id, this.keys[at] ?? ""]));
    const used = new Set(variables.flatMap((id) => known.get(id) ?? []));
    this.keys = variables.map((id, at) => {
      const name = description.variables[at]?.name.toLowerCase() ?? "";
      const key = given?.[at] ?? known.get(id) ?? (used.has(name) ? `${name}#${object}` : name);
      used.add(key);
      return key;
    });
    this.variableIds = variables;
    this.#experiment = description;
  }

  #importStep(change: ImportChange, origin: Digest): Pick<LocalStep, "change" | "what"> {
    const numbers = new Map(change.runs.map(({ number, was = number }) => [number, was]));
    for (const [number, was] of numbers) this.#runs.set(number, { origin, number: was });
    const runs = change.runs.map(({ was: _, ...facts }) => ({
      ...facts,
      number: numbers.get(facts.number) ?? facts.number,
    }));
    const inputs = change.inputs.map((input) => ({ ...input, runs: input.runs.map((run) => numbers.get(run) ?? run) }));
    return { change, what: { ...change, inputs, runs } };
  }

  #detachStep(change: Extract<LedgerChange, { kind: "detach" }>): Pick<LocalStep, "change" | "what"> | null {
    const attached = this.#attached.get(change.name.toLowerCase());
    this.#attached.delete(change.name.toLowerCase());
    return attached === undefined ? null : { change, what: { kind: "detach", attached } };
  }
}
