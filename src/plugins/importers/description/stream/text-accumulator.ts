/** Characters of a text of many lines; what is beyond is left out. */
const longestText = 1 << 20;

/** A text that is put together from lines. */
export class Collected {
  #parts: string[] = [];
  #length = 0;
  #isCut = false;
  /** Told once of every text that is cut. */
  readonly #cut: () => void;

  constructor(cut: () => void) {
    this.#cut = cut;
  }

  add(part: string): void {
    const room = longestText - this.#length;
    this.#parts.push(part.slice(0, room));
    this.#length += Math.min(part.length, room);
    if (part.length <= room || this.#isCut) return;
    this.#isCut = true;
    this.#cut();
  }

  take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    this.#isCut = false;
    return text;
  }
}
