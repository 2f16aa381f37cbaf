/** So many characters are handed out at once. */
const pieceLength = 1 << 16;

/** Hands out a text, which comes in small parts, in pieces that are worth a write. */
export class TextPieces {
  readonly #take: (text: string) => void;
  #piece = "";

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** True: a piece was handed out. */
  add(part: string): boolean {
    this.#piece += part;
    if (this.#piece.length < pieceLength) return false;
    this.end();
    return true;
  }

  /** What is left. */
  end(): void {
    if (this.#piece !== "") this.#take(this.#piece);
    this.#piece = "";
  }

  /** The whole text. */
  async all(parts: Iterable<string>): Promise<void> {
    // Who reads the text may have had enough, which is told between two turns.
    for (const part of parts) if (this.add(part)) await new Promise<void>((resolve) => setImmediate(resolve));
    this.end();
  }
}
