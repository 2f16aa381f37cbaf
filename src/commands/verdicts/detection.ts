import type { Settings } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import { readSeriesTable, type NamedSeries } from "../../formats/benchmarks/series-table.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import type { Settled } from "../../math/detectors/incremental-ensemble.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import type { Detector, PossibleShift } from "../../plugins/detectors/detector.ts";
import type { Question, ShiftQuestion } from "../../query/series/judge-series.ts";
import { PlantedShifts } from "../../query/series/series-verdicts.ts";
import { answerKey } from "../../store/cache/answer-cache.ts";
import { SeriesCache } from "../../store/cache/block-cache.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Option with the significance level, of detectors that have one. */
const levelOption = "max-pvalue";

/** Detection functions for one significance level. */
type DetectionFunctions = Pick<Question, "detect" | "detectable">;

/** A detector with its options at any significance level. Results are cached by value. */
export class Detection {
  readonly method: string;
  /** Significance level of the options; null: the detector has none. */
  readonly level: number | null;
  readonly #workspace: Workspace;
  readonly #detector: Detector;
  readonly #options: Values;
  readonly #program: string | undefined;
  readonly #kept: Pick<SeriesCache<never>, "save">[] = [];
  readonly #functions = new Map<number | null, DetectionFunctions>();

  /** `program`: version of perfkeep for cache keys; absent: no caching. */
  constructor(workspace: Workspace, detector: Detector, options: Values, program?: string) {
    this.method = detector.name;
    this.level = detector.options.some(({ name }) => name === levelOption) ? Number(options.get(levelOption)) : null;
    this.#workspace = workspace;
    this.#detector = detector;
    this.#options = options;
    // User-defined detectors may change at any time.