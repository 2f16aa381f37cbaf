import { counted } from "../../core/text/plural.ts";
import type { Digest } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { numbersGiven, type LedgerChange } from "../../formats/store/experiments/ledger.ts";
import type { ImportChange } from "../../formats/store/experiments/ledger-import.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { alterExperiment } from "../catalogue/alter-experiment.ts";
import { deleteAttachment, insertAttachment } from "../catalogue/attachments.ts";
import {
  dropExperiment,
  experimentById,
  insertExperiment,
  replaceRights,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { hideExperiment, showExperiment, touch } from "../catalogue/experiment-states.ts";
import { RunWriter } from "../catalogue/run-writer.ts";
import { adoptIdentity, ledgerHead, listedEntries, noteEntry, readEntry, type KeptEntry } from "./ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { deleteParameterSet, storeParameterSet } from "../catalogue/parameter-sets.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { dropRuns, hideRuns, showRuns } from "../catalogue/run-states.ts";
import { migrate, restartSequence, runSequence } from "../schema/schema.ts";

/** Reads the inputs of an import again and writes its runs; the writer gives them their numbers. */
export type ImportReplay = (stored: StoredExperiment, change: ImportChange, writer: RunWriter) => Promise<void>;

/**
 * The entries of a database that can be opened. Fails with `ledger-lost` when it holds experiments or runs that no
 * entry tells of: they are older than the ledger.
 */
export async function ledgerOf(engine: Engine, objects: Objects): Promise<KeptEntry[]> {
  const [head, listed] = [await ledgerHead(engine), await listedEntries(engine)];
  if (head.number !== listed.length)
    throw new Failure("ledger-lost", {
      problem: `its ledger lists ${listed.length} of ${counted(head.number, "change")}`,
    });
  const entries = listed.map((object) => entryOf(objects, object));
  await requireComplete(engine, entries);
  return entries;
}

function entryOf(objects: Objects, object: Digest): KeptEntry {
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
    throw new Failure("ledger-lost", { problem: `an entry of its ledger is lost: ${error.message}` }, error);
  }
}

async function requireComplete(engine: Engine, entries: readonly KeptEntry[]): Promise<void> {
  const told = new Set(
    entries.flatMap(({ entry: { experiment, change } }) =>
      change.kind === "import" ? change.runs.map(({ number }) => `${experiment} ${number}`) : [`${experiment}`],
    ),
  );
  const experiments = recordsOf(await engine.query("select id, name from experiment order by id"));
  for (const row of experiments)
    if (!told.has(String(row.get("id")))) throw tooOld(`experiment '${row.get("name")}' is`);
  for (const row of recordsOf(await engine.query("select experiment, number from run order by experiment, number")))
    if (!told.has(`${row.get("experiment")} ${row.get("number")}`))
      throw tooOld(
        `run ${row.get("number")} of '${experiments.find((each) => each.get("id") === row.get("experiment"))?.get("name")}' is`,
      );
}

function tooOld(what: string): Failure {
  const advice = "it was written before changes were noted: import its files into a new experiment";
  return new Failure("ledger-lost", { problem: `${what} in no entry of its ledger`, advice });
}

/**
 * All objects that it takes to make the database again; each must be there and whole. Fails with `ledger-lost`, naming
 * those that are not.
 */
export async function requireObjects(objects: Objects, entries: readonly KeptEntry[]): Promise<void> {
  const needed = new Map<Digest, string>();
  for (const { entry } of lasting(entries))
    for (const [object, what] of objectsOf(entry.change)) needed.set(object, what);
  const lost: string[] = [];
  for (const [object, what] of needed) if (!(await isWhole(objects, object))) lost.push(`${what} (object ${object})`);
  if (lost.length === 0) return;
  const more = lost.length > 5 ? ` and ${lost.length - 5} more` : "";
  throw new Failure("ledger-lost", { problem: `missing or damaged: ${lost.slice(0, 5).join(", ")}${more}`, lost });
}

/** Objects that it takes to do a change again, and what they are. */
export function objectsOf(change: LedgerChange): (readonly [Digest, string])[] {
  if (change.kind === "attach") return [[change.attachment.object, `attachment ${change.attachment.name}`]];
  if (change.kind !== "import") return [];
  const descriptions = [...change.runs, ...change.inputs].flatMap(({ description }) => description ?? []);
  return [
    ...change.inputs.map(({ object, path }) => [object, path] as const),
    ...descriptions.map((object) => [object, `the description of ${change.inputs[0]?.path ?? "an import"}`] as const),
  ];
}

/** Whether the object is there and what its name promises. */
export async function isWhole(objects: Pick<Objects, "open">, object: Digest): Promise<boolean> {
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

/** Of experiments that were dropped for good nothing need be made again. */
function lasting(entries: readonly KeptEntry[]): KeptEntry[] {
  const gone = new Set(
    entries.filter(({ entry }) => entry.change.kind === "purge-experiment").map(({ entry }) => entry.experiment),
  );
  return entries.filter(({ entry }) => !gone.has(entry.experiment));
}

/**
 * Makes the database again in an empty one: the same ids, numbers, times and rows. `done` is told how many entries are.
 */
export async function rebuild(
  engine: Engine,
  entries: readonly KeptEntry[],
  replay: ImportReplay,
  done: (entries: number) => void,
): Promise<void> {
  await migrate(engine);
  const [first] = entries;
  if (first === undefined) return;
  await adoptIdentity(engine, first.entry.database);
  const wanted = new Set(lasting(entries));
  for (const [at, kept] of entries.entries()) {
    await engine.transaction(async () => {
      if (wanted.has(kept)) await doAgain(engine, kept, replay);
      await noteEntry(engine, kept);
    });
    done(at + 1);
  }
  await engine.transaction(() => raiseSequences(engine, entries));
}

async function doAgain(engine: Engine, { entry }: KeptEntry, replay: ImportReplay): Promise<void> {
  const { change, experiment: id, time } = entry;
  if (change.kind === "create-experiment") {
    const { description: experiment, variables: variableIds, owner } = change;
    await insertExperiment(engine, { id, experiment, variableIds, ...(owner === undefined ? {} : { owner }) }, time);
    return;
  }
  // The sequences take them in at the end.
  if (change.kind === "spend-numbers") return;
  await doChange(engine, await experimentById(engine, id), change, time, (stored, told) =>
    importAgain(engine, stored, told, replay),
  );
  await touch(engine, id, time);
}

/** Does a change that a ledger tells of, in a transaction of the caller. Fails like the change itself. */
export async function doChange(
  engine: Engine,
  stored: StoredExperiment,
  change: Exclude<LedgerChange, { kind: "create-experiment" | "spend-numbers" }>,
  time: number,
  imported: (stored: StoredExperiment, change: ImportChange) => Promise<void>,
): Promise<void> {
  switch (change.kind) {
    case "update-experiment":
      return updateAgain(engine, stored, { ...stored, experiment: change.description, variableIds: change.variables });
    case "import":
      return imported(stored, change);
    case "mend":
      return;
    case "delete-runs":
      return hideRuns(engine, stored, change.runs);
    case "undelete-runs":
      return showRuns(engine, stored, change.runs, change.force === true);
    case "purge-runs":
      return dropRuns(engine, stored, change.runs);
    case "delete-experiment":
      return hideExperiment(engine, stored.id, time);
    case "purge-experiment":
      return dropExperiment(engine, stored.id);
    case "undelete-experiment":
      return showExperiment(engine, stored.id, change.name);
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

async function updateAgain(engine: Engine, before: StoredExperiment, after: StoredExperiment): Promise<void> {
  await alterExperiment(engine, before, after);
  await replaceRights(engine, after);
}

async function importAgain(
  engine: Engine,
  stored: StoredExperiment,
  change: ImportChange,
  replay: ImportReplay,
): Promise<void> {
  const numbers = change.runs.map(({ number }) => number);
  const writer = new RunWriter(engine, stored, numbers);
  try {
    await replay(stored, change, writer);
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
  const problem = `${change.inputs.map(({ path }) => path).join(", ")} gives ${counted(writer.numbers.length, "run")} where there were ${numbers.length}`;
  throw new Failure("ledger-lost", { problem, advice: "use the perfkeep that imported it" });
}

/** Numbers that were given once are never given again. */
async function raiseSequences(engine: Engine, entries: readonly KeptEntry[]): Promise<void> {
  const changes = entries.map(({ entry }) => entry);
  const variables = changes.flatMap(({ change }) => ("variables" in change ? change.variables : []));
  await raise(
    engine,
    "experiment_ids",
    changes.map(({ experiment }) => experiment),
  );
  await raise(engine, "variable_ids", variables);
  for (const row of recordsOf(await engine.query("select id from experiment order by id"))) {
    const id = Number(row.get("id"));
    const own = changes.filter(({ experiment }) => experiment === id);
    await raise(
      engine,
      runSequence(id),
      own.flatMap(({ change }) => numbersGiven(change)),
    );
  }
}

/** Makes the numbers of a sequence go on behind those that were given. */
async function raise(engine: Engine, sequence: string, given: readonly number[]): Promise<void> {
  const next = given.reduce((most, each) => Math.max(most, each), 0) + 1;
  await restartSequence(engine, sequence, next);
}
