import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { readPlainFile } from "./regular-file.ts";
import { ownIdentity, parseIdentity, type ProcessIdentity } from "./process-identity.ts";

/** What a lock file says of its owner: one JSON object on one line, the members of the identity beside these. */
export interface LockRecord {
  readonly owner: ProcessIdentity;
  readonly command: string;
  /** 32 hex digits; no two acquisitions ever share them. */
  readonly token: string;
  /** When it was taken, ms since 1970 by the clock of the file system. For people: nothing is decided by it. */
  readonly sinceMs: number;
}

const tokenPattern = /^[0-9a-f]{32}$/;

const sizeCap = 65_536;

/** The bytes of a lock file of this process. */
export function encodeRecord(command: string, token: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...ownIdentity(), command, token })}\n`);
}

/** The record at `path`, or null when there is none; `lock-unreadable` when something else stands there. */
export function readRecord(path: string): LockRecord | null {
  const bytes = readPlainFile(path, sizeCap);
  if (bytes === null) return null;
  const record = parseRecord(new TextDecoder().decode(bytes), path);
  if (record === null && existsSync(path)) throw new Failure("lock-unreadable", { path });
  return record;
}

/**
 * The records that the lock at `path` leads to (see StoreLock): all but the last were inherited, the last owns the
 * lock.
 */
export function chainOf(path: string): LockRecord[] {
  const chain: LockRecord[] = [];
  for (let record = readRecord(path); record !== null; record = readRecord(claimPath(path, record.token))) {
    const { token } = record;
    if (chain.some((earlier) => earlier.token === token)) throw new Failure("lock-unreadable", { path });
    chain.push(record);
  }
  return chain;
}

/** The file that claims the inheritance of the lock with `token`. */
export function claimPath(path: string, token: string): string {
  return `${path}-${token}`;
}

/** True when the file name `name` is that of a claim to the lock at `path`. */
export function isClaim(path: string, name: string): boolean {
  const prefix = claimPath(basename(path), "");
  return name.startsWith(prefix) && tokenPattern.test(name.slice(prefix.length));
}

function parseRecord(text: string, path: string): LockRecord | null {
  const value = jsonOrNull(text);
  const owner = parseIdentity(value);
  if (owner === null) return null;
  const { command, token } = value as { command?: unknown; token?: unknown };
  if (typeof command !== "string" || typeof token !== "string" || !tokenPattern.test(token)) return null;
  return { owner, command, token, sinceMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
