import { Failure, isFailure } from "../../core/failures/index.ts";
import type { RemoteAddresses } from "../../plugins/vcs/vcs.ts";
import { createDurably, makeFolder, StoreLock, readRegularFile } from "../../store/durable/index.ts";
import type { ConfirmCommands } from "../config/index.ts";
import type { Workspace } from "../workspace.ts";
import { readBlobs, blobSizes, type BlobRequest } from "./git/blob-reader.ts";
import { introducedBy, type Damage } from "./git/damage.ts";
import { type ReplayBy, ExperimentsPart } from "./parts/experiments-part.ts";
import { SharedChanges } from "./parts/change-sets.ts";
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

/** Context of a push or pull. */
export interface OpenShare {
  readonly repository: ShareRepository;
  readonly remote: ShareRemote;
  readonly parts: readonly SharePart[];
  readonly scene: ShareContext;
  /** Notes for the user about the repository. */
  readonly notes: readonly string[];
}

/** Options of a push or pull. */
export interface ShareSettings {
  readonly filter: ShareFilter;
  readonly replay: ReplayBy;
  readonly progress?: ShareProgress;
  /** Skip damaged data of the remote. */
  readonly skipsDamaged?: boolean;
  /** Repair damaged data of the remote first. */
  readonly repairs?: boolean;
  /** Asks about programs that the repository's own configuration names; default: refuses them. */
  readonly confirm?: ConfirmCommands;
}

/** Fetched state of a remote. */
export interface RemoteState {
  /** null: no shared data yet. */
  readonly commit: string | null;
  readonly wireBytes: number;
  folder(part: SharePart): SharedFolder;
}

/**
 * Runs `action` under the share lock of the instance. Fails with `no-share-remote`, `lock-held`; `share-refused` is
 * extended by the remote and the commit.
 */
export async function withShare<T>(
  workspace: Workspace,
  word: string | undefined,
  way: keyof RemoteAddresses,
  { filter, replay, progress = silentProgress, confirm = null }: ShareSettings,
  action: (share: OpenShare) => Promise<T>,
): Promise<T> {
  const found = await resolveRemote(workspace, word, way, confirm);
  const root = shareFolder(workspace.perun());
  const folder = join(root, found.key);
  makeFolder(folder);
  return new StoreLock(join(root, "lock"), workspace.world.command).holdAsync(async () => {
    const { environment, hasTerminal = false } = workspace.world;
    const scene = { workspace, folder, instance: instanceName(root), filter, progress };
    return withRepository(join(root, "git"), loginEnvironment(environment, hasTerminal), async (repository, notes) => {
      const remote = { ...found, connection: await userConnection(repository.git, found.connection, environment) };
      try {
        return await action({ repository, remote, parts: shareParts(replay), scene, notes });
      } catch (error) {
        throw await withOrigin(error, repository, remote);
      }
    });
  });
}

/**
 * Fetches the shared data and lists its paths. Damaged data is refused, or skipped and noted in `damage`. Fails with
 * `share-unreachable`, `share-login`, `share-unsafe`, `share-failed`, `share-refused`.
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

/** Ref of the fetched commit. */
export function fetchedRef(remote: ShareRemote): string {
  return `refs/perfkeep/remotes/${remote.key}`;
}

/** Ref of the commit to push. */
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

/** Adds the remote and the commit that added the path to a refusal. */
async function withOrigin(error: unknown, { git }: ShareRepository, remote: ShareRemote): Promise<unknown> {
  if (!isFailure(error, "share-refused")) return error;
  const { path } = error.data;
  const commit = path === undefined ? null : await introducedBy(git, fetchedRef(remote), String(path));
  return new Failure(error.code, { ...error.data, remote: remote.name, ...(commit === null ? {} : { commit }) }, error);
}

/** Random id of the instance, created once. */
function instanceName(root: string): string {
  const path = join(root, "instance");
  const read = (): string | undefined =>
    /^[0-9a-f]{32}/.exec(new TextDecoder().decode(readRegularFile(path) ?? new Uint8Array()))?.[0];
  const known = read();
  if (known !== undefined) return known;
  createDurably(path, [new TextEncoder().encode(`${randomBytes(16).toString("hex")}\n`)]);
  return read() ?? randomBytes(16).toString("hex");
}

/** All shared parts for one push or pull; they share state. Referring parts precede the parts they refer to. */
function shareParts(replay: ReplayBy): readonly SharePart[] {
  const registrations = new Registrations();
  return [
    new SetPart(new SharedChanges()),
    new SetPart(registrations),
    new ObjectsPart(registrations),
    new ExperimentsPart(replay),
  ];
}
