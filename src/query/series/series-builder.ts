import { counted } from "../../core/counted.ts";
import type { Better, Growth, Series, SeriesPoint, Subject } from "../../core/series.ts";
import { type Conversion, convert, conversion, formatUnit, sameDimension, type Unit } from "../../core/unit.ts";
import { betterOf } from "../../core/better-of.ts";

/** A subject as its measurements tell it. */
export interface MeasuredSubject extends Omit<Subject, "better"> {
  /** undefined: the unit tells. */
  readonly better: Better | undefined;
}

/** Where values were measured. */
export type Place = Pick<SeriesPoint, "version" | "machine">;

/** Makes series of measurements that come in the order of history. Keeps some 30 bytes for a value: points are made when they are asked for. */
export class SeriesBuilder {
  readonly #series = new Map<string, GrowingSeries>();
  readonly #strange = new Map<string, number>();
  readonly #words = new WeakMap<Unit, string>();
  readonly #apart: boolean;

  /** `apart`: values of the same version stay points of their own, as they were measured. */
  constructor(apart = false) {
    this.#apart = apart;
  }

  /**
   * Values are finite; none: nothing happens. Those of the same version and machine are pooled, unless they stay apart. Values in a unit that measures something else
   * are left out and told.
   */
  add(measured: MeasuredSubject, place: Place, evidence: string, values: Float64Array, growth?: Growth): void {
    if (values.length === 0) return;
    const own = this.#of(measured);
    const { subject } = own;
    const factor = this.#factor(measured.unit, subject.unit);
    if (factor !== undefined)
      return own.add(place, evidence, factor === null ? values : values.map((value) => convert(value, factor)), growth);
    const [from, to] = [measured.unit, subject.unit].map((unit) => this.#word(unit) || "no unit");
    const what = `in ${from} of ${subject.benchmark} ${subject.metric}, which is in ${to}`;
    this.#strange.set(what, (this.#strange.get(what) ?? 0) + values.length);
  }

  /** In order of their keys. */
  series(): Series[] {
    return [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, series]) => series);
  }

  /** What was left out. */
  notes(): string[] {
    return [...this.#strange].map(([what, count]) => `left out: ${counted(count, "value")} ${what}`);
  }

  #of(measured: MeasuredSubject): GrowingSeries {
    const known = this.#series.get(measured.key);
    if (known !== undefined) return known;
    const made = new GrowingSeries({ ...measured, better: measured.better ?? betterOf(measured.unit) }, this.#apart);
    this.#series.set(measured.key, made);
    return made;
  }

  /** null: they are the same; undefined: they measure something else. */
  #factor(from: Unit | undefined, to: Unit | undefined): Conversion | null | undefined {
    if (from === to || this.#word(from) === this.#word(to)) return null;
    return sameDimension(from, to) ? conversion(from, to) : undefined;
  }

  #word(unit: Unit | undefined): string {
    if (unit === undefined) return "";
    const known = this.#words.get(unit) ?? formatUnit(unit);
    this.#words.set(unit, known);
    return known;
  }
}

/** What was added to a series, in arrays side by side. */
class GrowingSeries implements Series {
  readonly subject: Subject;
  readonly #places: Place[] = [];
  readonly #evidence: string[] = [];
  readonly #growths = new Map<number, Growth>();
  readonly #ends: number[] = [];
  readonly #values: number[] = [];

  readonly #apart: boolean;

  constructor(subject: Subject, apart: boolean) {
    this.subject = subject;
    this.#apart = apart;
  }

  add(place: Place, evidence: string, values: Float64Array, growth: Growth | undefined): void {
    if (growth !== undefined) this.#growths.set(this.#places.length, growth);
    this.#places.push(place);
    this.#evidence.push(evidence);
    for (const value of values) this.#values.push(value);
    this.#ends.push(this.#values.length);
  }

  /** Made anew at every call. */
  get points(): readonly SeriesPoint[] {
    const values = new Float64Array(this.#values);
    const points: SeriesPoint[] = [];
    for (let at = 0; at < this.#places.length; at++) {
      const point = this.#point(values, at);
      const same = this.#apart ? -1 : pooledWith(points, point);
      if (same < 0) points.push(point);
      else points[same] = pooled(points[same] as SeriesPoint, point);
    }
    return points;
  }

  #point(values: Float64Array, at: number): SeriesPoint {
    const { version, machine } = this.#places[at] as Place;
    const sample = values.subarray(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
    const growth = this.#growths.get(at);
    const evidence = [this.#evidence[at] as string];
    return growth === undefined ? { version, machine, evidence, sample } : { version, machine, evidence, sample, growth: [growth] };
  }
}

/** Among the newest points, those of the same version, the one of the same machine; -1: there is none. */
function pooledWith(points: readonly SeriesPoint[], { version, machine }: Place): number {
  if (version === null) return -1;
  for (let at = points.length - 1; at >= 0; at--) {
    const point = points[at] as SeriesPoint;
    if (point.version !== version) return -1;
    if (point.machine === machine) return at;
  }
  return -1;
}

function pooled(a: SeriesPoint, b: SeriesPoint): SeriesPoint {
  const growth = [...(a.growth ?? []), ...(b.growth ?? [])];
  return {
    version: a.version,
    machine: a.machine,
    evidence: [...new Set([...a.evidence, ...b.evidence])],
    sample: joined(a.sample, b.sample),
    ...(growth.length === 0 ? {} : { growth }),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
