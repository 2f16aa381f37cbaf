import { compareNaturally, counted } from "../../core/text/index.ts";
import {
  type Direction,
  type Growth,
  type PointOrigin,
  type PointColumns,
  type Series,
  type SeriesPoint,
  type Subject,
  type MetricDirection,
  metricDirection,
} from "../../core/measurements/index.ts";
import { type Conversion, convert, conversion, formatUnit, sameDimension, type Unit } from "../../core/values/index.ts";
import { OpenPoint, pooledWith } from "./line.ts";
import type { MeasurementOrigins, SampleColumns } from "./measurements.ts";

/** A subject as declared by its measurements. */
export interface MeasuredSubject extends Omit<Subject, keyof MetricDirection> {
  /** undefined: derived from the unit and the name of the metric. */
  readonly better: Direction | undefined;
}

/**
 * Builds series from measurements in the order of history. Uses about 30 bytes per value: points are created on access.
 */
export class SeriesBuilder {
  readonly #series = new Map<string, GrowingSeries>();
  readonly #strange = new Map<string, number>();
  readonly #shared = new SharedOrigins();
  readonly #apart: boolean;

  /** `apart`: values of the same version stay separate points, as measured. */
  constructor(apart = false) {
    this.#apart = apart;
  }
  readonly #words = new WeakMap<Unit, string>();
  readonly #directions = new Map<string, MetricDirection>();

  /**
   * Adds finite values; ignores empty ones. Pools values of the same version and machine unless separate. Skips and
   * reports values in a unit of another dimension.
   */
  add(measured: MeasuredSubject, origin: PointOrigin, evidence: string, values: Float64Array, growth?: Growth): void {
    if (values.length === 0) return;
    const own = this.#of(measured);
    const { subject } = own;
    const factor = this.#factor(measured.unit, subject.unit);
    if (factor !== undefined)
      return own.add(
        origin,
        evidence,
        factor === null ? values : values.map((value) => convert(value, factor)),
        growth,
      );
    const [from, to] = [measured.unit, subject.unit].map((unit) => this.#word(unit) || "no unit");
    const what = `in ${from} of ${subject.benchmark} ${subject.metric}, which is in ${to}`;
    this.#strange.set(what, (this.#strange.get(what) ?? 0) + values.length);
  }

  /**
   * Opens the series of a subject. Its function adds samples [from, to) at once, none of which is empty; `origins`:
   * those of their profiles.
   */
  open(measured: MeasuredSubject): ColumnsAdder {
    const own = this.#of(measured);
    const isPlain = this.#factor(measured.unit, own.subject.unit) === null;
    return (columns, origins, from, to) => {
      const part = { columns, origins, from, to };
      if (!isPlain || !own.addPart(part)) eachSample(part, (...sample) => this.add(measured, ...sample));
    };
  }

  /** In order of their keys. */
  series(): Series[] {
    return [...this.#series].sort(([a], [b]) => compareNaturally(a, b)).map(([, series]) => series);
  }

  /** Notes on skipped values. */
  notes(): string[] {
    return [...this.#strange].map(([what, count]) => `omitted: ${counted(count, "value")} ${what}`);
  }

  #of(measured: MeasuredSubject): GrowingSeries {
    const known = this.#series.get(measured.key);
    if (known !== undefined) return known;
    const subject = { ...measured, ...this.#direction(measured) };
    const made = new GrowingSeries(subject, this.#shared, this.#apart);
    this.#series.set(measured.key, made);
    return made;
  }

  #direction({ metric, unit, better }: MeasuredSubject): MetricDirection {
    if (better !== undefined) return { better };
    const key = `${metric}\0${this.#word(unit)}`;
    const known = this.#directions.get(key) ?? metricDirection(metric, unit);
    this.#directions.set(key, known);
    return known;
  }

  /** null: equal units; undefined: another dimension. */
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

/** Adds samples of a subject: see `SeriesBuilder.open`. */
export type ColumnsAdder = (columns: SampleColumns, origins: MeasurementOrigins, from: number, to: number) => void;

/** Samples [from, to) of one subject. */
interface Part {
  readonly columns: SampleColumns;
  readonly origins: MeasurementOrigins;
  readonly from: number;
  readonly to: number;
}

type SampleAction = (origin: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined) => void;

function eachSample(
  { columns: { profiles, ends, values, growths }, origins, from, to }: Part,
  action: SampleAction,
): void {
  for (let at = from; at < to; at++) {
    const profile = profiles[at] as number;
    const own = values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
    action(origins.origins[profile] as PointOrigin, origins.evidence[profile] as string, own, growths.get(at));
  }
}

/** Shares the origins of parts: most series of a project have the same ones. */
class SharedOrigins {
  #parts: readonly Part[] = [];
  #origins: readonly PointOrigin[] = [];
  #isPooled = false;

  /** undefined: samples of one version must be pooled. */
  of(parts: readonly Part[], isApart: boolean): readonly PointOrigin[] | undefined {
    if (!this.#isKnown(parts)) {
      this.#parts = [...parts];
      this.#origins = parts.flatMap(({ columns, origins, from, to }) =>
        Array.from(columns.profiles.subarray(from, to), (profile) => origins.origins[profile] as PointOrigin),
      );
      this.#isPooled = hasRepeatedVersion(this.#origins);
    }
    return this.#isPooled && !isApart ? undefined : this.#origins;
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

/** Origins of one version are adjacent. */
function hasRepeatedVersion(origins: readonly PointOrigin[]): boolean {
  return origins.some(({ version }, at) => version !== null && version === origins[at - 1]?.version);
}

/** Samples that were added one by one, in parallel arrays. */
class AddedSamples {
  readonly origins: PointOrigin[] = [];
  readonly #evidence: string[] = [];
  readonly #growths = new Map<number, Growth>();
  readonly #ends: number[] = [];
  readonly #values: number[] = [];

  add(origin: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined): void {
    if (growth !== undefined) this.#growths.set(this.origins.length, growth);
    this.origins.push(origin);
    this.#evidence.push(evidence);
    for (const value of values) this.#values.push(value);
    this.#ends.push(this.#values.length);
  }

  /** The values; undefined if a sample has several, or a growth. */
  get single(): Float64Array | undefined {
    if (this.#growths.size > 0 || this.#values.length !== this.origins.length) return undefined;
    return new Float64Array(this.#values);
  }

  each(action: SampleAction): void {
    const values = new Float64Array(this.#values);
    for (const [at, origin] of this.origins.entries()) {
      const sample = values.subarray(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
      action(origin, this.#evidence[at] as string, sample, this.#growths.get(at));
    }
  }
}

/** The values of parts with one value for each sample. */
function valuesOf(parts: readonly Part[], count: number): Float64Array {
  const values = new Float64Array(count);
  let length = 0;
  for (const { columns, from, to } of parts) {
    const start = from === 0 ? 0 : (columns.ends[from - 1] as number);
    for (let at = start, end = start + to - from; at < end; at++) values[length++] = columns.values[at] as number;
  }
  return values;
}

/** A growing series: parts as long as possible, else single samples. */
class GrowingSeries implements Series {
  readonly subject: Subject;
  readonly #shared: SharedOrigins;
  readonly #apart: boolean;
  #parts: Part[] = [];
  #added: AddedSamples | undefined;
  /** The origins of the parts; null: they are not known, undefined: the points have to be created. */
  #origins: readonly PointOrigin[] | null | undefined = null;

  constructor(subject: Subject, shared: SharedOrigins, apart: boolean) {
    [this.subject, this.#shared, this.#apart] = [subject, shared, apart];
  }

  /** false: must be added sample by sample. */
  addPart(part: Part): boolean {
    if (this.#added !== undefined) return false;
    this.#origins = null;
    this.#parts.push(part);
    return true;
  }

  add(origin: PointOrigin, evidence: string, values: Float64Array, growth: Growth | undefined): void {
    const added = (this.#added ??= new AddedSamples());
    for (const part of this.#parts) eachSample(part, (...sample) => added.add(...sample));
    this.#parts = [];
    added.add(origin, evidence, values, growth);
  }

  get columns(): PointColumns | undefined {
    if (this.#parts.length > 0) return this.#partColumns();
    const { origins = [], single: values = new Float64Array(0) } = this.#added ?? {};
    if (values.length !== origins.length) return undefined;
    if (!this.#apart && hasRepeatedVersion(origins)) return undefined;
    return { origins, values };
  }

  #partColumns(): PointColumns | undefined {
    if (this.#origins === null) this.#origins = this.#partOrigins();
    const origins = this.#origins;
    if (origins === undefined) return undefined;
    const parts = this.#parts;
    let values: Float64Array | undefined;
    // An own accessor, so that copies of the object have the values.
    return {
      origins,
      get values() {
        return (values ??= valuesOf(parts, origins.length));
      },
    };
  }

  #partOrigins(): readonly PointOrigin[] | undefined {
    const isSingle = ({ columns: { ends, growths }, from, to }: Part): boolean =>
      growths.size === 0 && (ends[to - 1] as number) - (from === 0 ? 0 : (ends[from - 1] as number)) === to - from;
    return this.#parts.every(isSingle) ? this.#shared.of(this.#parts, this.#apart) : undefined;
  }

  /** Created at every access. */
  get points(): readonly SeriesPoint[] {
    const open: OpenPoint[] = [];
    this.#eachSample((origin, ...sample) => {
      const same = this.#apart ? undefined : pooledWith(open, origin);
      if (same === undefined) open.push(new OpenPoint(origin, ...sample));
      else same.add(origin, ...sample);
    });
    return open.map((point) => point.closed());
  }

  #eachSample(action: SampleAction): void {
    for (const part of this.#parts) eachSample(part, action);
    this.#added?.each(action);
  }
}
