import { unpackPoints, type PointBlock, type StateLevels } from "../../core/pages/index.ts";
import { KnownNoise, StateLevelsBuilder } from "../../query/pages/index.ts";
import type { PageData } from "../report/index.ts";

/** Memory for unpacked points, in bytes: about ten million points. */
const mostBytes = 128 << 20;

/** Reads the levels of all series at two commits, and keeps what the next comparison of the same pages reads again. */
export class LevelReader {
  readonly #data: PageData;
  readonly #noise: KnownNoise;
  readonly #blocks = new Map<number, PointBlock>();
  #bytes = 0;
  #isFull = false;
  #isAhead = false;

  constructor(data: PageData) {
    this.#data = data;
    this.#noise = new KnownNoise(data.series.arrays.key.length);
  }

  /** `from`, `to`: indexes into the list of commits. */
  read(from: number, to: number): StateLevels {
    const builder = new StateLevelsBuilder(this.#data.series, from, to, this.#noise);
    for (const block of builder.blocks) builder.add(this.#points(block));
    return builder.levels;
  }

  /**
   * Reads what the first comparison would read, one block after the other, with other requests in between. Ends early
   * when `stopped` is aborted or the memory for points is full.
   */
  async readAhead(stopped: AbortSignal): Promise<void> {
    if (this.#isAhead) return;
    this.#isAhead = true;
    const newest = this.#data.versions.facts.ids.length - 1;
    const builder = new StateLevelsBuilder(this.#data.series, newest - 1, newest, this.#noise);
    for (const block of builder.blocks) {
      await new Promise((resolve) => setTimeout(resolve));
      if (stopped.aborted || this.#isFull) return;
      builder.add(this.#points(block));
    }
  }

  /** The first blocks are kept, as each comparison reads all of them in order. */
  #points(block: number): PointBlock {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const points = unpackPoints(this.#data.points(block));
    const bytes = Object.values(points.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#isFull ||= this.#bytes + bytes > mostBytes;
    if (this.#isFull) return points;
    this.#bytes += bytes;
    this.#blocks.set(block, points);
    return points;
  }
}
