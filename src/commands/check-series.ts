import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/setting.ts";
import { seriesVerdicts, type SeriesVerdicts } from "../query/series/series-verdicts.ts";
import { Suspects } from "../query/series/suspects.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import type { Workspace } from "../workspace/workspace.ts";
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
  const suspects = new Suspects(axis.history.graph);
  const { counting } = axis;
  const { notes, ...found } = seriesVerdicts(built.series, {
    method: detector.name,
    detect: (numbers) => detector.detect(numbers, values),
    isIn: counting === null ? null : (version: VersionId | null): boolean => version === null || counting.has(version),
    minEffect: asked.minEffect,
    falseDiscoveryRate: asked.falseDiscoveryRate,
    allMachines: asked.allMachines,
    suspects: (before, after) => suspects.between(before, after),
  });
  return { ...found, method: detector.name, notes: [...axis.notes, ...built.notes, ...notes] };
}
