import { basename } from "node:path";
import { createHash } from "node:crypto";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  decodeManifest,
  dumpMark,
  dumpRole,
  mayFollow,
  type DumpManifest,
  type DumpMember,
  type DumpRole,
  parseObjectHeader,
  type ObjectHeader,
} from "../../formats/store/index.ts";
import { readArchive, type ArchiveMember } from "./dump-archive.ts";
import { ExperimentDigest } from "./dump-members.ts";

/** A member at a valid position in the dump. */
export interface KnownMember extends ArchiveMember {
  readonly role: DumpRole;
}

/** Maximum number of members. */
const maxMembers = 1 << 22;

const mebibyte = 1024 * 1024;

/** Maximum sizes of members that are read into memory. */
const maxSizes: Readonly<Record<Exclude<DumpRole["kind"], "object">, number>> = {
  mark: 64,
  experiment: 64 * mebibyte,
  rows: 512 * mebibyte - 1024,
  ledger: 64 * mebibyte,
  manifest: 512 * mebibyte - 1024,
};

/** The members of a dump; checks their order. Fails with `dump-damaged`, `dump-newer`, `unreadable-file`. */
export async function* readDump(path: string): AsyncIterable<KnownMember> {
  let before: DumpRole | undefined;
  let count = 0;
  for await (const member of readArchive(path)) {
    const role = dumpRole(member.name);
    if (role === undefined || !mayFollow(before, role))
      throw damaged(
        path,
        `a member '${member.name.slice(0, 80)}' is not allowed ${before === undefined ? "at its beginning" : "there"}`,
      );
    if (role.kind !== "object" && member.size > maxSizes[role.kind])
      throw damaged(path, `its member '${member.name}' has ${member.size} bytes, which is too much`);
    if ((count += 1) > maxMembers) throw damaged(path, `it has more than ${maxMembers} members`);
    before = role;
    yield { ...member, role };
  }
  if (before?.kind !== "manifest") throw damaged(path, "it has no manifest at its end");
}

/** Verifies a complete dump against its manifest; writes nothing. Fails like `readDump`. */
export async function verifyDump(path: string): Promise<DumpManifest> {
  const members: DumpMember[] = [];
  let manifest: DumpManifest | undefined;
  for await (const member of readDump(path)) {
    const { name, size, role } = member;
    if (role.kind === "manifest") manifest = decodeManifest(await bytesOf(member), basename(path));
    else {
      await verifyMember(member, path);
      members.push({ name, size, sha256: member.sha256() });
    }
  }
  if (manifest === undefined) throw damaged(path, "it has no manifest at its end");
  compareWithManifest(manifest, members, path);
  return manifest;
}

async function verifyMember(member: KnownMember, path: string): Promise<void> {
  const { role } = member;
  if (role.kind === "object") await verifyObject(member, role.object, path);
  else if (role.kind !== "mark") for await (const _ of member.pieces);
  else {
    const mark = new TextDecoder().decode(await bytesOf(member));
    if (mark !== dumpMark.text) throw new Failure("dump-newer", { path: basename(path), found: mark.trimEnd() });
  }
}

function compareWithManifest(
  { members: expected, contents }: DumpManifest,
  members: readonly DumpMember[],
  path: string,
): void {
  const wrong = members.find(({ name, size, sha256 }, at) => {
    const entry = expected[at];
    return entry?.name !== name || entry.size !== size || entry.sha256 !== sha256;
  });
  if (wrong !== undefined) throw damaged(path, `its member '${wrong.name}' does not match its manifest`);
  const lost = expected[members.length];
  if (lost !== undefined) throw damaged(path, `its member '${lost.name.slice(0, 80)}' is missing`);
  const digest = new ExperimentDigest();
  for (const { name, sha256 } of members) if (isData(name)) digest.add(name, sha256);
  if (digest.end() !== contents) throw damaged(path, "its data does not match its manifest");
}

function isData(name: string): boolean {
  const kind = dumpRole(name)?.kind;
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

/** Reads an object member, which has the plain bytes that are hashed. Fails with `dump-damaged`. */
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

/** The bytes of a member, whose size must have been checked. */
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
