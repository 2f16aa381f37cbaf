import type { Digest } from "../core/digest.ts";
import { Failure, isFailure } from "../core/errors.ts";
import { dumpedEntry, numbersFromOne } from "../formats/dump-ledger.ts";
import { dumpMark, dumpMemberName, encodeManifest, type MissingObject } from "../formats/dump-manifest.ts";
import { printExperiment } from "../formats/experiment-print.ts";
import { printExperimentXml } from "../formats/experiment-xml-print.ts";
import { encodeLedgerEntry } from "../formats/ledger.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment } from "./catalogue.ts";
import { listAttachments } from "./attachments.ts";
import { NewArchive } from "./dump-archive.ts";
import { contentMembers, ContentsDigest } from "./dump-contents.ts";
import { experimentUids, keysByEntry } from "./experiment-history/local-history.ts";
import { creations, readEntry, type KeptEntry } from "./ledger.ts";
import type { Objects } from "./objects.ts";
import { isWhole, objectsOf } from "./rebuild.ts";
import { recordsOf } from "./rows.ts";

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

type KeptObjects = Pick<Objects, "get" | "open">;

/**
 * Writes an experiment with all that it was made from into one file; in a transaction of the caller. Fails with `dump-lacks-objects`,
 * `object-damaged`, `cannot-write`; there is no file then.
 */
export async function dump(
  engine: Engine,
  objects: KeptObjects,
  { id }: Pick<StoredExperiment, "id">,
  options: DumpOptions,
): Promise<Dumped> {
  const stored = await experimentById(engine, id);
  const { entries, objects: whole, missing } = await inventory(engine, objects, stored);
  if (missing.length > 0 && !options.withoutRaw) throw lacking(stored.experiment.name, missing);
  const archive = new NewArchive(options.to);
  try {
    const contents = await addContents(archive, engine, stored);
    for (const object of whole) await addObject(archive, objects, object);
    const idOf = numbersFromOne();
    const identityOf = await identities(engine, objects, stored, entries ?? []);
    for (const [at, { object, entry }] of (entries ?? []).entries()) {
      const place = { number: at + 1, idOf, object, identity: identityOf(object) };
      await addBytes(archive, dumpMemberName({ kind: "ledger", number: at + 1 }), encodeLedgerEntry(dumpedEntry(entry, place)));
    }
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

function lacking(experiment: string, missing: readonly MissingObject[]): Failure {
  const told = missing.slice(0, 5).map(({ object, what }) => `${what} (object ${object})`);
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return new Failure("dump-lacks-objects", { experiment, lost: `${told.join(", ")}${more}`, objects: missing.map(({ object }) => object) });
}

async function addBytes(archive: NewArchive, name: string, bytes: Uint8Array): Promise<void> {
  await archive.add(name, bytes.length, [bytes]);
}

/** Answers the digest of the contents. */
async function addContents(archive: NewArchive, engine: Engine, stored: StoredExperiment): Promise<string> {
  const digest = new ContentsDigest();
  await addBytes(archive, dumpMark.name, new TextEncoder().encode(dumpMark.text));
  for await (const member of contentMembers(engine, stored)) {
    await addBytes(archive, member.name, member.bytes);
    digest.add(member.name, archive.members.at(-1)?.sha256 ?? "");
  }
  return digest.end();
}

/** The plain bytes, header first, so that they hash to the name. */
async function addObject(archive: NewArchive, objects: KeptObjects, object: Digest): Promise<void> {
  const { header, body } = await objects.open(object);
  const head = new TextEncoder().encode(`${header.kind} ${header.type} ${header.length}\0`);
  async function* plain(): AsyncIterable<Uint8Array> {
    yield head;
    yield* body;
  }
  await archive.add(dumpMemberName({ kind: "object", object }), head.length + header.length, plain());
}

/** What the experiment and its variables are called among all instances, told with each entry that describes it. */
async function identities(
  engine: Engine,
  objects: KeptObjects,
  { id }: StoredExperiment,
  entries: readonly KeptEntry[],
): Promise<(entry: Digest) => { readonly uid?: Digest; readonly keys?: readonly string[] }> {
  const uid = experimentUids(await creations(engine, objects)).get(id);
  const keys = keysByEntry(entries);
  return (entry) => {
    const own = keys.get(entry);
    return { ...(uid === undefined ? {} : { uid }), ...(own === undefined ? {} : { keys: own }) };
  };
}

interface Inventory {
  /** What happened to the experiment, in order; null when that is not known from its beginning on. */
  readonly entries: readonly KeptEntry[] | null;
  /** Ascending. */
  readonly objects: readonly Digest[];
  readonly missing: readonly MissingObject[];
}

async function inventory(engine: Engine, objects: KeptObjects, stored: StoredExperiment): Promise<Inventory> {
  const { entries, lost } = await historyOf(engine, objects, stored);
  const needed = await neededObjects(engine, stored, entries);
  const missing = [...lost];
  const whole: Digest[] = [];
  for (const [object, what] of [...needed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (await isWhole(objects, object)) whole.push(object);
    else missing.push({ object, what });
  }
  const complete = lost.length === 0 && entries[0]?.entry.change.kind === "create-experiment";
  return { entries: complete ? entries : null, objects: whole, missing };
}

async function historyOf(
  engine: Engine,
  objects: KeptObjects,
  { id }: StoredExperiment,
): Promise<{ entries: KeptEntry[]; lost: MissingObject[] }> {
  const listed = recordsOf(await engine.query("select number, object from ledger where experiment = $1 order by number", [id]));
  const entries: KeptEntry[] = [];
  const lost: MissingObject[] = [];
  for (const row of listed) {
    const object = String(row.get("object")) as Digest;
    try {
      entries.push(readEntry(objects, object));
    } catch (error) {
      if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
      lost.push({ object, what: `entry ${row.get("number")} of the ledger` });
    }
  }
  return { entries, lost };
}

/** Raw files, descriptions and attachments, and what they are; also of runs that were dropped since, which a rebuild passes by. */
async function neededObjects(
  engine: Engine,
  stored: StoredExperiment,
  entries: readonly KeptEntry[],
): Promise<ReadonlyMap<Digest, string>> {
  const needed = new Map<Digest, string>();
  const sources = await engine.query("select path, object, description from source where experiment = $1 order by run, ordinal", [
    stored.id,
  ]);
  const runs = await engine.query("select number, description from run where experiment = $1 order by number", [stored.id]);
  const note = (object: unknown, what: string): void => {
    if (typeof object === "string" && !needed.has(object as Digest)) needed.set(object as Digest, what);
  };
  for (const row of recordsOf(sources)) {
    note(row.get("object"), String(row.get("path")));
    note(row.get("description"), `the description of ${row.get("path")}`);
  }
  for (const row of recordsOf(runs)) note(row.get("description"), `the description of run ${row.get("number")}`);
  for (const { object, name } of await listAttachments(engine, stored)) note(object, `attachment ${name}`);
  for (const { entry } of entries) for (const [object, what] of objectsOf(entry.change)) note(object, what);
  return needed;
}
