import { betterOf } from "../../../core/measurements/default-direction.ts";
import type { MeasuredCase, Quantity } from "../../../core/measurements/measurement.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import { CaseNames, caseName } from "./case-names.ts";
import { companionOf, mainQuantities } from "./companion-statistics.ts";

/** Units that OpenMetrics has words for. */
const words: ReadonlyMap<string, string> = new Map([
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
    yield* family(quantity, names.of(quantity.name, nameOf(experiment, quantity)), casesOf(quantity));
  yield "# EOF\n";
}

function* family(
  { name, unit, synopsis }: Quantity,
  fullName: string,
  cases: Iterable<MeasuredCase>,
): Generator<string> {
  const word = words.get(unit);
  const unitLine = word === undefined ? "" : `# UNIT ${fullName} ${word}\n`;
  const help = escaped(`Median of ${name}${synopsis === undefined ? "" : `: ${synopsis}`}`);
  let head = `# TYPE ${fullName} gauge\n${unitLine}# HELP ${fullName} ${help}\n`;
  for (const each of cases) {
    const sample = each.samples.get(name);
    if (sample === undefined) continue;
    yield `${head}${fullName}${labels(each, word === undefined ? unit : "")} ${sample.median}\n`;
    head = "";
  }
}

/** The unit ends the name, as the format wants it. */
function nameOf(experiment: string, { name, unit }: Quantity): string {
  const word = words.get(unit);
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
  const told = all.map(([name, value], at) => `${names.of(String(at), labelName(name))}="${escaped(value)}"`);
  return `{${told.join(",")}}`;
}

/** Two underscores at the beginning are for Prometheus itself. */
function labelName(name: string): string {
  return identifier(name).replace(/^(?=\d|__)/, "x");
}

function identifier(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll(/\p{C}/gu, "");
}

const companions = ["range"] as const;

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
  return listText(entries(ofDirection(quantities, better), cases), ["[", "]"]);
}

function* entries(wanted: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
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
export function ofDirection(quantities: readonly Quantity[], better: "lower" | "higher"): Quantity[] {
  return mainQuantities(quantities, companions).filter((quantity) => directionOf(quantity) === better);
}

/** Results that belong to neither file: nothing says which of their values are better. */
export function withoutDirection(quantities: readonly Quantity[]): Quantity[] {
  return mainQuantities(quantities, companions).filter((quantity) => directionOf(quantity) === undefined);
}

/** What is said, else what the unit tells. */
function directionOf({ better, unit }: Quantity): Quantity["better"] {
  return better ?? (unit === "" ? undefined : betterOf(parseUnit(unit)));
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
export function* listText(
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
