import { Failure } from "../../core/failures/index.ts";
import type { Axis, Block, ChartBlock, ChartSeries, Figure } from "../../core/figures/index.ts";
import { isObject, JsonNumber, type Json, type Values } from "../../core/values/index.ts";
import {
  locationName,
  pointsBySubtype,
  type Points,
  type Run,
  parsedUnit,
  unitsOf,
} from "../../core/profiles/index.ts";
import { valueAt, type Table } from "../../core/tables/index.ts";
import {
  modelCurves,
  flatResources,
  independentKey,
  linesOption,
  textOption,
  titled,
  wantedData,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** One chart per location with its points and fitted models. */
export const scatter: View = Object.freeze<View>({
  kind: "view",
  name: "scatter",
  synopsis: "points of each location, with fitted models as curves",
  options: [
    option("of", "string", "amount", "column of the vertical axis"),
    option(
      "per",
      "string",
      null,
      "column of the horizontal axis; default: the first common one, such as structure-unit-size or order",
    ),
    option("uid", "text", null, "only these locations, one per line"),
    option("where", "text", null, "conditions on rows, one per line, as in perfkeep query"),
    option("top", "integer", 12, "maximum locations, those with the most points"),
    option("title", "string", null, "title"),
    option("x-label", "string", null, "label of the horizontal axis"),
    option("y-label", "string", null, "label of the vertical axis"),
  ],
  draw: drawScatter,
});

function drawScatter(run: Run, given: Values): Figure {
  const options = withDefaults(scatter, given);
  const data = wantedData(run, linesOption(options, "where"));
  const per = textOption(options, "per") ?? independentKey(data);
  if (per === undefined)
    throw new Failure("no-independent-key", { known: data.variables.map(({ name }) => name).join(", ") });
  const of = textOption(options, "of") ?? "amount";
  const all = selectLocations(pointsBySubtype(data, per, of), linesOption(options, "uid"));
  const kept = all
    .toSorted((a, b) => b.x.length - a.x.length)
    .slice(0, numberWithin(scatter, options, "top", 1, 100_000));
  const curves = curvesOf(run);
  const unit = parsedUnit(unitsOf(run)(of, String(run.fixed.get("type") ?? ""), ""));
  const x: Axis = { label: textOption(options, "x-label") ?? per, scale: "linear" };
  const y: Axis = { label: textOption(options, "y-label") ?? of, scale: "linear", ...(unit ? { unit } : {}) };
  const blocks: Block[] = kept.map((points) =>
    chartOf(points, [...(curves.get(locationName(points)) ?? curves.get(points.uid) ?? [])], x, y),
  );
  if (kept.length < all.length)
    blocks.push({
      kind: "text",
      text: `${all.length - kept.length} more locations are omitted: raise top to show more`,
    });
  const title = textOption(options, "title") ?? titled(run, `${y.label} per ${x.label}`);
  return { title, blocks, ...(kept.length > 1 ? { columns: 2 } : {}) };
}

function selectLocations(all: readonly Points[], uids: readonly string[]): readonly Points[] {
  const selected =
    uids.length === 0 ? all : all.filter((points) => uids.includes(points.uid) || uids.includes(locationName(points)));
  if (selected.length > 0) return selected;
  throw new Failure("nothing-to-draw", {
    what: all.length === 0 ? "the profile has no rows" : `no row has the uid ${uids.join(" or ")}`,
  });
}

function chartOf(points: Points, curves: readonly ChartSeries[], x: Axis, y: Axis): ChartBlock {
  const own: ChartSeries = { label: "measured", axis: 0, mark: "points", x: points.x, y: points.y };
  return { kind: "chart", caption: locationName(points), mark: "curve", x, y: [y], series: [own, ...curves] };
}

/** The curves of the models of each location, the best fit first. */
function curvesOf(run: Run): ReadonlyMap<string, ChartSeries[]> {
  if (run.models.length === 0) return new Map();
  const table = modelCurves(run.models, flatResources(run));
  const fits = run.models.map(fitOf);
  const byLocation = new Map<string, { series: ChartSeries; fit: number }[]>();
  for (const { model, uid, kind, from, to } of rowsByModel(table)) {
    const x = numbersOf(table, "x").subarray(from, to);
    const fit = fits[model] ?? Number.NaN;
    const share = Number.isFinite(fit) ? ` (r² ${Number(fit.toPrecision(3))})` : "";
    const series: ChartSeries = { label: `${kind}${share}`, axis: 0, x, y: numbersOf(table, "y").subarray(from, to) };
    byLocation.set(uid, [...(byLocation.get(uid) ?? []), { series, fit }]);
  }
  return new Map(
    [...byLocation].map(([uid, all]) => [
      uid,
      all.toSorted((a, b) => sortKey(b.fit) - sortKey(a.fit)).map(({ series }) => series),
    ]),
  );
}

function sortKey(fit: number): number {
  return Number.isFinite(fit) ? fit : Number.NEGATIVE_INFINITY;
}

function fitOf(model: Json): number {
  const fit = isObject(model) ? model.get("r_square") : undefined;
  return fit instanceof JsonNumber ? fit.value : Number.NaN;
}

interface ModelRows {
  readonly model: number;
  readonly uid: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** The row range of each model; its rows are contiguous. */
function rowsByModel(table: Table): ModelRows[] {
  const models = numbersOf(table, "model");
  const [uid, kind] = [textsOf(table, "uid"), textsOf(table, "kind")];
  const ranges: ModelRows[] = [];
  for (let from = 0; from < table.length;) {
    let to = from + 1;
    while (to < table.length && models[to] === models[from]) to += 1;
    ranges.push({ model: models[from]!, uid: uid(from), kind: kind(from), from, to });
    from = to;
  }
  return ranges;
}

function numbersOf(table: Table, name: string): Float64Array {
  const column = table.columns[table.variables.findIndex((variable) => variable.name === name)];
  return column?.kind === "number" ? column.values : new Float64Array(table.length);
}

function textsOf(table: Table, name: string): (row: number) => string {
  const column = table.columns[table.variables.findIndex((variable) => variable.name === name)];
  return (row) => (column?.kind === "text" ? String(valueAt(column, row, "text") ?? "") : "");
}
