import { createHash } from "node:crypto";
import { chmodSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { makeFolder, writeDurably } from "../durable/durable-file.ts";
import { entriesOf, readPlainFile } from "../durable/regular-file.ts";

/** Bytes that answers may take. */
export interface AnswerRoom {
  readonly together: number;
  readonly alone: number;
}

const usualRoom: AnswerRoom = { together: 64 << 20, alone: 16 << 20 };

const digestLength = 32;

/** The name of an answer: the same for the same parts only. */
export function answerKey(parts: readonly (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Answers in a folder of the user's own, one file each: SHA-256 of what follows, then the answer as V8 writes it. A
 * file appears whole or not at all; what is damaged is thrown away. Whatever goes wrong here, there is just no answer:
 * nobody fails because of it.
 */
export class AnswerCache {
  readonly #folder: string;
  readonly #room: AnswerRoom;
  /** Bytes for which there is room as far as we know: whoever else adds answers looks for itself. */
  #spare = 0;

  constructor(folder: string, room: AnswerRoom = usualRoom) {
    [this.#folder, this.#room] = [folder, room];
  }

  /** Bytes that all answers together may take. */
  get room(): number {
    return this.#room.together;
  }

  /** undefined: there is none. `now`: seconds since 1970; the answer counts as used then. */
  get(key: string, now: number): unknown {
    return quietly(() => {
      const path = join(this.#folder, key);
      const bytes = readPlainFile(path, this.#room.alone + digestLength);
      if (bytes === null) return undefined;
      const body = bytes.subarray(digestLength);
      if (Buffer.compare(bytes.subarray(0, digestLength), digestOf(body)) !== 0) {
        unlinkSync(path);
        return undefined;
      }
      utimesSync(path, now, now);
      return deserialize(body) as unknown;
    });
  }

  /**
   * Makes room by letting go of the answers that were not used for the longest time. Tells whether the answer was kept.
   */
  put(key: string, answer: unknown): boolean {
    const isKept = quietly(() => {
      const body = serialize(answer);
      if (body.length > this.#room.alone) return false;
      makeFolder(this.#folder);
      // Others of this machine may have no right to what the answers tell.
      chmodSync(this.#folder, 0o700);
      writeDurably(join(this.#folder, key), [digestOf(body), body]);
      this.#spare -= body.length + digestLength;
      if (this.#spare < 0) this.#trim(key);
      return true;
    });
    return isKept === true;
  }

  /** Looking at all answers takes its time, so that a bit more than is needed goes. */
  #trim(newest: string): void {
    const files = entriesOf(this.#folder).flatMap(({ name }) =>
      /^[0-9a-f]{64}$/.test(name) && name !== newest ? [this.#file(name)] : [],
    );
    const own = statSync(join(this.#folder, newest)).size;
    const together = files.reduce((sum, { size }) => sum + size, own);
    const most = together > this.#room.together ? this.#room.together * (31 / 32) : this.#room.together;
    let total = own;
    let kept = own;
    for (const { path, size } of files.sort((a, b) => b.used - a.used)) {
      total += size;
      if (total > most) quietly(() => unlinkSync(path));
      else kept = total;
    }
    this.#spare = this.#room.together - kept;
  }

  #file(name: string): { path: string; size: number; used: number } {
    const path = join(this.#folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    return { path, size: facts?.size ?? 0, used: facts?.mtimeMs ?? 0 };
  }
}

function digestOf(body: Uint8Array): Uint8Array {
  return createHash("sha256").update(body).digest();
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
