import type { Digest } from "../../core/versions/index.ts";
import type { SharedChange } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { experimentById } from "../catalogue/index.ts";
import {
  listedEntries,
  readEntry,
  appendChange,
  type StoredEntry,
  requiredObjects,
  type ImportReplay,
} from "../ledger/index.ts";
import { type Objects, readablePath } from "../objects/index.ts";
import { lstatOrNull } from "../durable/index.ts";
import { StepRefused, type HistoryTools } from "./history-applier.ts";
import { applyHistory } from "./apply-history.ts";
import { renumberedRuns, type RenumberedRun } from "./renumber-runs.ts";
import type { HistoryStep } from "./history-step.ts";
import { mergedHistory, type NamedChange } from "./merged-history.ts";
import { unsharedChanges, type KnownChanges } from "./known-changes.ts";
import { localHistories, type LocalHistory } from "./local-history.ts";
import { IndependentImports } from "./independent-imports.ts";

/** The result of merging all known changes into the experiments of a database. */
export interface MergedExperiments {
  readonly experiments: readonly MergedExperiment[];
  /** Number of applied changes. */
  readonly steps: number;
}

export interface MergedExperiment {
  readonly uid: Digest;
  /** Its local name; absent if it no longer exists. */
  readonly name?: string;
  /** The name given by its creators. */
  readonly sharedName: string;
  readonly isNew: boolean;
  /** Runs whose numbers have changed. */
  readonly numbers: readonly RenumberedRun[];
  /** Imports that cannot be applied here, with reasons. */
  readonly skipped: readonly SkippedImport[];
  /** What others deleted; if they deleted the experiment, `sharedName` is its former local name. */
  readonly deleted: DeletedElsewhere;
  /** Why nothing was changed, if so. */
  readonly refused?: string;
}

export interface SkippedImport {
  readonly paths: readonly string[];
  readonly reason: string;
}

/** How to replay imports. */
export interface MergeOptions {
  readonly replay: ImportReplay;
  /** Like `replay`, for imports of others, which are read by built-in importers only. */
  readonly replayOthers: ImportReplay;
  /** The owner of created experiments. */
  readonly owner?: string | undefined;
  readonly progress?: MergeProgress;
}

/** Receives the name of the current experiment and the number of its applied steps. */
export interface MergeProgress {
  phase(name: string): void;
  show(done: number, total: number): void;
}

export interface MergeTools extends MergeOptions {
  readonly engine: Engine;
  readonly objects: HistoryTools["objects"] & Pick<Objects, "folder">;
}

/** The objects needed to replay a shared change. */
export function objectsOfShared({ what }: SharedChange): Digest[] {
  return what.kind === "import" || what.kind === "attach" ? requiredObjects(what).map(([object]) => object) : [];
}

/** The needed objects that are not in the store. */
export function missingObjects(objects: Pick<Objects, "folder">, change: SharedChange): Digest[] {
  return objectsOfShared(change).filter((object) => {
    const path = readablePath(objects.folder, object);
    return path === null || lstatOrNull(path) === null;
  });
}

/** Reads the ledger of a database and caches its entries. */
export class LedgerReader {
  readonly #engine: Engine;
  readonly objects: Pick<Objects, "get">;
  readonly #read = new Map<Digest, StoredEntry>();

  constructor(engine: Engine, objects: Pick<Objects, "get">) {
    this.#engine = engine;
    this.objects = objects;
  }

  async entries(): Promise<StoredEntry[]> {
    return (await listedEntries(this.#engine)).map((object) => {
      const entry = this.#read.get(object) ?? readEntry(this.objects, object);
      this.#read.set(object, entry);
      return entry;
    });
  }
}

/** Adds unshared local changes to `known`. `now`: microseconds since 1970-01-01T00:00:00Z. */
export async function addLocalChanges(ledger: LedgerReader, known: KnownChanges, now: number): Promise<void> {
  const { byUid } = localHistories(await ledger.entries());
  const separate = new IndependentImports(ledger.objects);
  known.add([...byUid.values()].flatMap((history) => unsharedChanges(history, known.of(history.uid), now, separate)));
}

/** Applies its merged history to every experiment. A failure in one experiment does not affect the others. */
export async function mergeExperiments(
  tools: MergeTools,
  known: KnownChanges,
  ledger: LedgerReader,
): Promise<MergedExperiments> {
  await purgeUnfinished(tools, ledger);
  const { byUid } = localHistories(await ledger.entries());
  const experiments: MergedExperiment[] = [];
  let steps = 0;
  for (const uid of known.experiments()) {
    const merged = await mergeExperiment(tools, [...known.of(uid).values()], ledger, { uid, before: byUid.get(uid) });
    steps += merged.steps;
    if (merged.experiment !== null) experiments.push(merged.experiment);
  }
  return { experiments, steps };
}

async function purgeUnfinished({ engine, objects }: MergeTools, ledger: LedgerReader): Promise<void> {
  const entries = await ledger.entries();
  for (const id of localHistories(entries).unfinished)
    await engine.transaction(async () => {
      await appendChange(engine, objects, id, { kind: "purge-experiment" }, entries.at(-1)?.entry.time ?? 0, {
        aside: true,
      });
      await engine.catalogue.dropExperiment(id);
    });
}

interface MergeStep {
  readonly experiment: MergedExperiment | null;
  readonly steps: number;
}

interface MergeTarget {
  readonly uid: Digest;
  /** Its local history so far; undefined if it is not here. */
  readonly before: LocalHistory | undefined;
}

async function mergeExperiment(
  tools: MergeTools,
  changes: readonly NamedChange[],
  ledger: LedgerReader,
  { uid, before }: MergeTarget,
): Promise<MergeStep> {
  const done = new Set(before?.steps.map(({ origin }) => origin));
  const skipped = skippedImports(tools.objects, changes, done);
  let local = before;
  for (;;) {
    const history = mergedHistory(changes.filter(({ change }) => !skipped.has(change.origin)));
    const sharedName = sharedNameOf(changes);
    tools.progress?.phase(sharedName);
    const deleted = deletedSince(before, history, done);
    const formerName =
      deleted.experiment === "dropped" && before !== undefined ? await nameOf(tools.engine, before.id) : undefined;
    const summary = {
      uid,
      sharedName: formerName ?? sharedName,
      isNew: before === undefined,
      numbers: renumberedRuns(before?.steps ?? [], history),
      deleted,
    };
    try {
      const { steps, name } = await applyHistory(withReplay(tools, done), uid, history, local);
      const isUnchanged = steps + skipped.size + summary.numbers.length === 0;
      const named = name === undefined ? {} : { name };
      return { experiment: isUnchanged ? null : { ...summary, ...named, skipped: [...skipped.values()] }, steps };
    } catch (error) {
      if (!(error instanceof StepRefused)) throw error;
      const nothing = { numbers: [], deleted: { runs: [] }, skipped: [] };
      if (done.has(error.origin)) return { experiment: { ...summary, ...nothing, refused: error.message }, steps: 0 };
      const refused = changes.find(({ change }) => change.origin === error.origin);
      if (refused === undefined) throw error;
      skipped.set(error.origin, skippedImport(refused.change, error.message));
      local = localHistories(await ledger.entries()).byUid.get(uid);
    }
  }
}

/** What the new steps deleted; nothing if the experiment was purged here or did not exist. */
function deletedSince(
  before: LocalHistory | undefined,
  history: readonly HistoryStep[],
  done: ReadonlySet<Digest>,
): DeletedElsewhere {
  const existed = before !== undefined && before.steps.at(-1)?.change.kind !== "purge-experiment";
  return deletedBy(existed ? history.filter(({ origin }) => !done.has(origin)) : []);
}

async function nameOf(engine: Engine, id: number): Promise<string> {
  return (await experimentById(engine, id)).experiment.name;
}

function withReplay(tools: MergeTools, done: ReadonlySet<Digest>): HistoryTools {
  const { engine, objects, owner, progress, replay, replayOthers } = tools;
  const replayOf: HistoryTools["replayOf"] = (origin) => (done.has(origin) ? replay : replayOthers);
  return { engine, objects, replayOf, owner, onProgress: (steps, all) => progress?.show(steps, all) };
}

function skippedImports(
  objects: Pick<Objects, "folder">,
  changes: readonly NamedChange[],
  done: ReadonlySet<Digest>,
): Map<Digest, SkippedImport> {
  const skipped = new Map<Digest, SkippedImport>();
  for (const { change } of changes)
    if (!done.has(change.origin) && missingObjects(objects, change).length > 0)
      skipped.set(change.origin, skippedImport(change, "its files are not here"));
  return skipped;
}

function skippedImport({ what }: SharedChange, reason: string): SkippedImport {
  const paths =
    what.kind === "import" ? what.inputs.map(({ path }) => path) : what.kind === "attach" ? [what.attachment.name] : [];
  return { paths, reason };
}

function sharedNameOf(changes: readonly NamedChange[]): string {
  return (
    changes.flatMap(({ change: { what } }) => (what.kind === "create-experiment" ? [what.description.name] : []))[0] ??
    ""
  );
}

/** Deletions by others in an experiment. */
interface DeletedElsewhere {
  /** Whether the experiment itself was deleted, restorably (hidden) or permanently (dropped). */
  readonly experiment?: "hidden" | "dropped";
  /** Numbers of runs, ascending. */
  readonly runs: readonly number[];
}

/** The net deletions of steps. */
function deletedBy(steps: readonly HistoryStep[]): DeletedElsewhere {
  let experiment: DeletedElsewhere["experiment"];
  const runs = new Set<number>();
  for (const { change } of steps) {
    if (change.kind === "purge-experiment") experiment = "dropped";
    else if (change.kind === "delete-experiment") experiment = "hidden";
    else if (change.kind === "undelete-experiment") experiment = undefined;
    else if (change.kind === "delete-runs") for (const run of change.runs) runs.add(run);
    else if (change.kind === "undelete-runs") for (const run of change.runs) runs.delete(run);
  }
  return { ...(experiment === undefined ? {} : { experiment }), runs: [...runs].toSorted((a, b) => a - b) };
}
