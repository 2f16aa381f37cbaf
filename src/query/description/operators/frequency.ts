import { numberColumn } from "../../../core/tables/table-builder.ts";
import { baseOf, prefixes } from "../../../core/values/base-units.ts";
import { conversion, power, sameDimension, type Unit } from "../../../core/values/unit.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { hasUnits } from "../../../core/variables/variable.ts";
import { intervalCounts } from "../../../math/plotting/histogram.ts";
import type { CountedNumbers } from "../../plan/row-summary.ts";
import { parametersOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { binsOfCounted, numbersIn } from "./counted-numbers.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";
import { unitIn, valueIn, withUnit } from "./quantity.ts";

const mostIntervals = 1_000_000;

/**
 * How many rows there are per unit of the first parameter, in intervals of `value` (1) from its least content on, ready
 * to be drawn as steps: a zero at the start, each interval at its begin, the last one's number again at its end, a zero
 * an interval later. Variants are passed over. Other parameters and runs vanish.
 */
export const frequency: Operator = {
  name: "frequency",
  apply(element, inputs) {
    takesOnly(element, ["value", "variant"]);
    const input = onlyInput(element, inputs);
    const { parameter } = columnsOf(element, input);
    const found = counted(element, input, numbersIn(element, parameter, input.length));
    if (found === undefined) throw new RangeError("each number is in one interval");
    return found;
  },
  near: {
    of: (element, input) => ({ column: columnsOf(element, input).parameter, width: widthOf(element), from: "least" }),
    apply: counted,
  },
};

function widthOf(element: OperatorElement): number {
  const width = valueIn(element, 1);
  if (width > 0) return width;
  throw refuse(element, `intervals cannot be ${width} wide`, "give a width above 0");
}

function columnsOf(
  element: OperatorElement,
  input: Vector,
): { readonly parameter: VectorColumn; readonly result: VectorColumn } {
  const [parameter] = parametersOf(input);
  const [result] = resultsOf(input);
  if (parameter === undefined || result === undefined)
    throw refuse(
      element,
      "frequency needs an input with a parameter and a result",
      'show a parameter as data with show="data"',
    );
  const { type } = parameter.variable;
  if (!hasUnits(type) && type !== "duration" && type !== "timeofday")
    throw refuse(element, `there is no frequency over '${parameter.display}', which is a ${type}`);
  return { parameter, result };
}

function counted(element: OperatorElement, input: Vector, numbers: CountedNumbers): Vector | undefined {
  const { parameter, result } = columnsOf(element, input);
  const width = widthOf(element);
  const [least = 0, greatest = 0] = [numbers.least.at(0), numbers.greatest.at(-1)];
  if ((greatest - least) / width > mostIntervals)
    throw refuse(
      element,
      `intervals of ${width} from ${least} to ${greatest} are too many`,
      `at most ${mostIntervals} are made`,
    );
  const bins = binsOfCounted(numbers, (sorted, weights) => intervalCounts(sorted, width, weights, numbers.least[0]));
  if (bins === undefined) return undefined;
  const { places, rates } = steps(bins.edges, bins.counts, width);
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [placeColumn(parameter, places), rateColumn(result, parameter, rates)],
    runs: new Int32Array(places.length).fill(-1),
    length: places.length,
  };
}

function steps(
  edges: Float64Array,
  counts: Float64Array,
  width: number,
): { places: Float64Array; rates: Float64Array } {
  const [first, last] = [edges.at(0), counts.at(-1)];
  if (first === undefined || last === undefined) return { places: edges, rates: counts };
  const after = (intervals: number): number => first + (edges.length + intervals) * width;
  return {
    places: Float64Array.of(first, ...edges, after(0), after(1)),
    rates: Float64Array.of(0, ...counts.map((count) => count / width), last / width, 0),
  };
}

function placeColumn(parameter: VectorColumn, places: Float64Array): VectorColumn {
  const { variable } = parameter;
  const own = variable.type === "duration" ? variable : withUnit({ ...variable, type: "float" }, unitIn(variable));
  return { ...parameter, variable: own, column: numberColumn(places) };
}

function rateColumn({ variable, display }: VectorColumn, parameter: VectorColumn, rates: Float64Array): VectorColumn {
  const { unit: _, ...own } = variable;
  const rate = withUnit({ ...own, type: "float" }, frequencyUnit(unitIn(parameter.variable)));
  return { variable: rate, display: `freq(${display})`, column: numberColumn(rates) };
}

/** Hz with the prefix that fits, of what is measured in a time; otherwise one per unit. */
function frequencyUnit(unit: Unit | undefined): Unit | undefined {
  if (unit === undefined) return undefined;
  const inverse = power(unit, -1);
  const candidates = ["", ...prefixes.map(({ name }) => name)].map((prefix): Unit => ({
    factors: [{ base: baseOf("Hz").name, prefix, exponent: 1 }],
  }));
  const fits = (hertz: Unit): boolean => {
    if (!sameDimension(inverse, hertz)) return false;
    const { times, over } = conversion(inverse, hertz);
    return times === over;
  };
  return candidates.find(fits) ?? inverse;
}
