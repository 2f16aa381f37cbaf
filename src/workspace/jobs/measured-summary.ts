import { parsedUnit, unitsOf, type Run } from "../../core/profiles/index.ts";
import type { NumberColumn, Table } from "../../core/tables/index.ts";
import { counted } from "../../core/text/index.ts";
import { flatText, isObject, scaledText, textAt } from "../../core/values/index.ts";
import { groupRows } from "../../formats/profile/index.ts";
import { median, moments } from "../../math/descriptive/index.ts";
import { countOutliers } from "./noise-report.ts";

/**
 * The numbers of a measured command in a line: `real median 1.21 ms, spread 3.1 % of 10 runs, peak memory 2 MiB`. Takes
 * those of the collector's first metric. null for profiles of several subjects, such as functions, and for several
 * amounts a repetition.
 */
export function measuredSummary(run: Run): string | null {
  const { types, codes, properties } = run.data.groups ?? groupRows(run.data);
  const groups = types.map(({ id }) => properties.get(id)).map((own) => (isObject(own) ? own : undefined));
  const [first] = groups;
  if (first === undefined || new Set(groups.map((own) => flatText(own?.get("uid") ?? ""))).size !== 1) return null;
  const amounts = numbersOf(run.data, "amount", codes);
  const repetitions = new Set(numbersOf(run.data, "order", codes));
  if (amounts.length === 0 || repetitions.size !== amounts.length) return null;
  const [type, subtype] = [textAt(first, "type") ?? "", textAt(first, "subtype") ?? ""];
  const unitOf = unitsOf(run);
  const middle = scaledText(median(amounts), parsedUnit(unitOf("amount", type, subtype)));
  const peaks = numbersOf(run.data, "peak-memory", codes);
  const peak = peaks.reduce((high, value) => Math.max(high, value), 0);
  return [
    `${subtype === "" ? "" : `${subtype} `}${amounts.length === 1 ? middle : `median ${middle}`}`,
    ...(amounts.length === 1 ? [] : [spreadText(amounts)]),
    ...(peaks.length === 0
      ? []
      : [`peak memory ${scaledText(peak, parsedUnit(unitOf("peak-memory", type, subtype)))}`]),
  ].join(", ");
}

/** The present values of a column in rows of the first group; empty without such a column. */
function numbersOf({ variables, columns }: Table, name: string, codes: Int32Array): Float64Array {
  const column = columns[variables.findIndex((each) => each.name === name)];
  return column?.kind === "number" ? presentNumbers(column, codes) : new Float64Array();
}

function presentNumbers({ values, missing }: NumberColumn, codes: Int32Array): Float64Array {
  return values.filter((value, row) => codes[row] === 0 && missing?.[row] !== 1 && Number.isFinite(value));
}

/** The coefficient of variation, and the number of outliers: `spread 3.1 % of 10 runs, 1 outlier`. */
function spreadText(amounts: Float64Array): string {
  if (amounts.every((amount) => amount === amounts[0])) return `the same in ${amounts.length} runs`;
  const { mean, variance } = moments(amounts);
  const share = Math.sqrt(variance) / Math.abs(mean);
  const spread = Number.isFinite(share) ? `${(share * 100).toFixed(1)} %` : "unknown";
  const outliers = countOutliers(amounts) ?? 0;
  return `spread ${spread} of ${amounts.length} runs${outliers === 0 ? "" : `, ${counted(outliers, "outlier")}`}`;
}
