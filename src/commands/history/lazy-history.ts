import type { VersionId } from "../../core/versions/digest.ts";
import type { MinorVersion } from "../../core/versions/version.ts";

/**
 * The versions of a history, walked no further than somebody asks: who looks for the version before the last need not
 * wait for the first.
 */
export class WalkedVersions implements AsyncIterable<MinorVersion> {
  readonly #batches: AsyncIterator<readonly MinorVersion[]>;
  readonly #inOrder: MinorVersion[] = [];
  readonly #byId = new Map<VersionId, MinorVersion>();

  /** `batches`: the newest first, as a VCS walks them. */
  constructor(batches: AsyncIterable<readonly MinorVersion[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** undefined: the history does not have it. */
  async get(id: VersionId): Promise<MinorVersion | undefined> {
    while (!this.#byId.has(id) && (await this.#walkOn())) continue;
    return this.#byId.get(id);
  }

  /** In the order of the walk; may be read several times. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MinorVersion> {
    for (let at = 0; at < this.#inOrder.length || (await this.#walkOn()); at++) yield this.#inOrder[at] as MinorVersion;
  }

  /** To be called in any case: ends the program that walks. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  /** False at the end. */
  async #walkOn(): Promise<boolean> {
    const step = await this.#batches.next();
    if (step.done === true) return false;
    for (const version of step.value) {
      this.#inOrder.push(version);
      this.#byId.set(version.id, version);
    }
    return true;
  }
}
