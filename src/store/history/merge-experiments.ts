import type { Digest } from "../../core/versions/digest.ts";
import type { SharedChange } from "../../formats/store/sharing/experiment-change.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { purgeExperiment, experimentById } from "../catalogue/catalogue.ts";
import { listedEntries, readEntry, appendChange, type StoredEntry } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { lstatOrNull } from "../durable/regular-file.ts";
import { requiredObjects, type ImportReplay } from "../ledger/rebuild.ts";
import { readablePath } from "../objects/object-paths.ts";
import { applyHistory, StepRefused, type HistoryTools } from "./apply-history.ts";
import { renumberedRuns, type RenumberedRun } from "./renumbered-runs.ts";
import type { HistoryStep } from "./history-step.ts";
import { mergedHistory, type NamedChange } from "./merged-history.ts";
import { unsharedChanges, type KnownChanges } from "./known-changes.ts";
import { localHistories, type LocalHistory } from "./local-history.ts";
import { IndependentImports } from "./independent-imports.ts";

/** What became of the experiments of a database, all that is known of them being joined. */
export interface MergedExperiments {
  readonly experiments: readonly MergedExperiment[];
  /** Numbers of changes that were done. */
  readonly steps: number;
}

export interface MergedExperiment {
  readonly uid: Digest;
  /** What it is called here; absent: it is not there any more. */
  readonly name?: string;
  /** What it is called by those who made it. */
  readonly sharedName: string;
  readonly isNew: boolean;
  /** Runs that have other numbers than before. */
  readonly numbers: readonly RenumberedRun[];
  /** Imports that cannot be done here, and why. */
  readonly skipped: readonly SkippedImport[];
  /** What others deleted of it; where that is all of it, its name was the one here. */
  readonly deleted: DeletedElsewhere;
  /** Why nothing was changed. */
  readonly refused?: string;
}

export interface SkippedImport {
  readonly paths: readonly string[];
  readonly reason: string;
}

/** How imports are done again. */
export interface MergeOptions {
  readonly replay: ImportReplay;
  /** The same for what others imported, which is read by nothing but our own importers. */
  readonly replayOthers: ImportReplay;
  /** Who owns experiments that are made. */
  readonly owner?: string | undefined;
  readonly progress?: MergeProgress;
}

/** Is told which experiment is joined, and how many of its steps are done. */
export interface MergeProgress {
  phase(name: string): void;
  show(done: number, total: number): void;
}

export interface MergeTools extends MergeOptions {
  readonly engine: Engine;
  readonly objects: HistoryTools["objects"] & Pick<Objects, "folder">;
}

/** Objects that it takes to do a shared change again. */
export function objectsOfShared({ what }: SharedChange): Digest[] {
  return what.kind === "import" || what.kind === "attach" ? requiredObjects(what).map(([object]) => object) : [];
}

/** Those of them that are not in the store. */
export function missingObjects(objects: Pick<Objects, "folder">, change: SharedChange): Digest[] {
  return objectsOfShared(change).filter((object) => {
    const path = readablePath(objects.folder, object);
    return path === null || lstatOrNull(path) === null;
  });
}

/** Reads the ledger of a database; every entry once. */
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

/** Notes what was done here and was not told yet. `now`: microseconds since 1970-01-01T00:00:00Z. */
export async function addLocalChanges(ledger: LedgerReader, known: KnownChanges, now: number): Promise<void> {
  const { byUid } = localHistories(await ledger.entries());
  const separate = new IndependentImports(ledger.objects);
  known.add([...byUid.values()].flatMap((history) => unsharedChanges(history, known.of(history.uid), now, separate)));
}

/** Makes every experiment what its joined history says. What cannot be done of one leaves the others alone. */
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
    const joined = await mergeExperiment(tools, [...known.of(uid).values()], ledger, { uid, before: byUid.get(uid) });
    steps += joined.steps;
    if (joined.experiment !== null) experiments.push(joined.experiment);
  }
  return { experiments, steps };
}

async function purgeUnfinished({ engine, objects }: MergeTools, ledger: LedgerReader): Promise<void> {
  const entries = await ledger.entries();
  for (const id of localHistories(entries).unfinished)
    await engine.transaction(async () => {
      await appendChange(engine, objects, id, { kind: "purge-experiment" }, entries.at(-1)?.entry.time ?? 0, { aside: true });
      await purgeExperiment(engine, id);
    });
}

interface MergeStep {
  readonly experiment: MergedExperiment | null;
  readonly steps: number;
}

interface MergeTarget {
  readonly uid: Digest;
  /** Its history here until now; undefined: it is not here. */
  readonly before: LocalHistory | undefined;
}

async function mergeExperiment(
  tools: MergeTools,
  changes: readonly NamedChange[],
  ledger: LedgerReader,
  { uid, before }: MergeTarget,
): Promise<MergeStep> {
  const done = new Set(before?.steps.map(({ origin }) => origin));
  const left = skippedImports(tools.objects, changes, done);
  let local = before;
  for (;;) {
    const history = mergedHistory(changes.filter(({ change }) => !left.has(change.origin)));
    const told = sharedNameOf(changes);
    tools.progress?.phase(told);
    const deleted = deletedSince(before, history, done);
    const gone =
      deleted.experiment === "dropped" && before !== undefined ? await nameOf(tools.engine, before.id) : undefined;
    const facts = {
      uid,
      told: gone ?? told,
      isNew: before === undefined,
      numbers: renumberedRuns(before?.steps ?? [], history),
      deleted,
    };
    try {
      const { steps, name } = await applyHistory(withReplay(tools, done), uid, history, local);
      const isSilent = steps + left.size + facts.numbers.length === 0;
      const named = name === undefined ? {} : { name };
      return { experiment: isSilent ? null : { ...facts, ...named, skipped: [...left.values()] }, steps };
    } catch (error) {
      if (!(error instanceof StepRefused)) throw error;
      if (done.has(error.origin))
        return {
          experiment: { ...facts, numbers: [], deleted: { runs: [] }, skipped: [], refused: error.message },
          steps: 0,
        };
      const refused = changes.find(({ change }) => change.origin === error.origin);
      if (refused === undefined) throw error;
      left.set(error.origin, skippedImport(refused.change, error.message));
      local = localHistories(await ledger.entries()).byUid.get(uid);
    }
  }
}

/** Of an experiment that is deleted for good here, or was not here, there is nothing to tell. */
function deletedSince(
  before: LocalHistory | undefined,
  history: readonly HistoryStep[],
  done: ReadonlySet<Digest>,
): DeletedElsewhere {
  const wasThere = before !== undefined && before.steps.at(-1)?.change.kind !== "purge-experiment";
  return deletedBy(wasThere ? history.filter(({ origin }) => !done.has(origin)) : []);
}

async function nameOf(engine: Engine, id: number): Promise<string> {
  return (await experimentById(engine, id)).experiment.name;
}

function withReplay(tools: MergeTools, done: ReadonlySet<Digest>): HistoryTools {
  const { engine, objects, owner, progress, replay, replayOthers } = tools;
  const imported: HistoryTools["replayOf"] = (origin) => (done.has(origin) ? replay : replayOthers);
  return { engine, objects, replayOf: imported, owner, onProgress: (steps, all) => progress?.show(steps, all) };
}

function skippedImports(
  objects: Pick<Objects, "folder">,
  changes: readonly NamedChange[],
  done: ReadonlySet<Digest>,
): Map<Digest, SkippedImport> {
  const left = new Map<Digest, SkippedImport>();
  for (const { change } of changes)
    if (!done.has(change.origin) && missingObjects(objects, change).length > 0)
      left.set(change.origin, skippedImport(change, "its files are not here"));
  return left;
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

/** What others deleted of an experiment. */
interface DeletedElsewhere {
  /** The experiment itself: so that it can be brought back, or for good. */
  readonly experiment?: "hidden" | "dropped";
  /** Numbers of runs, ascending. */
  readonly runs: readonly number[];
}

/** What is deleted once all of these steps are done that was not before. */
function deletedBy(steps: readonly HistoryStep[]): DeletedElsewhere {
  let whole: DeletedElsewhere["experiment"];
  const runs = new Set<number>();
  for (const { change } of steps) {
    if (change.kind === "purge-experiment") whole = "dropped";
    else if (change.kind === "delete-experiment") whole = "hidden";
    else if (change.kind === "undelete-experiment") whole = undefined;
    else if (change.kind === "delete-runs") for (const run of change.runs) runs.add(run);
    else if (change.kind === "undelete-runs") for (const run of change.runs) runs.delete(run);
  }
  return { ...(whole === undefined ? {} : { experiment: whole }), runs: [...runs].toSorted((a, b) => a - b) };
}
