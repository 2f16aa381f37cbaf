import { counted } from "../../core/counted.ts";
import type { Better, Growth, Series, SeriesPoint, Subject } from "../../core/series.ts";
import { convert, conversion, formatUnit, sameDimension, type Unit } from "../../core/unit.ts";
import { betterOf } from "./better-of.ts";

/** A subject as its measurements tell it. */
export interface MeasuredSubject extends Omit<Subject, "better"> {
  /** undefined: the unit tells. */
  readonly better: Better | undefined;
}

/** Where values were measured. */
export type Place = Omit<SeriesPoint, "sample" | "evidence" | "growth">;

interface GrowingPoint extends Place {
  readonly evidence: string[];
  readonly parts: Float64Array[];
  growth?: readonly Growth[];
}

interface GrowingSeries {
  readonly subject: Subject;
  readonly points: GrowingPoint[];
}

/** Makes series of measurements that come in the order of history. */
export class SeriesBuilder {
  readonly #series = new Map<string, GrowingSeries>();
  readonly #strange = new Map<string, number>();

  /** Values are finite; none: nothing happens. Those of the same version and machine are pooled. Values in a unit that measures something else are left out and told. */
  add(measured: MeasuredSubject, place: Place, evidence: string, values: Float64Array, growth?: Growth): void {
    if (values.length === 0) return;
    const own = this.#of(measured);
    const converted = inUnit(values, measured.unit, own.subject.unit);
    if (converted === undefined) {
      const what = `in ${formatUnit(measured.unit) || "no unit"} of ${own.subject.benchmark} ${own.subject.metric}, which is in ${formatUnit(own.subject.unit) || "no unit"}`;
      this.#strange.set(what, (this.#strange.get(what) ?? 0) + values.length);
      return;
    }
    const point = pointAt(own.points, place);
    if (!point.evidence.includes(evidence)) point.evidence.push(evidence);
    point.parts.push(converted);
    if (growth !== undefined) point.growth = [...(point.growth ?? []), growth];
  }

  /** In order of their keys. */
  series(): Series[] {
    return [...this.#series]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { subject, points }]) => ({ subject, points: points.map(({ parts, ...point }) => ({ ...point, sample: joined(parts) })) }));
  }

  /** What was left out. */
  notes(): string[] {
    return [...this.#strange].map(([what, count]) => `left out: ${counted(count, "value")} ${what}`);
  }

  #of(measured: MeasuredSubject): GrowingSeries {
    const known = this.#series.get(measured.key);
    if (known !== undefined) return known;
    const made = { subject: { ...measured, better: measured.better ?? betterOf(measured.unit) }, points: [] };
    this.#series.set(measured.key, made);
    return made;
  }
}

/** The point of the place among the newest ones, or a new one. */
function pointAt(points: GrowingPoint[], place: Place): GrowingPoint {
  for (let at = points.length - 1; at >= 0; at--) {
    const point = points[at] as GrowingPoint;
    if (point.version !== place.version || place.version === null) break;
    if (point.machine === place.machine) return point;
  }
  const made = { ...place, evidence: [], parts: [] };
  points.push(made);
  return made;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

function inUnit(values: Float64Array, from: Unit | undefined, to: Unit | undefined): Float64Array | undefined {
  if (from === to || formatUnit(from) === formatUnit(to)) return values;
  if (!sameDimension(from, to)) return undefined;
  const factor = conversion(from, to);
  return values.map((value) => convert(value, factor));
}
