import { join } from "node:path";
import type { Digest } from "../../core/versions/index.ts";
import { concatenateBytes } from "../../formats/bytes/index.ts";
import {
  compressGroup,
  encodePackHeader,
  encodePackTable,
  groupBytes,
  maxPackedObjects,
  type PackGroup,
  type PackedEntry,
} from "../../formats/store/index.ts";
import { createHash } from "node:crypto";
import { NewFile } from "../durable/index.ts";

/** Groups compressed at the same time, on the threads of zlib. */
const concurrency = 4;

/** A group that is being compressed. */
interface PendingGroup {
  readonly plain: number;
  readonly packed: Promise<Uint8Array>;
}

/** Writes a pack as a stream. Its name appears once it is complete and durable. */
export class PackWriter {
  readonly #folder: string;
  readonly #file: NewFile;
  readonly #groups: PackGroup[] = [];
  readonly #entries: PackedEntry[] = [];
  readonly #pending: PendingGroup[] = [];
  #pieces: Uint8Array[] = [];
  #filled = 0;
  #groupCount = 0;
  #offset = 0;

  /** `folder`: the folder of packs. Fails with `cannot-write`. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = new NewFile(folder);
    this.#write(encodePackHeader());
  }

  get count(): number {
    return this.#entries.length;
  }

  get isFull(): boolean {
    return this.#entries.length >= maxPackedObjects;
  }

  /** Adds an object that is not in the pack yet. Similar objects should follow each other. */
  async add(digest: Digest, plain: Uint8Array): Promise<void> {
    this.#entries.push({ digest, group: this.#groupCount, start: this.#filled, length: plain.length });
    this.#pieces.push(plain);
    this.#filled += plain.length;
    if (this.#filled >= groupBytes) await this.#closeGroup();
  }

  /** Durable once it returns the path. Fails with `cannot-write`. */
  async finish(): Promise<string> {
    if (this.#filled > 0) await this.#closeGroup();
    while (this.#pending.length > 0) await this.#writeGroup();
    const table = encodePackTable(this.#groups, sorted(this.#entries));
    this.#write(table);
    const path = join(this.#folder, `${createHash("sha1").update(table).digest("hex")}.pack`);
    this.#file.replace(path);
    return path;
  }

  discard(): void {
    this.#file.discard();
  }

  async #closeGroup(): Promise<void> {
    const packed = compressGroup(concatenateBytes(this.#pieces, this.#filled));
    // `#writeGroup` reports the error; it is not called after `discard`.
    packed.catch(() => {});
    this.#pending.push({ plain: this.#filled, packed });
    this.#pieces = [];
    this.#filled = 0;
    this.#groupCount += 1;
    if (this.#pending.length >= concurrency) await this.#writeGroup();
  }

  async #writeGroup(): Promise<void> {
    const next = this.#pending.shift();
    if (next === undefined) return;
    const packed = await next.packed;
    this.#groups.push({ offset: this.#offset, packed: packed.length, plain: next.plain });
    this.#write(packed);
  }

  #write(bytes: Uint8Array): void {
    this.#file.write(bytes);
    this.#offset += bytes.length;
  }
}

function sorted(entries: PackedEntry[]): PackedEntry[] {
  return entries.sort((a, b) => (a.digest < b.digest ? -1 : a.digest > b.digest ? 1 : 0));
}
