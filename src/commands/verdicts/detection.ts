import type { Values } from "../../core/values/value.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import type { Settled } from "../../math/detectors/incremental-ensemble.ts";
import type { Detector, PossibleShift } from "../../plugins/detectors/detector.ts";
import type { Question, ShiftQuestion } from "../../query/series/judge-series.ts";
import { PlantedShifts } from "../../query/series/detectable-shifts.ts";
import { answerKey } from "../../store/cache/answer-cache.ts";
import { KeptByContent } from "../../store/cache/content-cache.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The option of detectors that know how likely a series without a change may show one. */
const levelOption = "max-pvalue";

/** How changes of a series are looked for. */
type Detecting = Pick<Question, "detect" | "detectable">;

/** A detector with its options, at any level; what it found in the same numbers before holds still. */
export class Detection {
  readonly method: string;
  /** Of the options; null: the detector knows no levels. */
  readonly level: number | null;
  readonly #workspace: Workspace;
  readonly #detector: Detector;
  readonly #options: Values;
  readonly #program: string | undefined;
  readonly #kept: Pick<KeptByContent<never>, "save">[] = [];
  readonly #known = new Map<number | null, Detecting>();

  /** `program`: the version of the program; absent: everything is computed. */
  constructor(workspace: Workspace, detector: Detector, options: Values, program?: string) {
    this.method = detector.name;
    this.level = detector.options.some(({ name }) => name === levelOption) ? Number(options.get(levelOption)) : null;
    this.#workspace = workspace;
    this.#detector = detector;
    this.#options = options;
    // A detector of the user's may change at any time.
    this.#program = workspace.registry.isBuiltIn("detector", detector.name) ? program : undefined;
  }

  /** How changes are looked for at a level, and how small ones would be seen; null: at the detector's own. */
  at(level: number | null): Detecting {
    const known = this.#known.get(level) ?? this.#made(level);
    this.#known.set(level, known);
    return known;
  }

  #made(level: number | null): Detecting {
    const detector = this.#detector;
    const options = level === null ? this.#options : new Map([...this.#options, [levelOption, level]]);
    const memory = this.#keptOf<Settled>("settled", options);
    const compute = (values: Float64Array): readonly LevelChange[] => detector.detect(values, options, memory);
    const kept = this.#keptOf<readonly LevelChange[]>("series", options);
    const planted = new PlantedShifts(compute);
    return {
      detect: kept === undefined ? compute : (values) => kept.of(values, compute),
      detectable: (at, quantiles) =>
        detector.detectable?.(sidesOf(at), options, (p, freedom) => quantiles.of(p, freedom)) ?? planted.of(at),
    };
  }

  /** Keeps what was found. */
  save(): void {
    for (const kept of this.#kept) kept.save();
  }

  #keptOf<T>(what: string, options: Values): KeptByContent<T> | undefined {
    if (this.#program === undefined) return undefined;
    const words = [...options].flatMap(([option, value]) => [option, String(value)]);
    const key = answerKey([what, this.#program, this.method, ...words]);
    const kept = new KeptByContent<T>(this.#workspace.answers(), key, this.#workspace.world.now() / 1000);
    this.#kept.push(kept);
    return kept;
  }
}

function sidesOf({ values, noise, from, cut, to }: ShiftQuestion): PossibleShift {
  return { before: cut - from, after: to - cut, count: values.length, noise };
}
