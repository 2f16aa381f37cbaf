import { counted, firstNames } from "../../core/text/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { numbersGiven, type DescribedChange, type LedgerChange, type ImportChange } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  alterExperiment,
  deleteAttachment,
  insertAttachment,
  experimentById,
  insertExperiment,
  replaceRights,
  type StoredExperiment,
  markExperimentDeleted,
  undeleteExperiment,
  touch,
  RunWriter,
  deleteParameterSet,
  storeParameterSet,
  purgeRuns,
  markRunsDeleted,
  undeleteRuns,
} from "../catalogue/index.ts";
import { setDatabaseId, insertEntry, type StoredEntry } from "./ledger.ts";
import type { Objects } from "../objects/index.ts";
import { recordsOf, migrate, runSequence } from "../schema/index.ts";

/** Reads the inputs of an import again and writes its runs; the writer assigns their numbers. */
export type ImportReplay = (stored: StoredExperiment, change: ImportChange, writer: RunWriter) => Promise<void>;

/**
 * Checks that all objects needed to rebuild the database are present and intact. Fails with `ledger-lost`, which lists
 * the others.
 */
export async function requireObjects(objects: Objects, entries: readonly StoredEntry[]): Promise<void> {
  const needed = new Map<Digest, string>();
  for (const { entry } of withoutPurged(entries))
    for (const [object, what] of requiredObjects(entry.change)) needed.set(object, what);
  const lost: string[] = [];
  for (const [object, what] of needed) if (!(await isIntact(objects, object))) lost.push(`${what} (object ${object})`);
  if (lost.length === 0) return;
  throw new Failure("ledger-lost", { problem: `missing or damaged: ${firstNames(lost, 5)}`, lost });
}

/** The objects needed to replay a change, with a description of each. */
export function requiredObjects(change: LedgerChange): (readonly [Digest, string])[] {
  if (change.kind === "attach") return [[change.attachment.object, `attachment ${change.attachment.name}`]];
  if (change.kind !== "import") return [];
  const descriptions = [...change.runs, ...change.inputs].flatMap(({ description }) => description ?? []);
  return [
    ...change.inputs.map(({ object, path }) => [object, path] as const),
    ...descriptions.map((object) => [object, `the description of ${change.inputs[0]?.path ?? "an import"}`] as const),
  ];
}

/** Whether the object exists and matches its digest. */
export async function isIntact(objects: Pick<Objects, "open">, object: Digest): Promise<boolean> {
  try {
    const { body } = await objects.open(object);
    for await (const _ of body);
    return true;
  } catch (error) {
    if (isFailure(error, "object-missing") || isFailure(error, "object-damaged") || isFailure(error, "not-an-object"))
      return false;
    throw error;
  }
}

/** The entries without those of purged experiments. */
function withoutPurged(entries: readonly StoredEntry[]): StoredEntry[] {
  const purged = new Set(
    entries.filter(({ entry }) => entry.change.kind === "purge-experiment").map(({ entry }) => entry.experiment),
  );
  return entries.filter(({ entry }) => !purged.has(entry.experiment));
}

/**
 * Rebuilds the database in an empty one, with the same ids, numbers, times and rows. Calls `onProgress` with the number
 * of replayed entries.
 */
export async function rebuild(
  engine: Engine,
  entries: readonly StoredEntry[],
  replay: ImportReplay,
  onProgress: (entries: number) => void,
): Promise<void> {
  await migrate(engine);
  const [first] = entries;
  if (first === undefined) return;
  await setDatabaseId(engine, first.entry.database);
  const required = new Set(withoutPurged(entries));
  for (const [at, stored] of entries.entries()) {
    await engine.transaction(async () => {
      if (required.has(stored)) await replayEntry(engine, stored, replay);
      await insertEntry(engine, stored);
    });
    onProgress(at + 1);
  }
  await engine.transaction(() => raiseSequences(engine, entries));
}

async function replayEntry(engine: Engine, { entry }: StoredEntry, replay: ImportReplay): Promise<void> {
  const { change, experiment: id, time } = entry;
  if (change.kind === "create-experiment") {
    const { description: experiment, variables: variableIds, owner } = change;
    await insertExperiment(engine, { id, experiment, variableIds, ...(owner === undefined ? {} : { owner }) }, time);
    return;
  }
  // `raiseSequences` handles them at the end.
  if (change.kind === "spend-numbers") return;
  await applyChange(engine, await experimentById(engine, id), change, time, (stored, imported) =>
    replayImport(engine, stored, imported, replay),
  );
  await touch(engine, id, time);
}

/** Applies a change of a ledger within a transaction of the caller. Fails like the change itself. */
export async function applyChange(
  engine: Engine,
  stored: StoredExperiment,
  change: Exclude<LedgerChange, { kind: "create-experiment" | "spend-numbers" }>,
  time: number,
  applyImport: (stored: StoredExperiment, change: ImportChange) => Promise<void>,
): Promise<void> {
  switch (change.kind) {
    case "update-experiment":
      return applyUpdate(engine, stored, updated(stored, change), change.converts === true);
    case "import":
      return applyImport(stored, change);
    case "mend":
      return;
    case "delete-runs":
      return markRunsDeleted(engine, stored, change.runs);
    case "undelete-runs":
      return undeleteRuns(engine, stored, change.runs, change.force === true);
    case "purge-runs":
      return purgeRuns(engine, stored, change.runs);
    case "delete-experiment":
      return markExperimentDeleted(engine, stored.id, time);
    case "purge-experiment":
      return engine.catalogue.dropExperiment(stored.id);
    case "undelete-experiment":
      return undeleteExperiment(engine, stored.id, change.name);
    case "attach":
      return insertAttachment(engine, stored, change.attachment, time);
    case "detach":
      return deleteAttachment(engine, stored, change.name);
    case "store-parameters":
      return storeParameterSet(engine, stored.id, change.set, change.contents);
    case "delete-parameters":
      return deleteParameterSet(engine, stored, change.set);
  }
}

function updated(stored: StoredExperiment, { description, variables }: DescribedChange): StoredExperiment {
  return { ...stored, experiment: description, variableIds: variables };
}

async function applyUpdate(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
  converts: boolean,
): Promise<void> {
  await alterExperiment(engine, before, after, converts);
  await replaceRights(engine, after);
}

async function replayImport(
  engine: Engine,
  stored: StoredExperiment,
  change: ImportChange,
  replay: ImportReplay,
): Promise<void> {
  const numbers = change.runs.map(({ number }) => number);
  const writer = new RunWriter(engine, stored, { numbers, updates: true });
  try {
    await replay(stored, change, writer);
    await writer.finish();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const advice = "use the perfkeep that imported it";
    throw new Failure(
      "ledger-lost",
      { problem: `run ${numbers[0]} of '${stored.experiment.name}' cannot be read again: ${error.message}`, advice },
      error,
    );
  }
  if (writer.numbers.join() === numbers.join()) return;
  const paths = change.inputs.map(({ path }) => path).join(", ");
  const problem = `${paths} now has ${counted(writer.numbers.length, "run")} instead of ${numbers.length}`;
  throw new Failure("ledger-lost", { problem, advice: "use the perfkeep that imported it" });
}

/** Advances all sequences, so that used numbers are never assigned again. */
async function raiseSequences(engine: Engine, entries: readonly StoredEntry[]): Promise<void> {
  const changes = entries.map(({ entry }) => entry);
  const variables = changes.flatMap(({ change }) => ("variables" in change ? change.variables : []));
  await raiseSequence(
    engine,
    "experiment_ids",
    changes.map(({ experiment }) => experiment),
  );
  await raiseSequence(engine, "variable_ids", variables);
  for (const row of recordsOf(await engine.query("select id from experiment order by id"))) {
    const id = Number(row.get("id"));
    const own = changes.filter(({ experiment }) => experiment === id);
    await raiseSequence(
      engine,
      runSequence(id),
      own.flatMap(({ change }) => numbersGiven(change)),
    );
  }
}

/** Sets a sequence to continue after the highest of the `used` numbers. */
async function raiseSequence(engine: Engine, sequence: string, used: readonly number[]): Promise<void> {
  const next = used.reduce((max, each) => Math.max(max, each), 0) + 1;
  await engine.execute(`drop sequence ${sequence}`);
  await engine.execute(`create sequence ${sequence} start with ${next}`);
}
