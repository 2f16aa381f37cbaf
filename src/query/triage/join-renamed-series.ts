import { byKey } from "../../core/tables/group-by.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { Series, SeriesPoint } from "../../core/measurements/series.ts";
import { convertFactor, sameDimension } from "../../core/values/unit.ts";

/**
 * The series of what was renamed, joined under the newest key: points in the order of history (`order`, the oldest
 * first), and where both names were measured at a version, those of the newer name. Series whose units are of different
 * kinds stay apart.
 */
export function joinedSeries(
  series: readonly Series[],
  newest: ReadonlyMap<string, string>,
  order: readonly VersionId[],
): Series[] {
  if (newest.size === 0) return [...series];
  const places = new Map(order.map((id, at) => [id, at]));
  const groups = byKey(series, ({ subject }) => newest.get(subject.key) ?? subject.key);
  return [...groups].flatMap(([key, parts]) => joined(key, parts, places));
}

function joined(key: string, parts: readonly Series[], places: ReadonlyMap<VersionId, number>): Series[] {
  const target = parts.find(({ subject }) => subject.key === key) ?? parts.at(-1);
  if (target === undefined) return [];
  if (parts.length === 1 && target.subject.key === key) return [...parts];
  const others = parts.filter((part) => part !== target);
  const fits = others.filter(({ subject }) => sameDimension(subject.unit, target.subject.unit));
  const points = fits.flatMap((part) =>
    part.points.map(scaledBy(convertFactor(part.subject.unit, target.subject.unit))),
  );
  const whole = { subject: { ...target.subject, key }, points: inOrder(points, target.points, places) };
  return [whole, ...others.filter((part) => !fits.includes(part))];
}

function scaledBy(factor: number): (point: SeriesPoint) => SeriesPoint {
  return (point) => (factor === 1 ? point : { ...point, sample: point.sample.map((value) => value * factor) });
}

/** Points without a place in history keep their order; those of the older names come first. */
function inOrder(
  old: readonly SeriesPoint[],
  present: readonly SeriesPoint[],
  places: ReadonlyMap<VersionId, number>,
): SeriesPoint[] {
  const measured = new Set(present.map(({ version }) => version));
  const placeOf = ({ version }: SeriesPoint): number | undefined =>
    version === null ? undefined : places.get(version);
  const all = [...old.filter(({ version }) => version === null || !measured.has(version)), ...present];
  if (all.some((point) => placeOf(point) === undefined)) return all;
  return all.toSorted((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
}
