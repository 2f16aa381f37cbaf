import { defaultDirection, type MeasuredCase, type Quantity } from "../../../core/measurements/index.ts";
import { parseUnit } from "../../../core/values/index.ts";
import { scaledNumber } from "../../text/index.ts";
import { CaseNames, caseName } from "./case-names.ts";
import { companionOf, mainQuantities } from "./companion-statistics.ts";

/** Unit names of OpenMetrics. */
const openMetricsUnits: ReadonlyMap<string, string> = new Map([
  ["s", "seconds"],
  ["Byte", "bytes"],
]);

/**
 * Prints OpenMetrics 1.0 (https://openmetrics.io) in pieces: a gauge per quantity with the median of each case;
 * benchmark and parameters are labels. Control characters that the format cannot escape are removed. `casesOf` returns
 * the cases with numbers of a quantity.
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

/** The format requires the unit at the end of the name. */
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
  const pairs = all.map(([name, value], at) => `${names.of(String(at), labelName(name))}="${escapeText(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** Prometheus reserves names that start with two underscores. */
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
 * Prints customSmallerIsBetter or customBiggerIsBetter of github-action-benchmark in pieces: the median of each
 * quantity with this direction, and its range (reported by the program, else the standard deviation of several
 * numbers). The file does not contain its direction; it is an input of the action.
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
    const present = wanted.filter(({ name }) => each.samples.has(name));
    for (const quantity of present) {
      // The action compares by name, so that several quantities need different names.
      const name = present.length === 1 ? caseName(each) : `${caseName(each)} (${quantity.name})`;
      yield JSON.stringify(entryOf(each, quantity, names.next(name)));
    }
  }
}

/** The quantities in the file of a direction. */
export function quantitiesOfDirection(quantities: readonly Quantity[], better: "lower" | "higher"): Quantity[] {
  return mainQuantities(quantities, customCompanions).filter((quantity) => directionOf(quantity) === better);
}

/** The quantities without a known direction, which are in neither file. */
export function quantitiesWithoutDirection(quantities: readonly Quantity[]): Quantity[] {
  return mainQuantities(quantities, customCompanions).filter((quantity) => directionOf(quantity) === undefined);
}

/** The declared direction, else the default of the unit. */
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

/** Quantities without a unit use their name. */
function unitOf({ name, unit }: Quantity): string {
  return unit === "" && name !== "value" ? name : unit;
}

/** Prints the members of a JSON list or object, one per line. */
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
  /** Numbers are multiplied by ten to this power. */
  readonly exponent: number;
}

/**
 * Prints Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format/) in pieces: the median of
 * each benchmark and measure, with the bounds that the program reported, else minimum and maximum of several numbers.
 * Times become `latency` in nanoseconds, rates `throughput`; other measures keep their names and base units.
 */
export function bencherMetrics(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  return listText(bencherMembers(quantities, cases), ["{", "}"]);
}

/** Prints members one by one, because a benchmark may be called __proto__. */
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
  const lowerBound = lower ?? (several ? sample.least : undefined);
  const upperBound = upper ?? (several ? sample.greatest : undefined);
  const value = scaled(sample.median);
  if (Number.isNaN(value)) return [];
  const bounds = {
    ...(lowerBound === undefined ? {} : { lower_value: scaled(lowerBound) }),
    ...(upperBound === undefined ? {} : { upper_value: scaled(upperBound) }),
  };
  return [[slug, { value, ...bounds }]];
}

/**
 * Bencher defines the units of some measures. Each quantity gets a unique slug; quantities that keep their name have
 * precedence.
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
