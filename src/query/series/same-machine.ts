import { counted } from "../../core/text/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { sameMachine, type PointOrigin } from "../../core/measurements/index.ts";

/** Fewest points of another machine than the newest that are judged by themselves: three on either side of a change. */
const leastPoints = 6;

/** Comparable points of a series. */
export interface MachinePoints<P> {
  /** The machine if points of several are judged; else null. */
  readonly machine: string | null;
  readonly points: readonly P[];
}

/** Selects comparable points of series, and counts omitted and mixed ones. */
export class SameMachineFilter {
  readonly #all: boolean;
  readonly #fewest: number;
  /** Points that are all of one machine: most series share them. */
  readonly #alike = new WeakSet<readonly unknown[]>();
  #left = 0;
  #unknown = 0;
  #mixed = 0;

  /** `all`: values of different machines are compared. `fewest`: points of a machine to count as one. */
  constructor(all: boolean, fewest = leastPoints) {
    this.#all = all;
    this.#fewest = fewest;
  }

  /** Points of the newest known machine, and those of unknown machines. */
  of<P extends Pick<PointOrigin, "machine">>(points: readonly P[]): readonly P[] {
    return this.#split(points).newest;
  }

  /** The points of `of` first, then those of each other machine with enough of them. */
  classesOf<P extends Pick<PointOrigin, "machine">>(points: readonly P[]): readonly MachinePoints<P>[] {
    const { newest, others } = this.#split(points);
    if (others.length === 0) return [{ machine: null, points: newest }];
    const classes = classesIn(others).filter((each) => each.points.length >= this.#fewest);
    this.#left -= classes.reduce((sum, each) => sum + each.points.length, 0);
    const machine = classes.length === 0 ? null : (newest.findLast((point) => point.machine !== null)?.machine ?? null);
    return [{ machine, points: newest }, ...classes];
  }

  #split<P extends Pick<PointOrigin, "machine">>(
    points: readonly P[],
  ): {
    readonly newest: readonly P[];
    readonly others: readonly P[];
  } {
    if (this.#alike.has(points)) return { newest: points, others: [] };
    const newest = points.findLast(({ machine }) => machine !== null)?.machine ?? null;
    if (newest === null || points.every(({ machine }) => machine === newest)) {
      this.#alike.add(points);
      return { newest: points, others: [] };
    }
    const relations = points.map(({ machine }) => sameMachine(newest, machine));
    const countOf = (wanted: string): number => relations.filter((relation) => relation === wanted).length;
    this.#unknown += countOf("unknown");
    if (this.#all) {
      this.#mixed += countOf("other") > 0 ? 1 : 0;
      return { newest: points, others: [] };
    }
    this.#left += countOf("other");
    return {
      newest: points.filter((_, at) => relations[at] !== "other"),
      others: points.filter((_, at) => relations[at] === "other"),
    };
  }

  notes(): string[] {
    const points = (count: number): string => counted(count, "point");
    return [
      ...(this.#left === 0
        ? []
        : [`omitted unless machines are compared: ${points(this.#left)} of other machines, too few of each to judge`]),
      ...(this.#unknown === 0 ? [] : [`compared despite an unknown machine: ${points(this.#unknown)}`]),
      ...(this.#mixed === 0 ? [] : [`compared across machines: ${counted(this.#mixed, "series", "series")}`]),
    ];
  }
}

/** Points of the same machine or class together, in the order of their first point. */
function classesIn<P extends Pick<PointOrigin, "machine">>(points: readonly P[]): MachinePoints<P>[] {
  const classes: { readonly machine: string | null; readonly points: P[] }[] = [];
  for (const [machine, own] of groupBy(points, (point) => point.machine)) {
    const known = classes.find((each) => sameMachine(each.machine, machine) === "same");
    if (known === undefined) classes.push({ machine, points: [...own] });
    else known.points.push(...own);
  }
  const position = new Map(points.map((point, at) => [point, at]));
  const byPosition = (a: P, b: P): number => (position.get(a) ?? 0) - (position.get(b) ?? 0);
  return classes.map((each) => ({ ...each, points: each.points.toSorted(byPosition) }));
}
