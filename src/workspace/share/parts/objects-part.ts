import { shareSummary } from "./share-summary.ts";
import { join } from "node:path";
import { isDigest, type Digest } from "../../../core/versions/index.ts";
import { Failure, isFailure } from "../../../core/failures/index.ts";
import { objectSizeLimit, verifyObject, type StoredObject } from "../../../formats/store/index.ts";
import { readProfileHeader } from "../../../formats/profile/index.ts";
import { IncomingObjects } from "../../../store/objects/index.ts";
import { matchesFilter, type Registrations } from "./registrations.ts";
import type { LocalBlob, Received, SharedFolder, SharePart, ShareContext } from "./share-part.ts";

/** Profiles: `ab/cdef…` holds the uncompressed bytes of object abcdef…, its digest. */
export class ObjectsPart implements SharePart {
  readonly name = "objects";
  readonly noun = ["profile", "profiles"] as const;
  readonly kind = "fixed";
  readonly cap = objectSizeLimit;
  readonly #registrations: Registrations;

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  accepts(path: string): boolean {
    return path[2] === "/" && isDigest(path.replace("/", ""));
  }

  verify(path: string, bytes: Uint8Array): void {
    this.#verified(path, bytes);
    this.#registrations.received(digestAt(path), headerIn(path, bytes));
  }

  merge(_path: string, ours: Uint8Array): Uint8Array {
    return ours;
  }

  async local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>> {
    const { objects } = scene.workspace.store();
    const blobs = new Map<string, LocalBlob>();
    for (const [digest, registration] of this.#registrations.mentioned) {
      blobs.set(pathOf(digest), {
        isExcluded: !matchesFilter(scene.filter, registration),
        load: () => objects.withStream(digest),
      });
    }
    return blobs;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const incoming = new IncomingObjects(scene.workspace.store().objects, join(scene.folder, "incoming"));
    try {
      const paths = await this.#wanted(scene, remote);
      for await (const { path, bytes, packed } of remote.read(paths)) {
        await incoming.stage(digestAt(path), bytes, packed);
      }
    } catch (error) {
      await incoming.discard();
      throw error;
    }
    const summary = shareSummary({ "profiles received": incoming.count });
    const apply = async (): Promise<typeof summary> => {
      await incoming.commit();
      return summary;
    };
    return { summary, apply, discard: () => incoming.discard() };
  }

  /** Requested objects that are missing here, present in the remote and not too large. */
  async #wanted(scene: ShareContext, remote: SharedFolder): Promise<readonly string[]> {
    const { objects } = scene.workspace.store();
    const missing = [...this.#registrations.wanted.keys()].filter((digest) => !objects.isIntact(digest)).map(pathOf);
    const there = missing.filter((path) => remote.paths.has(path));
    const { sizeLimit } = scene.filter;
    if (sizeLimit === undefined) return there;
    const sizes = await remote.sizes(there);
    return there.filter((_, i) => sizes[i]! <= sizeLimit);
  }

  #verified(path: string, bytes: Uint8Array): StoredObject {
    try {
      const object = verifyObject(bytes, digestAt(path));
      if (object.kind === "profile") return object;
    } catch (error) {
      if (!isFailure(error, "object-damaged")) throw error;
      throw new Failure("share-refused", { path: `${this.name}/${path}`, reason: String(error.data["reason"]) }, error);
    }
    throw new Failure("share-refused", { path: `${this.name}/${path}`, reason: "it is not a profile" });
  }
}

/** Header of verified bytes. */
function headerIn(path: string, bytes: Uint8Array): ReturnType<typeof readProfileHeader> {
  try {
    return readProfileHeader(bytes.subarray(bytes.indexOf(0) + 1), path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure("share-refused", { path: `objects/${path}`, reason: error.message }, error);
  }
}

function digestAt(path: string): Digest {
  return path.replace("/", "") as Digest;
}

function pathOf(digest: Digest): string {
  return `${digest.slice(0, 2)}/${digest.slice(2)}`;
}
