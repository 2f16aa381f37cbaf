import { shareSummary } from "./share-news.ts";
import { join } from "node:path";
import { isDigest, type Digest } from "../../../core/versions/digest.ts";
import { Failure, isFailure } from "../../../core/failures/failure.ts";
import { objectSizeLimit, verifyObject, type StoredObject } from "../../../formats/store/object.ts";
import { readProfileHeader } from "../../../formats/profile/profile-header.ts";
import { IncomingObjects } from "../../../store/objects/incoming-objects.ts";
import { matchesFilter, type Registrations } from "./registrations.ts";
import type { LocalBlob, Received, SharedFolder, SharePart, ShareContext } from "./share-part.ts";

/** The profiles themselves: `ab/cdef…` holds the plain bytes of object abcdef…, which hash to that. */
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

  verify(path: string, content: Uint8Array): void {
    this.#verified(path, content);
    this.#registrations.received(digestAt(path), headerIn(path, content));
  }

  merge(_path: string, ours: Uint8Array): Uint8Array {
    return ours;
  }

  async local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>> {
    const { objects } = scene.workspace.store();
    const contents = new Map<string, LocalBlob>();
    for (const [digest, registration] of this.#registrations.mentioned) {
      contents.set(pathOf(digest), {
        isExcluded: !matchesFilter(scene.filter, registration),
        load: () => objects.plain(digest),
      });
    }
    return contents;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const incoming = new IncomingObjects(scene.workspace.store().objects, join(scene.folder, "incoming"));
    try {
      const paths = await this.#wanted(scene, remote);
      for await (const { path, bytes: content, packed } of remote.read(paths)) {
        await incoming.stage(digestAt(path), content, packed);
      }
    } catch (error) {
      incoming.discard();
      throw error;
    }
    const news = shareSummary({ "profiles received": incoming.count });
    const apply = async (): Promise<typeof news> => {
      await incoming.commit();
      return news;
    };
    return { summary: news, apply, discard: () => incoming.discard() };
  }

  /** Wanted, not here, there, and not too large. */
  async #wanted(scene: ShareContext, remote: SharedFolder): Promise<readonly string[]> {
    const { objects } = scene.workspace.store();
    const missing = [...this.#registrations.wanted.keys()].filter((digest) => !objects.isIntact(digest)).map(pathOf);
    const there = missing.filter((path) => remote.paths.has(path));
    const { sizeLimit } = scene.filter;
    if (sizeLimit === undefined) return there;
    const sizes = await remote.sizes(there);
    return there.filter((_, i) => sizes[i]! <= sizeLimit);
  }

  #verified(path: string, content: Uint8Array): StoredObject {
    try {
      const object = verifyObject(content, digestAt(path));
      if (object.kind === "profile") return object;
    } catch (error) {
      if (!isFailure(error, "object-damaged")) throw error;
      throw new Failure("share-refused", { path: `${this.name}/${path}`, reason: String(error.data["reason"]) }, error);
    }
    throw new Failure("share-refused", { path: `${this.name}/${path}`, reason: "it is no profile" });
  }
}

/** Of bytes that have been verified. */
function headerIn(path: string, content: Uint8Array): ReturnType<typeof readProfileHeader> {
  try {
    return readProfileHeader(content.subarray(content.indexOf(0) + 1), path);
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
