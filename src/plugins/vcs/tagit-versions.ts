import {
  isVersionId,
  type VersionId,
  parseRevision,
  type RevisionStep,
  type MinorVersion,
} from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { TagitObjects } from "./tagit-objects.ts";
import type { TagitState } from "./tagit-state.ts";
import { decodeTree, type TagitEntry } from "./tagit-tree.ts";

/** A version and its tree. */
export interface TagitVersion extends MinorVersion {
  readonly tree: VersionId;
}

/** Minimum length of an abbreviated id. */
const minDigits = 4;

/** The versions in an object store. */
export class TagitVersions {
  readonly objects: TagitObjects;
  readonly #known = new Map<VersionId, TagitVersion>();

  constructor(objects: TagitObjects) {
    this.objects = objects;
  }

  has(id: string): id is VersionId {
    return isVersionId(id) && id.length === 64 && (this.#known.has(id) || this.objects.kind(id) === "version");
  }

  /** Fails with `unknown-revision`. */
  get(id: VersionId): TagitVersion {
    const known = this.#known.get(id);
    if (known) return known;
    if (!this.has(id)) throw unknown(String(id));
    const version = versionOf(id, this.objects.read("version", id));
    this.#known.set(id, version);
    return version;
  }

  entries(id: VersionId): TagitEntry[] {
    return decodeTree(this.objects.read("tree", this.get(id).tree));
  }

  put({ tree, parents, author, email, date, description }: Omit<TagitVersion, "id">): VersionId {
    const text = JSON.stringify({ tree, parents, author, email, date, message: description });
    return this.objects.write("version", Buffer.from(text)) as VersionId;
  }

  /** `head` and its ancestors: next is always the newest parent of those already yielded. */
  *walk(head: VersionId): Generator<TagitVersion> {
    const waiting = [this.get(head)];
    const seen = new Set<VersionId>([head]);
    for (let version = waiting.pop(); version; version = waiting.pop()) {
      yield version;
      for (const parent of version.parents.filter((id) => !seen.has(id))) {
        seen.add(parent);
        insert(waiting, this.get(parent));
      }
    }
  }

  /** Resolves HEAD, a tag, a branch or an (abbreviated) id, followed by ~n and ^n. Fails with `unknown-revision`. */
  resolve(revision: string, head: VersionId | null, state: TagitState): TagitVersion {
    const { base, steps } = parseRevision(revision);
    const named = base === "HEAD" ? head : (state.tags.get(base) ?? state.branches.get(base));
    let version = this.get(named ?? this.#byPrefix(base, revision));
    for (const step of steps) version = this.#step(version, step, revision);
    return version;
  }

  #byPrefix(digits: string, revision: string): VersionId {
    if (!/^[0-9a-f]+$/.test(digits) || digits.length < minDigits || digits.length > 64) throw unknown(revision);
    const matches = this.objects.startingWith(digits).filter((id): id is VersionId => this.has(id));
    if (matches.length > 1)
      throw new Failure("unknown-revision", { revision, reason: "several commits start with it" });
    if (matches[0] === undefined) throw unknown(revision);
    return matches[0];
  }

  #step(version: TagitVersion, { kind, count }: RevisionStep, revision: string): TagitVersion {
    let at = version;
    if (kind === "^") return count === 0 ? at : this.get(at.parents[count - 1] ?? refuse(revision));
    for (let done = 0; done < count; done++) at = this.get(at.parents[0] ?? refuse(revision));
    return at;
  }
}

function unknown(revision: string): Failure {
  return new Failure("unknown-revision", { revision: revision.slice(0, 100) });
}

function refuse(revision: string): never {
  throw unknown(revision);
}

function versionOf(id: VersionId, bytes: Buffer): TagitVersion {
  const { tree, parents, author, email, date, message } = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>;
  return {
    id,
    tree: String(tree) as VersionId,
    parents: (parents as unknown[]).map(String) as VersionId[],
    author: String(author),
    email: String(email),
    date: Number(date),
    description: String(message),
  };
}

/** Inserts by date, newest last; of equal dates the earlier inserted is popped first. */
function insert(waiting: TagitVersion[], version: TagitVersion): void {
  const index = waiting.findIndex(({ date }) => date >= version.date);
  waiting.splice(index < 0 ? waiting.length : index, 0, version);
}
