/** Characters of a text of many lines; what is beyond is left out. */
export const longestText = 1 << 20;

/** A text that is put together from lines. */
export class Collected {
  private parts: string[] = [];
  private length = 0;
  /** Told once when the text is cut. */
  private readonly cut: () => void;

  constructor(cut: () => void) {
    this.cut = cut;
  }

  add(part: string): void {
    const kept = part.slice(0, longestText - this.length);
    if (kept.length < part.length && this.length <= longestText) {
      this.cut();
      this.length = longestText + 1;
      return;
    }
    this.parts.push(kept);
    this.length += kept.length;
  }

  take(): string {
    const text = this.parts.join("");
    this.parts = [];
    this.length = 0;
    return text;
  }
}
