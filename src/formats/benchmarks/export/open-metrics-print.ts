import type { MeasuredCase, Quantity } from "../../../core/measurements/measurement.ts";
import { CaseNames } from "./case-names.ts";

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
