import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { readRegularFile } from "./regular-file.ts";
import { ownIdentity, parseIdentity, type ProcessIdentity } from "./process-identity.ts";

/** The record in a lock file: one line with a JSON object of these members and those of the identity. */
export interface LockRecord {
  readonly owner: ProcessIdentity;
  readonly command: string;
  /** 32 hex digits, unique per acquisition. */
  readonly token: string;
  /** Time of acquisition, ms since 1970 by the clock of the file system. Informational only. */
  readonly sinceMs: number;
}

const tokenPattern = /^[0-9a-f]{32}$/;

const maxBytes = 65_536;

/** The bytes of a lock file of this process. */
export function encodeLockRecord(command: string, token: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...ownIdentity(), command, token })}\n`);
}

/** The record at `path`, or null if there is none. Fails with `lock-unreadable`. */
export function readLockRecord(path: string): LockRecord | null {
  const bytes = readRegularFile(path, maxBytes);
  if (bytes === null) return null;
  const record = parseRecord(new TextDecoder().decode(bytes), path);
  if (record === null && existsSync(path)) throw new Failure("lock-unreadable", { path });
  return record;
}

/** The records of the lock at `path` (see StoreLock): the last owns the lock, all others were inherited. */
export function lockChain(path: string): LockRecord[] {
  const chain: LockRecord[] = [];
  for (let record = readLockRecord(path); record !== null; record = readLockRecord(claimPath(path, record.token))) {
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

/** Whether `name` is the file name of a claim to the lock at `path`. */
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
