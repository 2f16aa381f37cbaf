import type { MeasuredCase, Quantity } from "../../core/measurement.ts";
import { CaseNames } from "./case-names.ts";

/** Units that OpenMetrics has words for. */
const words: ReadonlyMap<string, string> = new Map([
  ["s", "seconds"],
  ["Byte", "bytes"],
]);

/**
 * OpenMetrics 1.0 (https://openmetrics.io): a gauge for each quantity, with the median of every case; benchmark and parameters are labels. Texts are escaped by
 * the format's own rules; other control characters are left out.
 */
export function openMetricsText(experiment: string, quantities: readonly Quantity[], cases: readonly MeasuredCase[]): string {
  const names = new CaseNames("_");
  const families = quantities.map((quantity) => family(quantity, names.of(quantity.name, nameOf(experiment, quantity)), cases));
  return [...families.flat(), "# EOF\n"].join("");
}

function family({ name, unit, synopsis }: Quantity, fullName: string, cases: readonly MeasuredCase[]): string[] {
  const word = words.get(unit);
  const samples = cases.flatMap((each) => {
    const sample = each.samples.get(name);
    return sample === undefined ? [] : [`${fullName}${labels(each, word === undefined ? unit : "")} ${sample.median}\n`];
  });
  if (samples.length === 0) return [];
  const unitLine = word === undefined ? [] : [`# UNIT ${fullName} ${word}\n`];
  const help = escaped(`Median of ${name}${synopsis === undefined ? "" : `: ${synopsis}`}`);
  return [`# TYPE ${fullName} gauge\n`, ...unitLine, `# HELP ${fullName} ${help}\n`, ...samples];
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
