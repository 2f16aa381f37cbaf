import { isVersionId, type VersionId, isDigest, type Digest } from "../../../core/versions/index.ts";
import { hexOf, sha1 } from "../object.ts";
import type { Standing } from "./observed-remove-status.ts";

/** Numbers of items to transfer by kind. */
export interface ShareCounts {
  readonly profiles: number;
  /** Removed profiles. */
  readonly removals: number;
  /** Commits with different check results. */
  readonly changedVersions: number;
  /** Changes of experiments. */
  readonly experimentChanges: number;
}

/** The state between an instance and a remote at the last contact. */
export interface RemoteSummary {
  /** Display name; untrusted text. */
  readonly remote: string;
  /** Whether that is the name of a git remote; else it is an address. */
  readonly isNamed: boolean;
  /** Identifies the address. */
  readonly address: string;
  /** Unix seconds. */
  readonly time: number;
  readonly push: ShareCounts;
  readonly pull: ShareCounts;
  /** The state of the experiments file; null if unknown. */
  readonly experiments: string | null;
}

/** The remote items of one kind (`part`) at one commit; standings by `nameOfText` of identities. */
export interface VersionRecord {
  readonly part: string;
  readonly version: VersionId;
  readonly standings: ReadonlyMap<string, Standing>;
}

/** One folder of the store. An equal mark means that nothing in it changed. */
export interface ShardRecord {
  /** Digits, or - if unknown. */
  readonly mark: string;
  /** Short names of its objects without indexes: see `shortName`. */
  readonly objects: ReadonlySet<string>;
  readonly versions: readonly VersionRecord[];
}

/** A decoded record; folders are decoded lazily. */
export interface ReadRecord {
  readonly summary: RemoteSummary;
  /** Marks of folders by their names. */
  readonly marks: ReadonlyMap<string, string>;
  /** The record of a folder, empty for an absent one. Throws SyntaxError if it is invalid. */
  shard(name: string): ShardRecord;
}

/** The name of an identity in records: 16 hex digits. */
export function nameOfText(text: string): string {
  return hexOf(sha1(new TextEncoder().encode(text))).slice(0, 16);
}

/** The name of an object in the record of its folder: ten digits of its digest after those of the folder. */
export function shortName(id: string): string {
  return id.slice(2, 12);
}

/**
 * A line of JSON, then one for each folder: `ab <mark> <objects, or -> <part>/<rest of the version>/<standings> …`,
 * then the SHA-1 of all preceding bytes. A standing is the name of a text followed by its letter.
 */
export function encodeRecord(summary: RemoteSummary, shards: ReadonlyMap<string, ShardRecord>): Uint8Array {
  const lines = [JSON.stringify(summary), ...[...shards].map(([name, shard]) => shardLine(name, shard))].map(
    (line) => `${line}\n`,
  );
  const text = lines.join("");
  return new TextEncoder().encode(`${text}${hexOf(sha1(new TextEncoder().encode(text)))}\n`);
}

/** Throws SyntaxError for anything that `encodeRecord` would not write. */
export function decodeRecord(bytes: Uint8Array): ReadRecord {
  const body = bytes.subarray(0, Math.max(0, bytes.length - 41));
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.pop() !== "" || lines.pop() !== hexOf(sha1(body))) throw new SyntaxError("checksum mismatch");
  const summary = readSummary(JSON.parse(lines.shift() ?? ""));
  const byName = new Map(lines.map((line) => [line.slice(0, 2), line]));
  const marks = new Map(lines.map((line) => [line.slice(0, 2), line.slice(3, line.indexOf(" ", 3))]));
  return { summary, marks, shard: (name) => readShard(name, byName.get(name) ?? `${name} - -`) };
}

function shardLine(name: string, { mark, objects, versions }: ShardRecord): string {
  const files = versions.map(
    ({ part, version, standings }) =>
      `${part}/${version.slice(2)}/${[...standings].map(([text, standing]) => text + standing).join("")}`,
  );
  return [name, mark, [...objects].join("") || "-", ...files].join(" ");
}

function readShard(name: string, line: string): ShardRecord {
  const [, mark = "-", objects = "", ...files] = line.split(" ");
  return {
    mark,
    objects: new Set(objects.match(/.{10}/g)),
    versions: files.map((file) => {
      const [part = "", rest = "", texts = ""] = file.split("/");
      const version = name + rest;
      if (!isVersionId(version)) throw new SyntaxError("no version");
      return { part, version, standings: readStandings(texts) };
    }),
  };
}

function readStandings(texts: string): Map<string, Standing> {
  if (!/^(?:[0-9a-f]{16}[=o>d<xa])*$/.test(texts)) throw new SyntaxError("no standings");
  return new Map((texts.match(/.{17}/g) ?? []).map((text) => [text.slice(0, 16), text[16] as Standing]));
}

function readSummary(value: unknown): RemoteSummary {
  const { remote, isNamed, address, time, push, pull, experiments } = fieldsOf(value);
  if (typeof remote !== "string" || typeof address !== "string" || typeof isNamed !== "boolean")
    throw new SyntaxError("no remote");
  if (experiments !== null && typeof experiments !== "string") throw new SyntaxError("no file of experiments");
  return { remote, isNamed, address, time: countIn(time), push: readCounts(push), pull: readCounts(pull), experiments };
}

function readCounts(value: unknown): ShareCounts {
  const { profiles, removals, changedVersions, experimentChanges } = fieldsOf(value);
  return {
    profiles: countIn(profiles),
    removals: countIn(removals),
    changedVersions: countIn(changedVersions),
    experimentChanges: countIn(experimentChanges),
  };
}

function countIn(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new SyntaxError("no count");
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new SyntaxError("no object");
}

/**
 * A profile registered at a commit, as exchanged between instances: its identity and the data that is not in the
 * profile itself.
 */
export interface Registration {
  readonly digest: Digest;
  /** Unix seconds, below 2^32. */
  readonly time: number;
  readonly collector: string;
  readonly name: string;
}

/**
 * `<digest> <time, 10 digits> <collector, percent-encoded, or -> <name>`. Of two registrations with the same key, the
 * earlier one is the lesser text.
 */
export function registrationText({ digest, time, collector, name }: Registration): string {
  const encoded = encodeURIComponent(collector.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/^-/, "%2D");
  return `${digest} ${String(time).padStart(10, "0")} ${collector === "" ? "-" : encoded} ${name}`;
}

/** null for anything that `registrationText` would not write. The name is not validated. */
export function readRegistration(text: string): Registration | null {
  const [, digest = "", digits, word = "", name = ""] = /^([0-9a-f]{40}) (\d{10}) (\S{1,1000}) (.+)$/u.exec(text) ?? [];
  const time = Number(digits);
  if (!isDigest(digest) || time > 0xffff_ffff) return null;
  const registration = { digest, time, collector: word === "-" ? "" : (decoded(word) ?? ""), name };
  return registrationText(registration) === text ? registration : null;
}

/** The same profile with the same name is one registration, regardless of time. */
export function registrationKey(text: string): string {
  const [digest = "", , , ...name] = text.split(" ");
  return `${digest} ${name.join(" ")}`;
}

function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
