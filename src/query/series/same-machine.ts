import { counted } from "../../core/text/index.ts";
import { sameMachine, type PointOrigin } from "../../core/measurements/index.ts";

/** Selects comparable points of series, and counts omitted and mixed ones. */
export class SameMachineFilter {
  readonly #all: boolean;
  #left = 0;
  #unknown = 0;
  #mixed = 0;

  /** `all`: values of different machines are compared. */
  constructor(all: boolean) {
    this.#all = all;
  }

  /** Points of the newest known machine, and those of unknown machines. */
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
        : [`omitted: ${points(this.#left)} of other machines than the newest (--any-machine compares them)`]),
      ...(this.#unknown === 0 ? [] : [`compared despite an unknown machine: ${points(this.#unknown)}`]),
      ...(this.#mixed === 0 ? [] : [`compared across machines: ${counted(this.#mixed, "series", "series")}`]),
    ];
  }
}
