/** Maximum number of ranges that are listed. */
const mostRanges = 12;

/** Numbers of lines in ascending order, as text: `42-51, 55, 60`. Memory is bounded. */
export class LineRanges {
  readonly #ranges: { from: number; to: number }[] = [];
  #count = 0;
  #listed = 0;
  #last = 0;

  add(line: number): void {
    if (line === this.#last) return;
    const range = this.#ranges.at(-1);
    const isListed = this.#listed === this.#count;
    this.#count += 1;
    if (isListed && range && range.to === this.#last && line === this.#last + 1) range.to = line;
    else if (isListed && this.#ranges.length < mostRanges) this.#ranges.push({ from: line, to: line });
    this.#last = line;
    if (this.#ranges.at(-1)?.to === line) this.#listed = this.#count;
  }

  get count(): number {
    return this.#count;
  }

  get last(): number {
    return this.#last;
  }

  toString(): string {
    const listed = this.#ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
    const more = this.#count - this.#listed;
    return more === 0 ? listed : `${listed} and ${more} more up to line ${this.#last}`;
  }
}
