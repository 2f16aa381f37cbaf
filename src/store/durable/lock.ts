import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { NewFile, removeDurably } from "./durable-file.ts";
import { errnoOf } from "./file-failure.ts";
import { chainOf, claimPath, encodeRecord, isClaim, readRecord, type LockRecord } from "./lock-record.ts";
import { entriesOf } from "./regular-file.ts";
import { fateOf, type Fate } from "./process-identity.ts";

/** How long to wait for the lock, in milliseconds of sleeping. */
const patienceMs = 60_000;

const longestNapMs = 50;

/**
 * One writer at a time, among processes. A lock is stolen only from an owner proven dead, never because of its age.
 *
 * Taking a free lock is one link(2). A dead owner's lock is not removed (between looking and removing, somebody else
 * may have put a live one there) but inherited: the claim to the lock with token T is the file `lock-T`, which only one
 * process can create, and whoever holds it holds the lock, provided that `lock` still leads to it once the claim
 * stands. Should an heir die too, its own token is inherited in the same way, so `lock`, `lock-T`, `lock-U`, … is a
 * chain whose living end is the owner. The heir then moves its record over `lock` and removes the claims. Only an owner
 * ever changes a `lock` that is there, so at each moment there is at most one.
 */
export class StoreLock {
  readonly path: string;
  readonly #command: string;
  readonly #patienceMs: number;
  #depth = 0;
  #isOurs = false;

  /**
   * `command` is what others read when they wait for us. Use one StoreLock per store and process: a second one would
   * wait for the first.
   */
  constructor(path: string, command: string, patience = patienceMs) {
    this.path = path;
    this.#command = command;
    this.#patienceMs = patience;
  }

  /**
   * Runs `action` as the only writer; may be nested. Fails with `lock-held` (naming the owner) after a minute of
   * waiting.
   */
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

  /** As `hold`, for work that waits for others meanwhile: only for a lock that nothing else of this process takes. */
  async holdDuring<T>(action: () => Promise<T>): Promise<T> {
    this.#acquire();
    this.#depth += 1;
    try {
      return await action();
    } finally {
      this.#depth -= 1;
      this.#release();
    }
  }

  /** Whoever holds the lock or died holding it; null when it is free. */
  holder(): { readonly record: LockRecord; readonly fate: Fate } | null {
    const last = chainOf(this.path).at(-1);
    return last === undefined ? null : { record: last, fate: fateOf(last.owner) };
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
    let slept = 0;
    for (let attempt = 0; !this.#attempt(token); attempt++) {
      const holder = this.holder();
      if (holder !== null && slept >= this.#patienceMs) throw this.#refusal(holder.record, holder.fate, slept);
      slept += nap(attempt);
    }
  }

  /** One try: the free lock, or the inheritance of a dead owner. */
  #attempt(token: string): boolean {
    const last = chainOf(this.path).at(-1);
    if (last === undefined) return this.#recordFile(token).appear(this.path);
    return fateOf(last.owner) === "dead" && this.#inherit(claimPath(this.path, last.token), token);
  }

  #inherit(claim: string, token: string): boolean {
    if (!this.#recordFile(token).appear(claim)) return false;
    const isHeir = chainOf(this.path).at(-1)?.token === token;
    if (isHeir) this.#recordFile(token).replace(this.path);
    removeDurably(claim);
    if (isHeir) this.#removeClaims();
    return isHeir;
  }

  /** The owner's record stands at `lock`, so no claim leads anywhere any more. */
  #removeClaims(): void {
    for (const claim of this.#claims()) removeDurably(claim);
  }

  /**
   * A lock that cannot be removed stays ours: the next `hold` goes on with it, and once this process has ended others
   * inherit it.
   */
  #release(): void {
    try {
      unlinkSync(this.path);
      this.#isOurs = false;
    } catch (error) {
      this.#isOurs = errnoOf(error) !== "ENOENT";
    }
  }

  /** Takes back what a failed attempt may have left, lest this process waits for itself later. */
  #withdraw(token: string): void {
    try {
      const paths = [this.path, ...this.#claims()];
      for (const path of paths.filter((each) => readRecord(each)?.token === token)) unlinkSync(path);
    } catch {
      // The first failure is being reported; once this process has ended, others inherit what it left.
    }
  }

  #claims(): string[] {
    const folder = dirname(this.path);
    const names = entriesOf(folder).map((entry) => entry.name);
    return names.filter((name) => isClaim(this.path, name)).map((name) => join(folder, name));
  }

  #recordFile(token: string): NewFile {
    const file = new NewFile(dirname(this.path));
    file.write(encodeRecord(this.#command, token));
    return file;
  }

  #refusal({ owner, command, sinceMs }: LockRecord, fate: Fate, slept: number): Failure {
    return new Failure("lock-held", {
      path: this.path,
      pid: owner.pid,
      host: owner.host,
      command,
      since: new Date(sinceMs).toISOString(),
      waited: Math.round(slept / 1000),
      elsewhere: fate === "unknown" ? "on another machine or in another container" : undefined,
    });
  }
}

/**
 * Sleeps without giving up the thread; longer each time, and differently for each process so that waiters spread out.
 */
function nap(attempt: number): number {
  const bound = Math.min(longestNapMs, 2 * 1.4 ** Math.min(attempt, 20));
  const spread = (randomBytes(1)[0] ?? 0) / 255;
  const milliseconds = bound * (0.5 + spread);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  return milliseconds;
}
