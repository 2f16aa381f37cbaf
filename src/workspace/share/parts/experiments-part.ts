import { shareSummary, type ShareSummary, summarizeMerge } from "./share-news.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDigest, type Digest } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { objectSizeLimit, verifyObject } from "../../../formats/store/object.ts";
import type { SharedChange } from "../../../formats/store/sharing/experiment-change.ts";
import { removeDurably, writeDurably } from "../../../store/durable/durable-file.ts";
import type { Experiments } from "../../../store/experiments/experiments.ts";
import { IncomingObjects } from "../../../store/objects/incoming-objects.ts";
import type { Objects } from "../../../store/objects/objects.ts";
import type { ImportReplay } from "../../../store/ledger/rebuild.ts";
import { lackingObjects, objectsOfShared, type JoinedExperiments } from "../../../store/history/merge-experiments.ts";
import { knownChange, KnownChanges, type KnownChange } from "../../../store/history/known-changes.ts";
import { embeddedDatabase, experimentHome, isServer, withExperiments } from "../../experiments/experiments.ts";
import { openRegistry, type Registry } from "../../plugins/registry.ts";
import type { Workspace } from "../../workspace.ts";
import { experimentsMark, readRecord } from "../remote-records.ts";
import type { LocalBlob, PartStanding, Received, SharedFolder, SharePart, ShareContext } from "./share-part.ts";

/** How imports are done again, by importers of that registry. */
export type ReplayBy = (objects: Objects, registry: Registry) => ImportReplay;

/** Changes are small; what has more bytes is none. */
const maxChangeBytes = 16 * 1024 * 1024;

/** With its header it is an object that travels in one piece. */
const maxFileBytes = objectSizeLimit - 100;

/** Clocks differ by less. */
const microsecondsAhead = 86_400_000_000;

/**
 * The experiments of the embedded database: `<uid>/<digest>` holds a change, `ab/cdef…` the plain bytes of a file or
 * description that changes need. Everybody's changes are joined (docs/adr/018-share-experiments.md).
 */
export class ExperimentsPart implements SharePart {
  readonly name = "experiments";
  readonly noun = ["change of an experiment", "changes and files of experiments"] as const;
  readonly kind = "fixed";
  readonly cap = objectSizeLimit;
  readonly #replay: ReplayBy;
  /** What the embedded database looked like before it was asked for its changes. */
  #told: string | undefined;

  constructor(replay: ReplayBy) {
    this.#replay = replay;
  }

  accepts(path: string): boolean {
    return isFilePath(path) || changeAt(path) !== null;
  }

  verify(path: string, content: Uint8Array, now: number): void {
    try {
      if (isFilePath(path)) verifyFile(path, content);
      else verifyChange(path, content, now);
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
    const contents = new Map<string, LocalBlob>();
    if (!shares(scene)) return contents;
    const { objects } = experimentHome(scene.workspace);
    this.#told = experimentsMark(scene.workspace.perun());
    for (const { digest, bytes, change } of await exportChanges(scene)) {
      if (!matchesFilter(scene, change) || lackingObjects(objects, change).length > 0) continue;
      // A large push goes in several commits: files come before what needs them.
      for (const object of objectsOfShared(change)) contents.set(pathOf(object), { load: () => objects.plain(object) });
      contents.set(`${change.experiment}/${digest}`, { load: () => bytes });
    }
    return contents;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const { objects } = experimentHome(scene.workspace);
    const incoming = new IncomingObjects(objects, join(scene.folder, `${this.name}-incoming`));
    if (!shares(scene)) return receivedNothing(incoming);
    try {
      const known = new KnownChanges(knownFolder(scene.workspace));
      const changes = await newChanges(scene, remote, known);
      const wanted = [...everyChange(known), ...changes].flatMap(({ change }) => lackingObjects(objects, change));
      const paths = [...new Set(wanted)].map(pathOf).filter((path) => remote.paths.has(path));
      for await (const { path, bytes: content, packed } of remote.read(paths))
        await incoming.stage(digestAt(path), content, packed);
      const apply = (): Promise<ShareSummary> => this.#join(scene, known, changes, incoming);
      return {
        summary: shareSummary({ "changes of experiments": changes.length }),
        apply,
        discard: () => incoming.discard(),
      };
    } catch (error) {
      incoming.discard();
      throw error;
    }
  }

  async standing(scene: ShareContext, remote: SharedFolder): Promise<PartStanding | null> {
    const { workspace, folder } = scene;
    const home = experimentHome(workspace);
    if (home.database !== embeddedDatabase(workspace)) return null;
    const mark = experimentsMark(workspace.perun());
    const isTold = mark === (this.#told ?? readRecord(folder)?.summary.experiments);
    const changes = isTold ? everyChange(new KnownChanges(knownFolder(workspace))) : await exportChanges(scene);
    const known = new Set(changes.map(({ change, digest }) => `${change.experiment}/${digest}`));
    const sendable = changes.filter(
      ({ change }) => matchesFilter(scene, change) && lackingObjects(home.objects, change).length === 0,
    );
    const push = sendable.filter(({ change, digest }) => !remote.paths.has(`${change.experiment}/${digest}`)).length;
    const pull = [...remote.paths.keys()].filter((path) => changeAt(path) !== null && !known.has(path)).length;
    return { kind: "experiments", push, pull, mark };
  }

  /** What is known is noted first: a pull that is killed, or had to leave something out, goes on from there. */
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
      incoming.discard();
      return shareSummary({});
    }
    writeDurably(unfinished, []);
    await incoming.commit();
    known.add(changes);
    const how = {
      replay: this.#replay(home.objects, workspace.registry),
      // What others configured is no concern of ours: plug-ins of users read nothing that came from elsewhere.
      replayOthers: this.#replay(home.objects, openRegistry()),
      owner: workspace.world.environment["USER"],
      progress,
    };
    const now = workspace.world.now() * 1000;
    const work = (all: Experiments): Promise<JoinedExperiments> => all.joinChanges(known, now, how);
    const joined = await withExperiments(workspace, home, "write", work, () => {});
    if (joined.experiments.every(({ left, refused }) => left.length === 0 && refused === undefined))
      removeDurably(unfinished);
    return summarizeMerge(joined);
  }
}

/** A server shares its experiments itself; who wants the profiles of one collector wants nothing else. */
function shares({ workspace, filter: wish }: ShareContext): boolean {
  return wish.collector === undefined && !isServer(experimentHome(workspace).database);
}

function receivedNothing(incoming: IncomingObjects): Received {
  const news = shareSummary({});
  return { summary: news, apply: async () => news, discard: () => incoming.discard() };
}

/** Everything that is known, what was done here since it was told last among it. */
async function exportChanges({ workspace }: ShareContext): Promise<KnownChange[]> {
  const known = new KnownChanges(knownFolder(workspace));
  const home = experimentHome(workspace);
  const now = workspace.world.now() * 1000;
  if (existsSync(home.database))
    await withExperiments(
      workspace,
      home,
      "read",
      (all) => all.tellChanges(known, now),
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
  for await (const { bytes: content } of remote.read(paths)) {
    const change = knownChange(content);
    if (matchesFilter(scene, change.change)) changes.push(change);
  }
  return changes;
}

/** What was imported before, or is larger, is not: all else takes part, since it says what became of the rest. */
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

function verifyFile(path: string, content: Uint8Array): void {
  const { kind } = verifyObject(content, digestAt(path));
  if (kind !== "attachment") throw damagedEntry(path, "it is no file of an experiment");
}

function verifyChange(path: string, content: Uint8Array, now: number): void {
  if (content.length > maxChangeBytes) throw damagedEntry(path, `it has more than ${maxChangeBytes} bytes`);
  if (content.indexOf(0x0a) !== content.length - 1) throw damagedEntry(path, "it is no line");
  const { digest, change } = knownChange(content);
  const at = changeAt(path);
  if (at === null || at.digest !== digest) throw damagedEntry(path, `its content has the digest ${digest}`);
  if (at.experiment !== change.experiment) throw damagedEntry(path, "it is a change of another experiment");
  // All that is done from then on would be dated behind it.
  if (change.sent > now * 1000 + microsecondsAhead) throw damagedEntry(path, "it is dated more than a day ahead");
}

function damagedEntry(entry: string, problem: string): Failure {
  return new Failure("ledger-damaged", { entry, problem });
}
