import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/setting.ts";
import type { Values } from "../core/value.ts";
import type { LevelChange } from "../math/detectors/level-change.ts";
import type { PossibleShift } from "../plugins/detectors/detector.ts";
import type { ShiftQuestion } from "../query/series/judged-series.ts";
import { PlantedShifts } from "../query/series/planted-shifts.ts";
import { seriesVerdicts, type SeriesVerdicts } from "../query/series/series-verdicts.ts";
import { Suspects } from "../query/series/suspects.ts";
import { answerKey } from "../store/answer-cache.ts";
import { KeptByContent } from "../store/kept-by-content.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { underNewNames } from "./apply-triage.ts";
import { experimentSeries, type ExperimentSeries, profileSeries, type ProfileFilter, seriesAxis, type SeriesRange } from "./series.ts";

export interface CheckSeriesOptions extends SeriesRange {
  /** Whose numbers: profiles that fit, or those of an experiment. */
  readonly of: ProfileFilter | ExperimentSeries;
  /** Name of a detector, and its options. */
  readonly method: string;
  readonly options: Settings;
  /** The least change, as a share, that counts. */
  readonly minEffect: number;
  /** Share of false alarms among all changes. */
  readonly falseDiscoveryRate: number;
  readonly allMachines: boolean;
  /** The version of the program: what it found in the same numbers before holds still. Absent: everything is computed. */
  readonly program?: string;
}

export interface CheckedSeries extends SeriesVerdicts {
  readonly method: string;
}

/**
 * Looks for changes in the history of every number that was measured. Fails with `no-series` where there is none, with `unknown-plugin`,
 * `unknown-collector-option`, `bad-collector-option`, and with what building series fails with.
 */
export async function checkSeries(workspace: Workspace, asked: CheckSeriesOptions): Promise<CheckedSeries> {
  const detector = await workspace.registry.get("detector", asked.method);
  const values = optionsOf(detector, asked.options);
  const axis = await seriesAxis(workspace, asked);
  const built = "experiment" in asked.of ? await experimentSeries(workspace, axis, asked.of) : profileSeries(workspace, axis, asked.of);
  if (built.series.length === 0) throw new Failure("no-series", { versions: axis.order.length, notes: built.notes });
  const kept = keptChanges(workspace, asked, detector.name, values);
  const compute = (numbers: Float64Array): readonly LevelChange[] => detector.detect(numbers, values);
  const planted = new PlantedShifts(compute);
  const suspects = new Suspects(axis.history.graph);
  const { counting } = axis;
  const { notes, ...found } = seriesVerdicts(await underNewNames(workspace, built.series, axis.order), {
    method: detector.name,
    detect: kept === undefined ? compute : (numbers) => kept.of(numbers, compute),
    detectable: (at, quantiles) => detector.detectable?.(sidesOf(at), values, (p, freedom) => quantiles.of(p, freedom)) ?? planted.of(at),
    isIn: counting === null ? null : (version: VersionId | null): boolean => version === null || counting.has(version),
    minEffect: asked.minEffect,
    falseDiscoveryRate: asked.falseDiscoveryRate,
    allMachines: asked.allMachines,
    suspects: (before, after) => suspects.between(before, after),
  });
  kept?.save();
  return { ...found, method: detector.name, notes: [...axis.notes, ...built.notes, ...notes] };
}

function sidesOf({ values, noise, from, cut, to }: ShiftQuestion): PossibleShift {
  return { before: cut - from, after: to - cut, count: values.length, noise };
}

/** undefined: nothing is kept. A detector of the user's may change at any time. */
function keptChanges(
  workspace: Workspace,
  { program }: CheckSeriesOptions,
  name: string,
  options: Values,
): KeptByContent<readonly LevelChange[]> | undefined {
  if (program === undefined || !workspace.registry.isBuiltIn("detector", name)) return undefined;
  const words = [...options].flatMap(([option, value]) => [option, String(value)]);
  return new KeptByContent(workspace.answers(), answerKey(["series", program, name, ...words]), workspace.world.now() / 1000);
}
