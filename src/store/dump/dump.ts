import { firstNames } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { printExperiment, printExperimentXml } from "../../formats/descriptions/index.ts";
import {
  numbersFromOne,
  dumpMark,
  dumpMemberName,
  encodeManifest,
  type MissingObject,
  type DumpManifest,
  encodeLedgerEntry,
} from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment, requireFreeName } from "../catalogue/index.ts";
import { NewArchive } from "./dump-archive.ts";
import { experimentMembers, ExperimentDigest, experimentDigest } from "./dump-members.ts";
import {
  type RestoreOptions,
  type RestoredExperiment,
  type WritableObjects,
  ExperimentRestorer,
} from "./experiment-restorer.ts";
import { inventory, portableHistory } from "./inventory.ts";
import { damaged, readDump, type KnownMember } from "./verify-dump.ts";
import type { Objects } from "../objects/index.ts";

export interface DumpOptions {
  /** Path of the dump; an existing file is replaced at the end. */
  readonly to: string;
  /** Records missing and damaged objects in the dump instead of failing. */
  readonly withoutRaw: boolean;
  /** The writing program, for information. */
  readonly program?: string;
}

export interface Dumped {
  readonly experiment: string;
  /** SHA-256 of the experiment; see `experimentDigest`. */
  readonly digest: string;
  /** Number of files in the dump. */
  readonly members: number;
  /** Required objects that are not in the dump. */
  readonly missing: readonly MissingObject[];
}

type ReadableObjects = Pick<Objects, "get" | "open">;

/**
 * Writes an experiment and the objects it was created from to one file, within a transaction of the caller. Fails with
 * `dump-lacks-objects`, `object-damaged`, `cannot-write`, leaving no file.
 */
export async function dump(
  engine: Engine,
  objects: ReadableObjects,
  { id }: Pick<StoredExperiment, "id">,
  options: DumpOptions,
): Promise<Dumped> {
  const stored = await experimentById(engine, id);
  const { entries, objects: intact, missing } = await inventory(engine, objects, stored);
  if (missing.length > 0 && !options.withoutRaw) throw missingFailure(stored.experiment.name, missing);
  const archive = new NewArchive(options.to);
  try {
    const digest = await addMembers(archive, engine, stored);
    for (const object of intact) await addObject(archive, objects, object);
    const idOf = numbersFromOne();
    const portable = await portableHistory(engine, objects, stored, entries ?? [], idOf);
    for (const [at, entry] of portable.entries())
      await addBytes(archive, dumpMemberName({ kind: "ledger", number: at + 1 }), encodeLedgerEntry(entry));
    const { experiment, variableIds } = stored;
    const manifest = encodeManifest({
      schema: "perfkeep.dump/1",
      ...(options.program === undefined ? {} : { program: options.program }),
      experiment: experiment.name,
      spellings: { exp: printExperiment(experiment), xml: printExperimentXml(experiment) },
      contents: digest,
      ...(entries === null ? {} : { variables: variableIds.map(idOf) }),
      missing,
      members: archive.members,
    });
    await addBytes(archive, dumpMemberName({ kind: "manifest" }), manifest);
    await archive.finish();
    return { experiment: experiment.name, digest: digest, members: archive.members.length, missing };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

function missingFailure(experiment: string, missing: readonly MissingObject[]): Failure {
  const listed = missing.map(({ object, what }) => `${what} (object ${object})`);
  return new Failure("dump-lacks-objects", {
    experiment,
    lost: firstNames(listed, 5),
    objects: missing.map(({ object }) => object),
  });
}

async function addBytes(archive: NewArchive, name: string, bytes: Uint8Array): Promise<void> {
  await archive.add(name, bytes.length, [bytes]);
}

/** Returns the experiment's digest. */
async function addMembers(archive: NewArchive, engine: Engine, stored: StoredExperiment): Promise<string> {
  const digest = new ExperimentDigest();
  await addBytes(archive, dumpMark.name, new TextEncoder().encode(dumpMark.text));
  for await (const member of experimentMembers(engine, stored)) {
    await addBytes(archive, member.name, member.bytes);
    digest.add(member.name, archive.members.at(-1)?.sha256 ?? "");
  }
  return digest.end();
}

/** Adds the plain bytes, header first, whose hash is the object's name. */
async function addObject(archive: NewArchive, objects: ReadableObjects, object: Digest): Promise<void> {
  const { header, body } = await objects.open(object);
  const head = new TextEncoder().encode(`${header.kind} ${header.type} ${header.length}\0`);
  async function* plain(): AsyncIterable<Uint8Array> {
    yield head;
    yield* body;
  }
  await archive.add(dumpMemberName({ kind: "object", object }), head.length + header.length, plain());
}

/**
 * Restores the experiment of a verified dump, within a transaction of the caller. Runs keep their numbers; the
 * experiment gets new ids, and its history is appended to this ledger. Fails with `experiment-exists`, `dump-damaged`.
 */
export async function restore(
  engine: Engine,
  objects: WritableObjects,
  manifest: DumpManifest,
  options: RestoreOptions,
): Promise<RestoredExperiment> {
  const name = options.as ?? manifest.experiment;
  if (name === "" || /\p{Cc}/u.test(name)) throw damaged(options.from, "its experiment has no valid name");
  await requireFreeName(engine, name);
  const restorer = new ExperimentRestorer(engine, objects, { ...options, as: name, variables: manifest.variables });
  for await (const member of readDump(options.from)) await addMember(restorer, member, options.from);
  if ((await experimentDigest(engine, await restorer.finishRows())) !== manifest.contents)
    throw damaged(options.from, "its data does not match its manifest");
  const { runs, history } = await restorer.finish();
  return { experiment: name, digest: manifest.contents, runs, missing: manifest.missing, history };
}

/** Failures that only a manipulated dump can cause. */
const signsOfDamage = ["database-refused", "text-not-storable", "attachment-exists", "object-damaged"] as const;

async function addMember(restorer: ExperimentRestorer, member: KnownMember, path: string): Promise<void> {
  try {
    await restorer.add(member);
  } catch (error) {
    if (error instanceof Failure && signsOfDamage.some((code) => error.code === code))
      throw damaged(path, `its member '${member.name}' cannot be stored: ${error.message}`, error);
    throw error;
  }
}
