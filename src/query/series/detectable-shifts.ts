import type { LevelChange } from "../../math/detectors/level-change.ts";
import { varianceOfMean } from "../../math/detectors/noise.ts";
import { plantedShift } from "../../math/detectors/injected-shift.ts";
import type { ShiftQuestion } from "./judge-series.ts";

/** Series that shifts are planted in: each takes some forty to eighty times what looking for changes in it takes. */
const mostPlanted = 30;

/**
 * The least shifts that a detector tells in four of five cases, found by planting them in the first series that are
 * asked about. Those beyond are told by their noise: the shift is as many standard errors as the first ones took in the
 * middle, of those with as many values on both sides if there are some.
 */
export class PlantedShifts {
  readonly #detect: (values: Float64Array) => readonly LevelChange[];
  readonly #shares: { readonly sides: string; readonly share: number }[] = [];

  constructor(detect: (values: Float64Array) => readonly LevelChange[]) {
    this.#detect = detect;
  }

  /** null: none is. */
  of({ values, places, noise, from, cut, to }: ShiftQuestion): number | null {
    const error = Math.sqrt(varianceOfMean(noise, cut - from) + varianceOfMean(noise, to - cut));
    const sides = `${cut - from} ${to - cut}`;
    if (this.#shares.length >= mostPlanted) return this.#shareOf(sides, error);
    const shift = plantedShift(values, places, { from, cut, to }, this.#detect);
    // Without any noise a shift is no number of errors.
    if (error > 0) this.#shares.push({ sides, share: (shift ?? Infinity) / error });
    return shift;
  }

  #shareOf(sides: string, error: number): number | null {
    const alike = this.#shares.filter((each) => each.sides === sides);
    const shares = Float64Array.from(alike.length > 0 ? alike : this.#shares, ({ share }) => share).sort();
    const middle = shares[shares.length >> 1] as number;
    return Number.isFinite(middle) ? middle * error : null;
  }
}
