import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { NewFile, removeDurably } from "./durable-file.ts";
import { errnoOf } from "./file-failure.ts";
import { lockChain, claimPath, encodeLockRecord, isClaim, readLockRecord, type LockRecord } from "./lock-record.ts";
import { listFolder } from "./regular-file.ts";
import { livenessOf, type Liveness } from "./process-identity.ts";

/** Time to wait for the lock. */
const defaultTimeoutMs = 60_000;

const maxSleepMs = 50;

/**
 * An inter-process lock for one writer. It is stolen only from an owner proven dead, never because of its age.
 *
 * Taking a free lock is one link(2). A dead owner's lock is not removed, since a live lock could replace it between the
 * check and the removal. It is inherited: the claim to the lock with token T is the file `lock-T`, which only one
 * process can create. The claimant owns the lock if `lock` still leads to the claim once it exists. If an heir dies
 * too, its token is inherited the same way, so `lock`, `lock-T`, `lock-U`, … is a chain and its last record is the
 * owner. The heir then moves its record over `lock` and removes the claims. Only an owner changes an existing `lock`,
 * so there is at most one owner.
 */
export class StoreLock {
  readonly path: string;
  readonly #command: string;
  readonly #timeoutMs: number;
  #depth = 0;
  #isOurs = false;

  /**
   * `command` is shown to processes that wait. Use one StoreLock per store and process: a second one waits for the
   * first.
   */
  constructor(path: string, command: string, timeoutMs = defaultTimeoutMs) {
    this.path = path;
    this.#command = command;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs `action` as the only writer; reentrant. Fails with `lock-held`, naming the owner, after a minute. */
  hold<T>(action: () => T): T {
    if (!this.#isOurs) this.#acquire();
    this.#depth += 1;
    try {
      return action();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#release();
    }
  }

  /** Like `hold`, for asynchronous work; not reentrant. Only for a lock that nothing else in this process takes. */
  async holdAsync<T>(action: () => Promise<T>): Promise<T> {
    this.#acquire();
    this.#depth += 1;
    try {
      return await action();
    } finally {
      this.#depth -= 1;
      this.#release();
    }
  }

  /** The process that holds the lock or died holding it; null if it is free. */
  holder(): { readonly record: LockRecord; readonly liveness: Liveness } | null {
    const last = lockChain(this.path).at(-1);
    return last === undefined ? null : { record: last, liveness: livenessOf(last.owner) };
  }

  #acquire(): void {
    const token = randomBytes(16).toString("hex");
    try {
      this.#waitFor(token);
      this.#isOurs = true;
    } catch (error) {
      this.#withdraw(token);
      throw error;
    }
  }

  #waitFor(token: string): void {
    let waitedMs = 0;
    for (let attempt = 0; !this.#tryAcquire(token); attempt++) {
      const holder = this.holder();
      if (holder !== null && waitedMs >= this.#timeoutMs)
        throw this.#heldFailure(holder.record, holder.liveness, waitedMs);
      waitedMs += sleep(attempt);
    }
  }

  /** Tries once to take a free lock or inherit that of a dead owner. */
  #tryAcquire(token: string): boolean {
    const last = lockChain(this.path).at(-1);
    if (last === undefined) return this.#recordFile(token).create(this.path);
    return livenessOf(last.owner) === "dead" && this.#inherit(claimPath(this.path, last.token), token);
  }

  #inherit(claim: string, token: string): boolean {
    if (!this.#recordFile(token).create(claim)) return false;
    const isHeir = lockChain(this.path).at(-1)?.token === token;
    if (isHeir) this.#recordFile(token).replace(this.path);
    removeDurably(claim);
    if (isHeir) this.#removeClaims();
    return isHeir;
  }

  /** Requires the owner's record at `lock`, which makes all claims obsolete. */
  #removeClaims(): void {
    for (const claim of this.#claims()) removeDurably(claim);
  }

  /**
   * A lock that cannot be removed stays ours: the next `hold` reuses it, and others inherit it once this process has
   * ended.
   */
  #release(): void {
    try {
      unlinkSync(this.path);
      this.#isOurs = false;
    } catch (error) {
      this.#isOurs = errnoOf(error) !== "ENOENT";
    }
  }

  /** Removes files of a failed attempt, so that this process does not wait for itself later. */
  #withdraw(token: string): void {
    try {
      const paths = [this.path, ...this.#claims()];
      for (const path of paths.filter((each) => readLockRecord(each)?.token === token)) unlinkSync(path);
    } catch {
      // The first failure is reported; other processes inherit the files once this process has ended.
    }
  }

  #claims(): string[] {
    const folder = dirname(this.path);
    const names = listFolder(folder).map((entry) => entry.name);
    return names.filter((name) => isClaim(this.path, name)).map((name) => join(folder, name));
  }

  #recordFile(token: string): NewFile {
    const file = new NewFile(dirname(this.path));
    file.write(encodeLockRecord(this.#command, token));
    return file;
  }

  #heldFailure({ owner, command, sinceMs }: LockRecord, liveness: Liveness, waitedMs: number): Failure {
    return new Failure("lock-held", {
      path: this.path,
      pid: owner.pid,
      host: owner.host,
      command,
      since: new Date(sinceMs).toISOString(),
      waited: Math.round(waitedMs / 1000),
      elsewhere: liveness === "unknown" ? "on another machine or in another container" : undefined,
    });
  }
}

/** Blocks the thread, with exponential backoff and jitter. Returns the milliseconds waitedMs. */
function sleep(attempt: number): number {
  const bound = Math.min(maxSleepMs, 2 * 1.4 ** Math.min(attempt, 20));
  const jitter = (randomBytes(1)[0] ?? 0) / 255;
  const milliseconds = bound * (0.5 + jitter);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  return milliseconds;
}
