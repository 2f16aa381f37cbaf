import { counted } from "../../core/text/plural.ts";
import { sameMachine } from "../../core/measurements/machine-relation.ts";
import type { PointOrigin } from "../../core/measurements/series.ts";

/** Takes from series the points that may be compared, and counts what was left out or mixed. */
export class OneMachine {
  readonly #all: boolean;
  #left = 0;
  #unknown = 0;
  #mixed = 0;

  /** `all`: values of different machines are compared. */
  constructor(all: boolean) {
    this.#all = all;
  }

  /** Points of the machine that was known last, and those of which it is not known. */
  of<P extends Pick<PointOrigin, "machine">>(points: readonly P[]): readonly P[] {
    const newest = points.findLast(({ machine }) => machine !== null)?.machine ?? null;
    if (newest === null || points.every(({ machine }) => machine === newest)) return points;
    const relations = points.map(({ machine }) => sameMachine(newest, machine));
    const countOf = (wanted: string): number => relations.filter((relation) => relation === wanted).length;
    this.#unknown += countOf("unknown");
    if (this.#all) {
      this.#mixed += countOf("other") > 0 ? 1 : 0;
      return points;
    }
    this.#left += countOf("other");
    return points.filter((_, at) => relations[at] !== "other");
  }

  notes(): string[] {
    const points = (count: number): string => counted(count, "point");
    return [
      ...(this.#left === 0
        ? []
        : [`left out: ${points(this.#left)} of other machines than the newest (--any-machine compares them)`]),
      ...(this.#unknown === 0
        ? []
        : [`compared, though not known to be of the same machine: ${points(this.#unknown)}`]),
      ...(this.#mixed === 0 ? [] : [`compared across machines: ${counted(this.#mixed, "series", "series")}`]),
    ];
  }
}
