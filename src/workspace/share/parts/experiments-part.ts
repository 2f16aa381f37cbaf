import { shareSummary, type ShareSummary, summarizeMerge } from "./share-summary.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDigest, type Digest } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { objectSizeLimit, verifyObject, type SharedChange } from "../../../formats/store/index.ts";
import { removeDurably, writeDurably } from "../../../store/durable/index.ts";
import type { Experiments } from "../../../store/experiments/index.ts";
import { IncomingObjects, type Objects } from "../../../store/objects/index.ts";
import type { ImportReplay } from "../../../store/ledger/index.ts";
import {
  missingObjects,
  objectsOfShared,
  type MergedExperiments,
  decodeKnownChange,
  KnownChanges,
  type KnownChange,
} from "../../../store/history/index.ts";
import { embeddedDatabase, experimentHome, isServer, withExperiments } from "../../experiments/index.ts";
import { openRegistry, type Registry } from "../../plugins/index.ts";
import type { Workspace } from "../../workspace.ts";
import { experimentsMark, readRecord } from "../remote-records.ts";
import type { LocalBlob, PartStanding, Received, SharedFolder, SharePart, ShareContext } from "./share-part.ts";

/** Replays imports with the importers of a registry. */
export type ReplayBy = (objects: Objects, registry: Registry) => ImportReplay;

/** Maximum size of a change. */
const maxChangeBytes = 16 * 1024 * 1024;

/** Maximum file size; with its header it must fit into one object. */
const maxFileBytes = objectSizeLimit - 100;

/** Maximum clock difference. */
const microsecondsAhead = 86_400_000_000;

/**
 * Experiments of the embedded database: `<uid>/<digest>` holds a change, `ab/cdef…` the bytes of a file or description
 * that changes need. The changes of all instances are merged (docs/adr/018-share-experiments.md).
 */
export class ExperimentsPart implements SharePart {
  readonly name = "experiments";
  readonly noun = ["change of an experiment", "changes and files of experiments"] as const;
  readonly kind = "fixed";
  readonly cap = objectSizeLimit;
  readonly #replay: ReplayBy;
  /** Fingerprint of the embedded database before its changes were exported. */
  #exportedMark: string | undefined;

  constructor(replay: ReplayBy) {
    this.#replay = replay;
  }

  accepts(path: string): boolean {
    return isFilePath(path) || changeAt(path) !== null;
  }

  verify(path: string, bytes: Uint8Array, now: number): void {
    try {
      if (isFilePath(path)) verifyFile(path, bytes);
      else verifyChange(path, bytes, now);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(
        "share-refused",
        {
          path: `${this.name}/${path}`,
          reason: String(error.data["problem"] ?? error.data["reason"] ?? error.message),
        },
        error,
      );
    }
  }

  merge(_path: string, ours: Uint8Array): Uint8Array {
    return ours;
  }

  async local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>> {
    const blobs = new Map<string, LocalBlob>();
    if (!shares(scene)) return blobs;
    const { objects } = experimentHome(scene.workspace);
    this.#exportedMark = experimentsMark(scene.workspace.perun());
    for (const { digest, bytes, change } of await exportChanges(scene)) {
      if (!matchesFilter(scene, change) || missingObjects(objects, change).length > 0) continue;
      // A large push has several commits: files precede the changes that need them.
      for (const object of objectsOfShared(change))
        blobs.set(pathOf(object), { load: () => objects.withStream(object) });
      blobs.set(`${change.experiment}/${digest}`, { load: () => ({ bytes }) });
    }
    return blobs;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const { objects } = experimentHome(scene.workspace);
    const incoming = new IncomingObjects(objects, join(scene.folder, `${this.name}-incoming`));
    if (!shares(scene)) return receivedNothing(incoming);
    try {
      const known = new KnownChanges(knownFolder(scene.workspace));
      const changes = await newChanges(scene, remote, known);
      const missing = [...everyChange(known), ...changes].flatMap(({ change }) => missingObjects(objects, change));
      const paths = [...new Set(missing)].map(pathOf).filter((path) => remote.paths.has(path));
      for await (const { path, bytes, packed } of remote.read(paths))
        await incoming.stage(digestAt(path), bytes, packed);
      const apply = (): Promise<ShareSummary> => this.#join(scene, known, changes, incoming);
      return {
        summary: shareSummary({ "changes of experiments": changes.length }),
        apply,
        discard: () => incoming.discard(),
      };
    } catch (error) {
      await incoming.discard();
      throw error;
    }
  }

  async standing(scene: ShareContext, remote: SharedFolder): Promise<PartStanding | null> {
    const { workspace, folder } = scene;
    const home = experimentHome(workspace);
    if (home.database !== embeddedDatabase(workspace)) return null;
    const mark = experimentsMark(workspace.perun());
    const isExported = mark === (this.#exportedMark ?? readRecord(folder)?.summary.experiments);
    const changes = isExported ? everyChange(new KnownChanges(knownFolder(workspace))) : await exportChanges(scene);
    const known = new Set(changes.map(({ change, digest }) => `${change.experiment}/${digest}`));
    const sendable = changes.filter(
      ({ change }) => matchesFilter(scene, change) && missingObjects(home.objects, change).length === 0,
    );
    const push = sendable.filter(({ change, digest }) => !remote.paths.has(`${change.experiment}/${digest}`)).length;
    const pull = [...remote.paths.keys()].filter((path) => changeAt(path) !== null && !known.has(path)).length;
    return { kind: "experiments", push, pull, mark };
  }

  /** Records the known changes first, so that a killed or incomplete pull resumes from there. */
  async #join(
    scene: ShareContext,
    known: KnownChanges,
    changes: readonly KnownChange[],
    incoming: IncomingObjects,
  ): Promise<ShareSummary> {
    const { workspace, progress } = scene;
    const home = experimentHome(workspace);
    const unfinished = join(knownFolder(workspace), "unfinished");
    const isLost = !existsSync(home.database) && known.experiments().length > 0;
    if (changes.length + incoming.count === 0 && !isLost && !existsSync(unfinished)) {
      await incoming.discard();
      return shareSummary({});
    }
    writeDurably(unfinished, []);
    await incoming.commit();
    known.add(changes);
    const options = {
      replay: this.#replay(home.objects, workspace.registry),
      // Changes from elsewhere are read by built-in importers only, never by plug-ins of the user.
      replayOthers: this.#replay(home.objects, openRegistry()),
      owner: workspace.world.environment["USER"],
      progress,
    };
    const now = workspace.time();
    const work = (all: Experiments): Promise<MergedExperiments> => all.mergeChanges(known, now, options);
    const merged = await withExperiments(workspace, home, "write", work, () => {});
    if (merged.experiments.every(({ skipped, refused }) => skipped.length === 0 && refused === undefined))
      removeDurably(unfinished);
    return summarizeMerge(merged);
  }
}

/** Servers share their experiments themselves; a filter by collector selects profiles only. */
function shares({ workspace, filter: wish }: ShareContext): boolean {
  return wish.collector === undefined && !isServer(experimentHome(workspace).database);
}

function receivedNothing(incoming: IncomingObjects): Received {
  const summary = shareSummary({});
  return { summary, apply: async () => summary, discard: () => incoming.discard() };
}

/** All changes, including local ones since the last export. */
async function exportChanges({ workspace }: ShareContext): Promise<KnownChange[]> {
  const known = new KnownChanges(knownFolder(workspace));
  const home = experimentHome(workspace);
  const now = workspace.time();
  if (existsSync(home.database))
    await withExperiments(
      workspace,
      home,
      "read",
      (all) => all.addLocalChanges(known, now),
      () => {},
    );
  return everyChange(known);
}

function everyChange(known: KnownChanges): KnownChange[] {
  return known.experiments().flatMap((uid) => [...known.of(uid).values()]);
}

function knownFolder(workspace: Workspace): string {
  return join(workspace.perun(), "share", "experiments");
}

async function newChanges(scene: ShareContext, remote: SharedFolder, known: KnownChanges): Promise<KnownChange[]> {
  const paths = [...remote.paths.keys()].filter((path) => {
    const at = changeAt(path);
    return at !== null && !known.of(at.experiment).has(at.digest);
  });
  const changes: KnownChange[] = [];
  for await (const { bytes } of remote.read(paths)) {
    const change = decodeKnownChange(bytes);
    if (matchesFilter(scene, change.change)) changes.push(change);
  }
  return changes;
}

/** Excludes imports that are too old or too large; all other changes are needed to interpret the rest. */
function matchesFilter(
  { filter: { since = -Infinity, sizeLimit = Infinity } }: ShareContext,
  { what, time }: SharedChange,
): boolean {
  return (
    what.kind !== "import" ||
    (time >= since * 1e6 && what.inputs.every(({ bytes }) => bytes <= Math.min(sizeLimit, maxFileBytes)))
  );
}

function isFilePath(path: string): boolean {
  return path[2] === "/" && isDigest(path.replace("/", ""));
}

function digestAt(path: string): Digest {
  return path.replace("/", "") as Digest;
}

function pathOf(digest: Digest): string {
  return `${digest.slice(0, 2)}/${digest.slice(2)}`;
}

function changeAt(path: string): { readonly experiment: Digest; readonly digest: Digest } | null {
  const [experiment = "", digest = "", more] = path.split("/");
  return more === undefined && isDigest(experiment) && isDigest(digest) ? { experiment, digest } : null;
}

function verifyFile(path: string, bytes: Uint8Array): void {
  const { kind } = verifyObject(bytes, digestAt(path));
  if (kind !== "attachment") throw damagedEntry(path, "it is not a file of an experiment");
}

function verifyChange(path: string, bytes: Uint8Array, now: number): void {
  if (bytes.length > maxChangeBytes) throw damagedEntry(path, `it has more than ${maxChangeBytes} bytes`);
  if (bytes.indexOf(0x0a) !== bytes.length - 1) throw damagedEntry(path, "it is not a single line");
  const { digest, change } = decodeKnownChange(bytes);
  const at = changeAt(path);
  if (at === null || at.digest !== digest) throw damagedEntry(path, `its digest is ${digest}`);
  if (at.experiment !== change.experiment) throw damagedEntry(path, "it belongs to another experiment");
  // Later changes would be dated after it.
  if (change.sent > now * 1000 + microsecondsAhead) throw damagedEntry(path, "it is dated more than a day ahead");
}

function damagedEntry(entry: string, problem: string): Failure {
  return new Failure("ledger-damaged", { entry, problem });
}
