import { basename } from "node:path";
import { createHash } from "node:crypto";
import type { Digest } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import {
  decodeManifest,
  dumpMark,
  dumpPlace,
  mayFollow,
  type DumpManifest,
  type DumpMember,
  type DumpPlace,
} from "../../formats/store/experiments/dump-manifest.ts";
import { parseObjectHeader, type ObjectHeader } from "../../formats/store/object.ts";
import { readArchive, type ArchiveMember } from "./dump-archive.ts";
import { ExperimentDigest } from "./dump-members.ts";

/** A member whose place in the dump is right. */
export interface KnownMember extends ArchiveMember {
  readonly role: DumpPlace;
}

/** More members than any dump has. */
const maxMembers = 1 << 22;

const mebibyte = 1024 * 1024;

/** What members may unpack to that are read at once. */
const maxSizes: Readonly<Record<Exclude<DumpPlace["kind"], "object">, number>> = {
  mark: 64,
  experiment: 64 * mebibyte,
  rows: 512 * mebibyte - 1024,
  ledger: 64 * mebibyte,
  manifest: 512 * mebibyte - 1024,
};

/**
 * The members of a dump in the only order they may have. Fails with `dump-damaged`, `dump-newer`, `unreadable-file`.
 */
export async function* readDump(path: string): AsyncIterable<KnownMember> {
  let before: DumpPlace | undefined;
  let count = 0;
  for await (const member of readArchive(path)) {
    const place = dumpPlace(member.name);
    if (place === undefined || !mayFollow(before, place))
      throw damaged(
        path,
        `a member '${member.name.slice(0, 80)}' has no place ${before === undefined ? "at its beginning" : "there"}`,
      );
    if (place.kind !== "object" && member.size > maxSizes[place.kind])
      throw damaged(path, `its member '${member.name}' has ${member.size} bytes, which is too much`);
    if ((count += 1) > maxMembers) throw damaged(path, `it has more than ${maxMembers} members`);
    before = place;
    yield { ...member, role: place };
  }
  if (before?.kind !== "manifest") throw damaged(path, "it has no manifest at its end");
}

/**
 * Reads a dump to its end and believes nothing: each member must be what the manifest says. Writes nothing. Fails like
 * `readDump`.
 */
export async function verifyDump(path: string): Promise<DumpManifest> {
  const found: DumpMember[] = [];
  let manifest: DumpManifest | undefined;
  for await (const member of readDump(path)) {
    const { name, size, role: place } = member;
    if (place.kind === "manifest") manifest = decodeManifest(await bytesOf(member), basename(path));
    else {
      await verifyMember(member, path);
      found.push({ name, size, sha256: member.sha256() });
    }
  }
  if (manifest === undefined) throw damaged(path, "it has no manifest at its end");
  compareWithManifest(manifest, found, path);
  return manifest;
}

async function verifyMember(member: KnownMember, path: string): Promise<void> {
  const { role: place } = member;
  if (place.kind === "object") await verifyObject(member, place.object, path);
  else if (place.kind !== "mark") for await (const _ of member.pieces);
  else {
    const mark = new TextDecoder().decode(await bytesOf(member));
    if (mark !== dumpMark.text) throw new Failure("dump-newer", { path: basename(path), found: mark.trimEnd() });
  }
}

function compareWithManifest({ members, contents }: DumpManifest, found: readonly DumpMember[], path: string): void {
  const wrong = found.find(({ name, size, sha256 }, at) => {
    const told = members[at];
    return told?.name !== name || told.size !== size || told.sha256 !== sha256;
  });
  if (wrong !== undefined) throw damaged(path, `its member '${wrong.name}' is not what its manifest says`);
  const lost = members[found.length];
  if (lost !== undefined) throw damaged(path, `its member '${lost.name.slice(0, 80)}' is lost`);
  const digest = new ExperimentDigest();
  for (const { name, sha256 } of found) if (isContent(name)) digest.add(name, sha256);
  if (digest.end() !== contents) throw damaged(path, "its contents are not what its manifest says");
}

function isContent(name: string): boolean {
  const kind = dumpPlace(name)?.kind;
  return kind === "experiment" || kind === "rows";
}

async function verifyObject(member: KnownMember, object: Digest, path: string): Promise<void> {
  const hash = createHash("sha1");
  const { header, headerLength, body } = await objectOf(member, object, path);
  hash.update(`${header.kind} ${header.type} ${header.length}\0`);
  for await (const piece of body) hash.update(piece);
  if (header.length !== member.size - headerLength || hash.digest("hex") !== object)
    throw damaged(path, `its member '${member.name}' is not the object of that name`);
}

export interface DumpedObject {
  readonly header: ObjectHeader;
  readonly headerLength: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Objects stand in a dump as the plain bytes that are hashed. Fails with `dump-damaged`. */
export async function objectOf(
  member: Omit<ArchiveMember, "sha256">,
  object: Digest,
  path: string,
): Promise<DumpedObject> {
  const pieces = member.pieces[Symbol.asyncIterator]();
  let first = new Uint8Array(0);
  for (let ended = false; !ended && first.length < Math.min(100, member.size);) {
    const step = await pieces.next();
    ended = step.done === true;
    if (step.done !== true) first = concat(first, step.value);
  }
  const { header, end } = headerOf(first, object, path);
  async function* body(): AsyncIterable<Uint8Array> {
    if (first.length > end) yield first.subarray(end);
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { header, headerLength: end, body: body() };
}

function headerOf(first: Uint8Array, object: Digest, path: string): ReturnType<typeof parseObjectHeader> {
  try {
    return parseObjectHeader(first, object);
  } catch (error) {
    if (!isFailure(error, "object-damaged")) throw error;
    throw damaged(path, error.message, error);
  }
}

function concat(a: Uint8Array<ArrayBuffer>, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** A member at once; its size was looked at. */
export async function bytesOf({ size, pieces }: Pick<ArchiveMember, "size" | "pieces">): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  for await (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes.subarray(0, filled);
}

export function damaged(path: string, problem: string, cause?: unknown): Failure {
  return new Failure("dump-damaged", { path: basename(path), problem }, cause);
}
