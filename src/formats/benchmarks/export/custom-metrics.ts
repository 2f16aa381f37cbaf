import { betterOf } from "../../../core/measurements/default-direction.ts";
import type { MeasuredCase, Quantity } from "../../../core/measurements/measurement.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import { CaseNames, caseName } from "./case-names.ts";
import { listText } from "./json-list.ts";
import { companionOf, mainQuantities } from "./companion-statistics.ts";

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
