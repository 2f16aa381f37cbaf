import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { takeRows, type Table } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import { withAmountUnit } from "./amount-unit.ts";
import { rowsWhere } from "./selected-rows.ts";
import { flatResources } from "./flat-rows.ts";
import { pivotOf, type Pivot } from "./pivot.ts";
import { plotPoints } from "./points.ts";

/** The text of an option; undefined if not given. */
export function textOption(options: Values, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An option with several values, one per line. */
export function linesOption(options: Values, name: string): string[] {
  return (textOption(options, name) ?? "").split("\n").filter((line) => line !== "");
}

/** The selected rows of a run, flattened. Fails with `nothing-to-draw`, `bad-condition`, `unknown-column`. */
export function wantedRows(run: Run, where: readonly string[]): Table {
  return wanted(flatResources(run), where);
}

/** The same, not flattened. */
export function wantedData(run: Run, where: readonly string[]): Table {
  if (where.length === 0) return wanted(run.data, where);
  return wanted(takeRows(run.data, rowsWhere(flatResources(run), where)), []);
}

function wanted(rows: Table, where: readonly string[]): Table {
  const kept = where.length === 0 ? rows : takeRows(rows, rowsWhere(rows, where));
  if (kept.length > 0) return kept;
  throw new Failure("nothing-to-draw", {
    what: rows.length === 0 ? "the profile has no rows" : `no row has ${where.join(" and ")}`,
  });
}

/**
 * The numbers of a chart by the options `of`, `by`, `func`, `subtype`, `where`; `per`: the option that names the
 * independent column.
 */
export function chartPivot(run: Run, options: Values, per: string): Pivot {
  const rows = wantedRows(run, linesOption(options, "where"));
  const subtype = textOption(options, "subtype");
  const plan = { of: "of", per, by: "by", statistic: "func" };
  const given = Object.entries(plan).flatMap(([name, option]) => {
    const text = textOption(options, option);
    return text === undefined ? [] : [[name, text]];
  });
  const by = textOption(options, "by");
  const points = plotPoints(withAmountUnit(rows, run, subtype), {
    ...Object.fromEntries(given),
    ...(subtype === undefined ? {} : { subtype }),
  });
  if (points.length > 0) return pivotOf(points, by !== undefined);
  const names = points.variables.map(({ name }) => name);
  throw new Failure("nothing-to-draw", { what: `no row has all of ${names.join(", ")}` });
}

/** Whether the statistic is additive: sums and counts. */
export function isAdditive(options: Values): boolean {
  return ["sum", "count", "n"].includes(textOption(options, "func")?.toLowerCase() ?? "sum");
}

/** The title of a chart: the words, then command and workload. */
export function titled(run: Run, words: string): string {
  const subject = ["cmd", "workload"].flatMap((name) => textOption(run.fixed, name) ?? []);
  return subject.length === 0 ? words : `${words}: ${subject.join(" ")}`;
}
