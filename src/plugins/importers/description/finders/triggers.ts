import type { Trigger } from "../../../../formats/descriptions/index.ts";
import { markerOf, type Marker } from "../row-mark.ts";
import type { Look } from "./finder.ts";

/** Maximum number of pending lines; bounds memory when every line is a trigger. */
const mostWaiting = 1024;

/** Selects lines at a distance before or after a mark. */
export class Triggers {
  readonly markers: readonly { readonly marker: Marker; readonly skip: number }[];
  /** Numbers of lines to come, in ascending order. */
  #waiting: number[] = [];

  constructor(triggers: readonly Trigger[]) {
    this.markers = triggers.map(({ mark, skip }) => ({ marker: markerOf(mark), skip }));
  }

  /** The first selected line at or after `from`; Infinity: none is known. */
  nextRow(from: number): number {
    return this.#waiting.find((number) => number >= from) ?? Number.POSITIVE_INFINITY;
  }

  /** The text of the line selected now. */
  taken(look: Look): string | undefined {
    const { number } = look.line;
    while ((this.#waiting[0] ?? number) < number) this.#waiting.shift();
    let text = this.#waiting[0] === number ? look.line.rest(look.line.start) : undefined;
    for (const { marker, skip } of this.markers) {
      if (!marker.marks(look.line)) continue;
      if (skip <= 0) text ??= skip === 0 ? look.line.rest(look.line.start) : look.before(-skip);
      else this.#wait(number + skip);
    }
    return text;
  }

  #wait(number: number): void {
    if (this.#waiting.length >= mostWaiting || this.#waiting.includes(number)) return;
    this.#waiting.push(number);
    this.#waiting.sort((a, b) => a - b);
  }

  reset(): void {
    this.#waiting = [];
  }
}
