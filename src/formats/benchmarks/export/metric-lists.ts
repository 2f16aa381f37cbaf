import { defaultDirection } from "../../../core/measurements/default-direction.ts";
import type { MeasuredCase, Quantity } from "../../../core/measurements/measurement.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import { scaledNumber } from "../../text/parse-quantity.ts";
import { CaseNames, caseName } from "./case-names.ts";
import { companionOf, mainQuantities } from "./companion-statistics.ts";

/** Units that OpenMetrics has words for. */
const openMetricsUnits: ReadonlyMap<string, string> = new Map([
  ["s", "seconds"],
  ["Byte", "bytes"],
]);

/**
 * OpenMetrics 1.0 (https://openmetrics.io): a gauge for each quantity, with the median of every case; benchmark and
 * parameters are labels. Texts are escaped by the format's own rules; other control characters are left out. The text
 * comes in pieces; `casesOf`: those that have numbers of a quantity.
 */
export function* openMetricsText(
  experiment: string,
  quantities: readonly Quantity[],
  casesOf: (quantity: Quantity) => Iterable<MeasuredCase>,
): Generator<string> {
  const names = new CaseNames("_");
  for (const quantity of quantities)
    yield* metricFamily(quantity, names.of(quantity.name, openMetricsName(experiment, quantity)), casesOf(quantity));
  yield "# EOF\n";
}

function* metricFamily(
  { name, unit, synopsis }: Quantity,
  fullName: string,
  cases: Iterable<MeasuredCase>,
): Generator<string> {
  const word = openMetricsUnits.get(unit);
  const unitLine = word === undefined ? "" : `# UNIT ${fullName} ${word}\n`;
  const help = escapeText(`Median of ${name}${synopsis === undefined ? "" : `: ${synopsis}`}`);
  let head = `# TYPE ${fullName} gauge\n${unitLine}# HELP ${fullName} ${help}\n`;
  for (const each of cases) {
    const sample = each.samples.get(name);
    if (sample === undefined) continue;
    yield `${head}${fullName}${labels(each, word === undefined ? unit : "")} ${sample.median}\n`;
    head = "";
  }
}

/** The unit ends the name, as the format wants it. */
function openMetricsName(experiment: string, { name, unit }: Quantity): string {
  const word = openMetricsUnits.get(unit);
  const plain = `perfkeep_${identifier(experiment)}_${identifier(name)}`;
  return word === undefined || plain.endsWith(`_${word}`) ? plain : `${plain}_${word}`;
}

function labels({ benchmark, parameters }: MeasuredCase, unit: string): string {
  const names = new CaseNames("_");
  const all: [string, string][] = [
    ["benchmark", benchmark],
    ...parameters,
    ...(unit === "" ? [] : ([["unit", unit]] as [string, string][])),
  ];
  const told = all.map(([name, value], at) => `${names.of(String(at), labelName(name))}="${escapeText(value)}"`);
  return `{${told.join(",")}}`;
}

/** Two underscores at the beginning are for Prometheus itself. */
function labelName(name: string): string {
  return identifier(name).replace(/^(?=\d|__)/, "x");
}

function identifier(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll(/\p{C}/gu, "");
}

const customCompanions = ["range"] as const;

/**
 * customSmallerIsBetter or customBiggerIsBetter of github-action-benchmark: the median of every quantity whose
 * direction it is, and how far it varies (what the program told, else the standard deviation of several numbers). Which
 * direction a file is of is said where the action is called. The text comes in pieces.
 */
export function customMetrics(
  quantities: readonly Quantity[],
  cases: Iterable<MeasuredCase>,
  better: "lower" | "higher",
): Generator<string> {
  return listText(customEntries(quantitiesOfDirection(quantities, better), cases), ["[", "]"]);
}

function* customEntries(wanted: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  const names = new CaseNames();
  for (const each of cases) {
    const there = wanted.filter(({ name }) => each.samples.has(name));
    for (const quantity of there) {
      // The action compares by name: of several quantities each has its own.
      const name = there.length === 1 ? caseName(each) : `${caseName(each)} (${quantity.name})`;
      yield JSON.stringify(entryOf(each, quantity, names.next(name)));
    }
  }
}

/** Results of which the file of this direction has entries. */
export function quantitiesOfDirection(quantities: readonly Quantity[], better: "lower" | "higher"): Quantity[] {
  return mainQuantities(quantities, customCompanions).filter((quantity) => directionOf(quantity) === better);
}

/** Results that belong to neither file: nothing says which of their values are better. */
export function quantitiesWithoutDirection(quantities: readonly Quantity[]): Quantity[] {
  return mainQuantities(quantities, customCompanions).filter((quantity) => directionOf(quantity) === undefined);
}

/** What is said, else what the unit tells. */
function directionOf({ better, unit }: Quantity): Quantity["better"] {
  return better ?? (unit === "" ? undefined : defaultDirection(parseUnit(unit)));
}

function entryOf(of: MeasuredCase, quantity: Quantity, name: string): object {
  const { numbers, median, deviation } = of.samples.get(quantity.name)!;
  const range = companionOf(of, quantity, "range")?.median ?? (numbers.length > 1 ? deviation : undefined);
  const { number, commit } = of.run;
  return {
    name,
    unit: unitOf(quantity),
    value: median,
    ...(range === undefined ? {} : { range: `± ${range}` }),
    extra: [
      `run ${number}`,
      ...(commit === undefined ? [] : [`commit ${commit}`]),
      ...(numbers.length > 1 ? [`${numbers.length} samples`] : []),
    ].join("\n"),
  };
}

/** What is of no unit is told by its name. */
function unitOf({ name, unit }: Quantity): string {
  return unit === "" && name !== "value" ? name : unit;
}

/** Members of a list or an object of JSON, each on a line of its own, as they come. */
function* listText(
  members: Iterable<string>,
  [open, close]: readonly [open: string, close: string],
): Generator<string> {
  let before = `${open}\n`;
  for (const member of members) {
    yield before + member;
    before = ",\n";
  }
  yield before === ",\n" ? `\n${close}\n` : `${before}\n${close}\n`;
}

const bencherCompanions = ["lower", "upper"] as const;

interface Measure {
  readonly slug: string;
  /** Numbers are written times ten to this. */
  readonly exponent: number;
}

/**
 * Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format/): per benchmark and measure the
 * median; lower and upper are what the program told so, else the least and the greatest of several numbers. Times are
 * `latency` in nanoseconds, rates `throughput`; other measures keep their names and base units. The text comes in
 * pieces.
 */
export function bencherMetrics(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  return listText(bencherMembers(quantities, cases), ["{", "}"]);
}

/** One by one: a benchmark may be called __proto__. */
function* bencherMembers(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  const measures = [...measuresOf(mainQuantities(quantities, bencherCompanions))];
  const names = new CaseNames();
  for (const each of cases) {
    const metrics = measures.flatMap(([quantity, measure]) => metricOf(each, quantity, measure));
    if (metrics.length > 0)
      yield `${JSON.stringify(names.next(caseName(each)))}: ${JSON.stringify(Object.fromEntries(metrics))}`;
  }
}

function metricOf(of: MeasuredCase, quantity: Quantity, { slug, exponent }: Measure): [string, object][] {
  const sample = of.samples.get(quantity.name);
  if (sample === undefined) return [];
  const scaled = (value: number): number => (exponent === 0 ? value : scaledNumber(String(value), exponent));
  const [lower, upper] = bencherCompanions.map((companion) => companionOf(of, quantity, companion)?.median);
  const several = sample.numbers.length > 1;
  const least = lower ?? (several ? sample.least : undefined);
  const greatest = upper ?? (several ? sample.greatest : undefined);
  const value = scaled(sample.median);
  if (Number.isNaN(value)) return [];
  const bounds = {
    ...(least === undefined ? {} : { lower_value: scaled(least) }),
    ...(greatest === undefined ? {} : { upper_value: scaled(greatest) }),
  };
  return [[slug, { value, ...bounds }]];
}

/**
 * Bencher fixes the units of some measures. Each quantity has a slug of its own: one that is called so comes before one
 * that would be renamed.
 */
function measuresOf(quantities: readonly Quantity[]): Map<Quantity, Measure> {
  const names = new CaseNames();
  const renamed = (quantity: Quantity): boolean => slugOf(quantity) !== quantity.name;
  const order = quantities.toSorted((a, b) => Number(renamed(a)) - Number(renamed(b)));
  return new Map(
    order.map((quantity) => {
      const slug = names.of(quantity.name, slugOf(quantity));
      return [quantity, { slug, exponent: slug === "latency" ? 9 : 0 }];
    }),
  );
}

function slugOf({ name, unit }: Quantity): string {
  if (name === "time" && unit === "s") return "latency";
  if (name === "rate" && unit === "1/s") return "throughput";
  return name === "latency" && unit !== "s" ? "latency_" : name;
}
