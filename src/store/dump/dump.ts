import type { Digest } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { numbersFromOne } from "../../formats/store/experiments/dump-ledger.ts";
import {
  dumpMark,
  dumpMemberName,
  encodeManifest,
  type MissingObject,
} from "../../formats/store/experiments/dump-manifest.ts";
import { printExperiment } from "../../formats/descriptions/experiment/experiment-print.ts";
import { printExperimentXml } from "../../formats/descriptions/experiment/experiment-xml-print.ts";
import { encodeLedgerEntry } from "../../formats/store/experiments/ledger.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment } from "../catalogue/catalogue.ts";
import { NewArchive } from "./dump-archive.ts";
import { experimentMembers, ExperimentDigest } from "./dump-members.ts";
import { inventory, portableHistory } from "./inventory.ts";
import type { Objects } from "../objects/objects.ts";

export interface DumpOptions {
  /** The path of the new file; what stands there is replaced at the end. */
  readonly to: string;
  /** Objects that are not whole on this machine are noted in the dump instead of ending it. */
  readonly withoutRaw: boolean;
  /** What writes it, for those who read it. */
  readonly program?: string;
}

export interface Dumped {
  readonly experiment: string;
  /** SHA-256 over all contents; see `contentsDigest`. */
  readonly contents: string;
  /** Files in the dump. */
  readonly members: number;
  /** What belongs to it and is not in the dump. */
  readonly missing: readonly MissingObject[];
}

type ReadableObjects = Pick<Objects, "get" | "open">;

/**
 * Writes an experiment with all that it was made from into one file; in a transaction of the caller. Fails with
 * `dump-lacks-objects`, `object-damaged`, `cannot-write`; there is no file then.
 */
export async function dump(
  engine: Engine,
  objects: ReadableObjects,
  { id }: Pick<StoredExperiment, "id">,
  options: DumpOptions,
): Promise<Dumped> {
  const stored = await experimentById(engine, id);
  const { entries, objects: whole, missing } = await inventory(engine, objects, stored);
  if (missing.length > 0 && !options.withoutRaw) throw missingFailure(stored.experiment.name, missing);
  const archive = new NewArchive(options.to);
  try {
    const contents = await addMembers(archive, engine, stored);
    for (const object of whole) await addObject(archive, objects, object);
    const idOf = numbersFromOne();
    const told = await portableHistory(engine, objects, stored, entries ?? [], idOf);
    for (const [at, entry] of told.entries())
      await addBytes(archive, dumpMemberName({ kind: "ledger", number: at + 1 }), encodeLedgerEntry(entry));
    const { experiment, variableIds } = stored;
    const manifest = encodeManifest({
      schema: "perfkeep.dump/1",
      ...(options.program === undefined ? {} : { program: options.program }),
      experiment: experiment.name,
      spellings: { exp: printExperiment(experiment), xml: printExperimentXml(experiment) },
      contents,
      ...(entries === null ? {} : { variables: variableIds.map(idOf) }),
      missing,
      members: archive.members,
    });
    await addBytes(archive, dumpMemberName({ kind: "manifest" }), manifest);
    await archive.finish();
    return { experiment: experiment.name, contents, members: archive.members.length, missing };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

function missingFailure(experiment: string, missing: readonly MissingObject[]): Failure {
  const told = missing.slice(0, 5).map(({ object, what }) => `${what} (object ${object})`);
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return new Failure("dump-lacks-objects", {
    experiment,
    lost: `${told.join(", ")}${more}`,
    objects: missing.map(({ object }) => object),
  });
}

async function addBytes(archive: NewArchive, name: string, bytes: Uint8Array): Promise<void> {
  await archive.add(name, bytes.length, [bytes]);
}

/** Answers the digest of the contents. */
async function addMembers(archive: NewArchive, engine: Engine, stored: StoredExperiment): Promise<string> {
  const digest = new ExperimentDigest();
  await addBytes(archive, dumpMark.name, new TextEncoder().encode(dumpMark.text));
  for await (const member of experimentMembers(engine, stored)) {
    await addBytes(archive, member.name, member.bytes);
    digest.add(member.name, archive.members.at(-1)?.sha256 ?? "");
  }
  return digest.end();
}

/** The plain bytes, header first, so that they hash to the name. */
async function addObject(archive: NewArchive, objects: ReadableObjects, object: Digest): Promise<void> {
  const { header, body } = await objects.open(object);
  const head = new TextEncoder().encode(`${header.kind} ${header.type} ${header.length}\0`);
  async function* plain(): AsyncIterable<Uint8Array> {
    yield head;
    yield* body;
  }
  await archive.add(dumpMemberName({ kind: "object", object }), head.length + header.length, plain());
}
