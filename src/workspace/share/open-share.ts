import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { RemoteAddresses } from "../../plugins/vcs/vcs.ts";
import { createDurably, makeFolder } from "../../store/durable/durable-file.ts";
import { StoreLock } from "../../store/durable/lock.ts";
import { readRegularFile } from "../../store/durable/regular-file.ts";
import type { Workspace } from "../workspace.ts";
import { readBlobs, blobSizes, type BlobRequest } from "./git/blob-reader.ts";
import { introducedBy, type Damage } from "./git/damage.ts";
import { type ReplayBy, ExperimentsPart } from "./parts/experiments-part.ts";
import { SharedChanges } from "./parts/shared-changes.ts";
import { loginEnvironment } from "./git/git-environment.ts";
import { withRepository } from "./git/with-repository.ts";
import { ObjectsPart } from "./parts/objects-part.ts";
import { Registrations } from "./parts/registrations.ts";
import { resolveRemote } from "./resolve-remote.ts";
import { SetPart } from "./parts/set-part.ts";
import { shareFolder } from "./share-folder.ts";
import type { SharedFolder, SharePart, ShareContext, ShareFilter } from "./parts/share-part.ts";
import { silentProgress, type ShareProgress } from "./git/share-progress.ts";
import type { ShareRepository } from "./git/share-repository.ts";
import { fetchShared, type ShareRemote, userConnection } from "./git/transport.ts";
import type { SharedTree } from "./git/tree-listing.ts";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

/** All that a push or pull works with. */
export interface OpenShare {
  readonly repository: ShareRepository;
  readonly remote: ShareRemote;
  readonly parts: readonly SharePart[];
  readonly scene: ShareContext;
  /** What is to be told of the repository. */
  readonly notes: readonly string[];
}

/** What is wanted of it, and how it is done. */
export interface ShareSettings {
  readonly filter: ShareFilter;
  readonly replay: ReplayBy;
  readonly progress?: ShareProgress;
  /** What is damaged at the remote does not keep the rest from being taken over. */
  readonly skipsDamaged?: boolean;
  /** What is damaged at the remote is repaired first. */
  readonly repairs?: boolean;
}

/** What a remote shares at this moment. */
export interface RemoteState {
  /** null: nothing yet. */
  readonly commit: string | null;
  readonly wireBytes: number;
  folder(part: SharePart): SharedFolder;
}

/**
 * Runs `action` as the only one of this instance that shares. Fails with `no-share-remote`, `lock-held`; refusals name
 * the remote.
 */
export async function withShare<T>(
  workspace: Workspace,
  word: string | undefined,
  way: keyof RemoteAddresses,
  { filter: wish, replay, progress = silentProgress }: ShareSettings,
  action: (share: OpenShare) => Promise<T>,
): Promise<T> {
  const found = await resolveRemote(workspace, word, way);
  const root = shareFolder(workspace.perun());
  const folder = join(root, found.key);
  makeFolder(folder);
  return new StoreLock(join(root, "lock"), workspace.world.command).holdAsync(async () => {
    const { environment, hasTerminal = false } = workspace.world;
    const scene = { workspace, folder, instance: instanceName(root), wish, progress };
    return withRepository(join(root, "git"), loginEnvironment(environment, hasTerminal), async (repository, notes) => {
      const remote = { ...found, way: await userConnection(repository.git, found.connection, environment) };
      try {
        return await action({ repository, remote, parts: shareParts(replay), scene, notes });
      } catch (error) {
        throw await withOrigin(error, repository, remote);
      }
    });
  });
}

/**
 * Fetches what the remote shares, and looks through its paths. What is damaged is refused, or left out where there is a
 * place to note it. Fails with `share-unreachable`, `share-login`, `share-unsafe`, `share-failed`, `share-refused`.
 */
export async function fetchState(
  { repository, remote, parts, scene }: OpenShare,
  damage?: Damage,
): Promise<RemoteState> {
  const ref = fetchedRef(remote);
  const { found, wireBytes } = await fetchShared(repository.git, remote, ref, scene.progress);
  const commit = found ? await repository.commitOf(ref) : null;
  const byName = new Map(parts.map((part) => [part.name, part]));
  const accepts = (name: string, path: string): boolean => byName.get(name)?.accepts(path) ?? true;
  const tree: SharedTree = commit === null ? new Map() : await repository.tree(commit, accepts, damage);
  return {
    commit,
    wireBytes,
    folder: (part) => remoteFolder(repository, part, { paths: tree.get(part.name) ?? new Map(), scene, damage }),
  };
}

/** Where what was fetched of a remote stands. */
export function fetchedRef(remote: ShareRemote): string {
  return `refs/perfkeep/remotes/${remote.key}`;
}

/** Where what is to be sent to it stands. */
export function pushedRef(remote: ShareRemote): string {
  return `refs/perfkeep/sent/${remote.key}`;
}

interface FolderState {
  readonly paths: ReadonlyMap<string, string>;
  readonly scene: ShareContext;
  readonly damage: Damage | undefined;
}

function remoteFolder({ git }: ShareRepository, part: SharePart, { paths, scene, damage }: FolderState): SharedFolder {
  const { progress, workspace } = scene;
  const prefix = `${part.name}/`;
  const wanted = (asked: Iterable<string>): BlobRequest[] =>
    [...asked].map((path) => ({ path: `${prefix}${path}`, blob: paths.get(path) ?? "0".repeat(40) }));
  return {
    paths,
    sizes: (asked) => blobSizes(git, wanted(asked), damage),
    async *read(asked) {
      const blobs = wanted(asked);
      let done = 0;
      progress.phase(`verifying ${part.noun[1]}`);
      for await (const read of readBlobs(git, blobs, { cap: part.cap, damage })) {
        const path = read.path.slice(prefix.length);
        try {
          part.verify(path, read.bytes, workspace.world.now());
        } catch (error) {
          if (damage === undefined) throw error;
          damage.note(read.path, error);
          continue;
        }
        yield { ...read, path };
        progress.show(++done, blobs.length);
      }
    },
  };
}

/** Refusals say of whom, and which commit brought it. */
async function withOrigin(error: unknown, { git }: ShareRepository, remote: ShareRemote): Promise<unknown> {
  if (!isFailure(error, "share-refused")) return error;
  const { path } = error.data;
  const commit = path === undefined ? null : await introducedBy(git, fetchedRef(remote), String(path));
  return new Failure(error.code, { ...error.data, remote: remote.name, ...(commit === null ? {} : { commit }) }, error);
}

/** Made once, at random. */
function instanceName(root: string): string {
  const path = join(root, "instance");
  const read = (): string | undefined =>
    /^[0-9a-f]{32}/.exec(new TextDecoder().decode(readRegularFile(path) ?? new Uint8Array()))?.[0];
  const known = read();
  if (known !== undefined) return known;
  createDurably(path, [new TextEncoder().encode(`${randomBytes(16).toString("hex")}\n`)]);
  return read() ?? randomBytes(16).toString("hex");
}

/**
 * All that instances share, for one push or pull: parts may keep in mind what they told each other. What refers to
 * something stands before it.
 */
function shareParts(replay: ReplayBy): readonly SharePart[] {
  const registrations = new Registrations();
  return [
    new SetPart(new SharedChanges()),
    new SetPart(registrations),
    new ObjectsPart(registrations),
    new ExperimentsPart(replay),
  ];
}
