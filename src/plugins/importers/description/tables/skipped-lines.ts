import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import { compilePattern, type Pattern } from "../../../../formats/text/index.ts";

/** Maximum number of lines above the rows that are recognised when they are repeated. */
const mostHeads = 32;

/** The lines inside a table that its description skips: they are no rows and do not end it. */
export class SkippedLines {
  readonly #patterns: readonly Pattern[];
  readonly #skipsHeads: boolean;
  readonly #heads = new Set<string>();

  constructor({ skipPatterns = [], skipsHeads }: TableLocation) {
    this.#patterns = skipPatterns.map((source) => compilePattern(source));
    this.#skipsHeads = skipsHeads === true;
  }

  /** True when the texts of lines matter. */
  get needsText(): boolean {
    return this.#skipsHeads || this.#patterns.length > 0;
  }

  /** The table starts. */
  reset(): void {
    this.#heads.clear();
  }

  /** A line above the first row. */
  addHead(text: string): void {
    if (this.#skipsHeads && this.#heads.size < mostHeads) this.#heads.add(normalized(text));
  }

  has(text: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(text)) || this.#heads.has(normalized(text));
  }
}

function normalized(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
