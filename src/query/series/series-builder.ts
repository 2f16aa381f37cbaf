import { counted } from "../../core/text/plural.ts";
import type {
  Better,
  Growth,
  PointOrigin,
  PointColumns,
  Series,
  SeriesPoint,
  Subject,
} from "../../core/measurements/series.ts";
import { type Conversion, convert, conversion, formatUnit, sameDimension, type Unit } from "../../core/values/unit.ts";
import { betterOf } from "../../core/measurements/default-direction.ts";

/** A subject as its measurements tell it. */
export interface MeasuredSubject extends Omit<Subject, "better"> {
  /** undefined: the unit tells. */
  readonly better: Better | undefined;
}

/** By profile: where values were measured, and where they are kept. */
export interface MeasurementOrigins {
  readonly origins: readonly PointOrigin[];
  readonly evidence: readonly string[];
}

/** Samples side by side. */
export interface SampleColumns {
  /** By sample: its profile, and where its values end. */
  readonly profiles: Int32Array;
  readonly ends: Int32Array;
  readonly values: Float64Array;
  /** By sample: the models of a growth. */
  readonly growths: ReadonlyMap<number, Growth>;
}

/**
 * Makes series of measurements that come in the order of history. Keeps some 30 bytes for a value: points are made when
 * they are asked for.
 */
export class SeriesBuilder {
  readonly #series = new Map<string, GrowingSeries>();
  readonly #strange = new Map<string, number>();
  readonly #shared = new SharedOrigins();
  readonly #apart: boolean;

  /** `apart`: values of the same version stay points of their own, as they were measured. */
  constructor(apart = false) {
    this.#apart = apart;
  }
  readonly #words = new WeakMap<Unit, string>();

  /**
   * Values are finite; none: nothing happens. Those of the same version and machine are pooled, unless they stay apart.
   * Values in a unit that measures something else are left out and told.
   */
  add(measured: MeasuredSubject, place: PointOrigin, evidence: string, values: Float64Array, growth?: Growth): void {
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

  /**
   * The same for samples [from, to) of one subject at once, none of which is empty; `places` are those of their
   * profiles.
   */
  addColumns(
    measured: MeasuredSubject,
    columns: SampleColumns,
    places: MeasurementOrigins,
    from: number,
    to: number,
  ): void {
    const own = this.#of(measured);
    const part = { columns, places, from, to };
    if (this.#factor(measured.unit, own.subject.unit) === null && own.addPart(part)) return;
    eachSample(part, (...sample) => this.add(measured, ...sample));
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
    const made = new GrowingSeries(
      { ...measured, better: measured.better ?? betterOf(measured.unit) },
      this.#shared,
      this.#apart,
    );
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

/** Samples [from, to) of one subject. */
interface Part {
  readonly columns: SampleColumns;
  readonly origins: MeasurementOrigins;
  readonly from: number;
  readonly to: number;
}

type SampleAction = (place: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined) => void;

function eachSample(
  { columns: { profiles, ends, values, growths }, origins: places, from, to }: Part,
  action: SampleAction,
): void {
  for (let at = from; at < to; at++) {
    const profile = profiles[at] as number;
    const own = values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
    action(places.origins[profile] as PointOrigin, places.evidence[profile] as string, own, growths.get(at));
  }
}

/** Places of the parts of series: most series of a project were measured at the same ones. */
class SharedOrigins {
  #parts: readonly Part[] = [];
  #places: readonly PointOrigin[] = [];
  #isPooled = false;

  /** undefined: samples of one version are to be pooled. */
  of(parts: readonly Part[], isApart: boolean): readonly PointOrigin[] | undefined {
    if (!this.#isKnown(parts)) {
      this.#parts = [...parts];
      this.#places = parts.flatMap(({ columns, origins: places, from, to }) =>
        Array.from(columns.profiles.subarray(from, to), (profile) => places.origins[profile] as PointOrigin),
      );
      this.#isPooled = hasRepeatedVersion(this.#places);
    }
    return this.#isPooled && !isApart ? undefined : this.#places;
  }

  #isKnown(parts: readonly Part[]): boolean {
    return (
      parts.length === this.#parts.length && parts.every((part, at) => haveSameProfiles(part, this.#parts[at] as Part))
    );
  }
}

function haveSameProfiles(a: Part, b: Part): boolean {
  if (a.origins !== b.origins || a.to - a.from !== b.to - b.from) return false;
  for (let at = 0; at < a.to - a.from; at++)
    if (a.columns.profiles[a.from + at] !== b.columns.profiles[b.from + at]) return false;
  return true;
}

/** Those of one version follow each other. */
function hasRepeatedVersion(places: readonly PointOrigin[]): boolean {
  return places.some(({ version }, at) => version !== null && version === places[at - 1]?.version);
}

/** What was added to a series: parts, as long as there is nothing else, else arrays side by side. */
class GrowingSeries implements Series {
  readonly subject: Subject;
  readonly #shared: SharedOrigins;
  readonly #apart: boolean;
  #parts: Part[] = [];
  readonly #places: PointOrigin[] = [];
  readonly #evidence: string[] = [];
  readonly #growths = new Map<number, Growth>();
  readonly #ends: number[] = [];
  readonly #values: number[] = [];

  constructor(subject: Subject, shared: SharedOrigins, apart: boolean) {
    [this.subject, this.#shared, this.#apart] = [subject, shared, apart];
  }

  /** false: that is to be added sample by sample. */
  addPart(part: Part): boolean {
    if (this.#places.length > 0) return false;
    this.#parts.push(part);
    return true;
  }

  add(place: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined): void {
    this.#takeApart();
    this.#append(place, evidence, values, growth);
  }

  #takeApart(): void {
    for (const part of this.#parts) eachSample(part, (...sample) => this.#append(...sample));
    this.#parts = [];
  }

  #append(place: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined): void {
    if (growth !== undefined) this.#growths.set(this.#places.length, growth);
    this.#places.push(place);
    this.#evidence.push(evidence);
    for (const value of values) this.#values.push(value);
    this.#ends.push(this.#values.length);
  }

  get columns(): PointColumns | undefined {
    if (this.#parts.length > 0) return this.#partColumns();
    if (this.#growths.size > 0 || this.#values.length !== this.#places.length) return undefined;
    if (!this.#apart && hasRepeatedVersion(this.#places)) return undefined;
    return { origins: this.#places, values: new Float64Array(this.#values) };
  }

  #partColumns(): PointColumns | undefined {
    const isSingle = ({ columns: { ends, growths }, from, to }: Part): boolean =>
      growths.size === 0 && (ends[to - 1] as number) - (from === 0 ? 0 : (ends[from - 1] as number)) === to - from;
    const places = this.#parts.every(isSingle) ? this.#shared.of(this.#parts, this.#apart) : undefined;
    if (places === undefined) return undefined;
    const values = new Float64Array(places.length);
    let length = 0;
    for (const { columns, from, to } of this.#parts) {
      const start = from === 0 ? 0 : (columns.ends[from - 1] as number);
      values.set(columns.values.subarray(start, start + to - from), length);
      length += to - from;
    }
    return { origins: places, values };
  }

  /** Made anew at every call. */
  get points(): readonly SeriesPoint[] {
    const open: OpenPoint[] = [];
    this.#eachSample((place, ...sample) => {
      const same = this.#apart ? undefined : pooledWith(open, place);
      if (same === undefined) open.push(new OpenPoint(place, ...sample));
      else same.add(...sample);
    });
    return open.map((point) => point.closed());
  }

  #eachSample(action: SampleAction): void {
    for (const part of this.#parts) eachSample(part, action);
    if (this.#places.length === 0) return;
    const values = new Float64Array(this.#values);
    for (const [at, place] of this.#places.entries()) {
      const sample = values.subarray(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
      action(place, this.#evidence[at] as string, sample, this.#growths.get(at));
    }
  }
}

/** A point that more samples of its version and machine may be pooled into. */
class OpenPoint {
  readonly origin: PointOrigin;
  readonly #evidence: string[];
  readonly #samples: Float64Array[];
  readonly #growths: Growth[];

  constructor(place: PointOrigin, evidence: string, sample: Float64Array, growth: Growth | undefined) {
    this.origin = place;
    [this.#evidence, this.#samples, this.#growths] = [[evidence], [sample], growth === undefined ? [] : [growth]];
  }

  add(evidence: string, sample: Float64Array, growth: Growth | undefined): void {
    this.#evidence.push(evidence);
    this.#samples.push(sample);
    if (growth !== undefined) this.#growths.push(growth);
  }

  closed(): SeriesPoint {
    const { version, machine } = this.origin;
    const evidence = this.#evidence.length === 1 ? this.#evidence : [...new Set(this.#evidence)];
    const point = { version, machine, evidence, sample: joined(this.#samples) };
    return this.#growths.length === 0 ? point : { ...point, growth: this.#growths };
  }
}

/** Among the newest points, those of the same version, the one of the same machine; undefined: there is none. */
function pooledWith(points: readonly OpenPoint[], { version, machine }: PointOrigin): OpenPoint | undefined {
  if (version === null) return undefined;
  for (let at = points.length - 1; at >= 0; at--) {
    const point = points[at] as OpenPoint;
    if (point.origin.version !== version) return undefined;
    if (point.origin.machine === machine) return point;
  }
  return undefined;
}

function joined(samples: readonly Float64Array[]): Float64Array {
  const [only, ...others] = samples;
  if (only !== undefined && others.length === 0) return only;
  const all = new Float64Array(samples.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const sample of samples) {
    all.set(sample, at);
    at += sample.length;
  }
  return all;
}
