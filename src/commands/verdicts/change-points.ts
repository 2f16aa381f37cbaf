import type { Settings } from "../../core/values/setting.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { readSeriesTable, type NamedSeries } from "../../formats/benchmarks/series-table.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ChangePointsOptions {
  /** A CSV table of series. */
  readonly file: string;
  /** Name of a detector. */
  readonly method: string;
  readonly options: Settings;
}

/** What a detector found in one series. */
export interface SeriesChanges {
  readonly name: string;
  /** How many values it has. */
  readonly values: number;
  readonly changePoints: readonly FoundChange[];
}

/** What was found, and in what. */
export interface SearchedSeries {
  readonly found: SeriesChanges;
  readonly searched: NamedSeries;
}

export interface FoundChange {
  /** Place among the values of the series, from 0; the first value of the new level. */
  readonly index: number;
  /** What the first column has there. */
  readonly label: string;
  /** Means of the levels before and after. */
  readonly before: number;
  readonly after: number;
  readonly p: number | null;
}

/**
 * Changes of level in every series of a table. Fails with `bad-series`, `unknown-plugin`, `unknown-collector-option`,
 * `bad-collector-option`.
 */
export async function changePoints(
  workspace: Workspace,
  { file, method, options }: ChangePointsOptions,
): Promise<SearchedSeries[]> {
  const detector = await workspace.registry.get("detector", method);
  const values = optionsOf(detector, options);
  return readSeriesTable(descriptionText(workspace.files.read(file), file), file).map((searched) => {
    const changePoints = detector.detect(searched.values, values).map(({ index, before, after, p }) => {
      return { index, label: searched.labels[index] ?? "", before, after, p: p ?? null };
    });
    return { found: { name: searched.name, values: searched.values.length, changePoints }, searched };
  });
}
