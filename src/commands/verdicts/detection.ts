import type { Settings, Values } from "../../core/values/index.ts";
import { readSeriesTable, type NamedSeries } from "../../formats/benchmarks/index.ts";
import { descriptionText } from "../../formats/descriptions/index.ts";
import type { Settled, LevelChange } from "../../math/detectors/index.ts";
import type { Detector, PossibleShift } from "../../plugins/detectors/detector.ts";
import { type DetectionOptions, type ShiftSpan, PlantedShifts } from "../../query/series/index.ts";
import { answerKey, SeriesCache } from "../../store/cache/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Option with the significance level, of detectors that have one. */
const levelOption = "max-pvalue";

/** Detection functions for one significance level. */
type DetectionFunctions = Pick<DetectionOptions, "detect" | "detectable">;

/** A detector with its options at any significance level. Results are cached by value. */
export class Detection {
  readonly method: string;
  /** Significance level of the options; null: the detector has none. */
  readonly level: number | null;
  readonly #workspace: Workspace;
  readonly #detector: Detector;
  readonly #options: Values;
  readonly #program: string | undefined;
  readonly #caches: Pick<SeriesCache<never>, "save">[] = [];
  readonly #functions = new Map<number | null, DetectionFunctions>();

  /** `program`: version of perfkeep for cache keys; absent: no caching. */
  constructor(workspace: Workspace, detector: Detector, options: Values, program?: string) {
    this.method = detector.name;
    this.level = detector.options.some(({ name }) => name === levelOption) ? Number(options.get(levelOption)) : null;
    this.#workspace = workspace;
    this.#detector = detector;
    this.#options = options;
    // User-defined detectors may change at any time.
    this.#program = workspace.registry.isBuiltIn("detector", detector.name) ? program : undefined;
  }

  /** Detection functions at a level; null: the configured level. */
  at(level: number | null): DetectionFunctions {
    const functions = this.#functions.get(level) ?? this.#build(level);
    this.#functions.set(level, functions);
    return functions;
  }

  #build(level: number | null): DetectionFunctions {
    const detector = this.#detector;
    const options = level === null ? this.#options : new Map([...this.#options, [levelOption, level]]);
    const memory = this.#cacheOf<Settled>("settled", options);
    const compute = (values: Float64Array): readonly LevelChange[] => detector.detect(values, options, memory);
    const cache = this.#cacheOf<readonly LevelChange[]>("series", options);
    const planted = new PlantedShifts(compute);
    return {
      detect: cache === undefined ? compute : (values) => cache.getOrCompute(values, compute),
      detectable: (at, quantiles) =>
        detector.detectable?.(sidesOf(at), options, (p, freedom) => quantiles.of(p, freedom)) ?? planted.of(at),
    };
  }

  /** Writes the caches. */
  save(): void {
    for (const cache of this.#caches) cache.save();
  }

  #cacheOf<T>(what: string, options: Values): SeriesCache<T> | undefined {
    if (this.#program === undefined) return undefined;
    const words = [...options].flatMap(([option, value]) => [option, String(value)]);
    const key = answerKey([what, this.#program, this.method, ...words]);
    const cache = new SeriesCache<T>(this.#workspace.answers(), key, this.#workspace.world.now() / 1000);
    this.#caches.push(cache);
    return cache;
  }
}

function sidesOf({ values, noise, from, cut, to }: ShiftSpan): PossibleShift {
  return { before: cut - from, after: to - cut, count: values.length, noise };
}

export interface ChangePointsOptions {
  /** CSV file with one series per column. */
  readonly file: string;
  /** Name of a detector. */
  readonly method: string;
  readonly options: Settings;
}

/** Changes detected in one series. */
export interface SeriesChanges {
  readonly name: string;
  /** Number of values. */
  readonly values: number;
  readonly changePoints: readonly DetectedChange[];
}

/** A series and its changes. */
export interface SeriesResult {
  readonly changes: SeriesChanges;
  readonly series: NamedSeries;
}

export interface DetectedChange {
  /** Index in the series, from 0, of the first value of the new level. */
  readonly index: number;
  /** Label in the first column. */
  readonly label: string;
  /** Level before the change: its mean, of the ensemble its median. */
  readonly before: number;
  readonly after: number;
  readonly p: number | null;
}

/**
 * Detects level changes in every series of a table. Fails with `bad-series`, `unknown-plugin`,
 * `unknown-collector-option`, `bad-collector-option`.
 */
export async function changePoints(
  workspace: Workspace,
  { file, method, options }: ChangePointsOptions,
): Promise<SeriesResult[]> {
  const detector = await workspace.registry.get("detector", method);
  const values = optionsOf(detector, options);
  return readSeriesTable(descriptionText(workspace.files.read(file), file), file).map((series) => {
    const changePoints = detector.detect(series.values, values).map(({ index, before, after, p }) => {
      return { index, label: series.labels[index] ?? "", before, after, p: p ?? null };
    });
    return { changes: { name: series.name, values: series.values.length, changePoints }, series };
  });
}
