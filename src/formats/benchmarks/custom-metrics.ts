import { betterOf } from "../../core/better-of.ts";
import type { MeasuredCase, Quantity } from "../../core/measurement.ts";
import { parseUnit } from "../../core/unit.ts";
import { CaseNames, caseKey, caseName } from "./case-names.ts";
import { companionOf, mainQuantities } from "./metric-format.ts";

const companions = ["range"] as const;

/**
 * customSmallerIsBetter or customBiggerIsBetter of github-action-benchmark: the median of every quantity whose direction it is, and how far it varies (what the
 * program told, else the standard deviation of several numbers). Which direction a file is of is said where the action is called.
 */
export function customMetrics(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>, better: "lower" | "higher"): string {
  const wanted = mainQuantities(quantities, companions).filter((quantity) => directionOf(quantity) === better);
  const names = new CaseNames();
  const entries: string[] = [];
  for (const each of cases) {
    const there = wanted.filter(({ name }) => each.samples.has(name));
    for (const quantity of there) {
      // The action compares by name: of several quantities each has its own.
      const name = there.length === 1 ? caseName(each) : `${caseName(each)} (${quantity.name})`;
      entries.push(JSON.stringify(entryOf(each, quantity, names.of(`${caseKey(each)} ${quantity.name}`, name))));
    }
  }
  return entries.length === 0 ? "[]\n" : `[\n${entries.join(",\n")}\n]\n`;
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
