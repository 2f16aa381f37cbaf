import type { Spot } from "./finder.ts";

/** Maximum length in characters of a multi-line text; the rest is dropped. */
const longestText = 1 << 20;

/** A text composed of lines. */
export class TextAccumulator {
  #parts: string[] = [];
  #length = 0;
  #isCut = false;
  /** Called once for every truncated text. */
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

  take(): Spot {
    const spot: Spot = { text: this.#parts.join(""), lines: this.#isCut ? "cut" : "complete" };
    this.#parts = [];
    this.#length = 0;
    this.#isCut = false;
    return spot;
  }
}
