import type { OperatorElement } from "../../../core/experiments/index.ts";
import { numberColumn } from "../../../core/tables/index.ts";
import {
  baseOf,
  prefixes,
  parseUnit,
  conversion,
  power,
  sameDimension,
  type Unit,
} from "../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import { addedBins, binned, valueCounts, type Bins, intervalCounts } from "../../../math/plotting/index.ts";
import type { CountedNumbers } from "../../plan/index.ts";
import { type FilterLabel, type Vector, type VectorColumn, parametersOf, resultsOf } from "../vector.ts";
import { binsOfCounted, countOf, numbersIn } from "./counted-numbers.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator, type OperatorContext } from "./operator.ts";
import { onlyResult, valueIn, withUnit, unitIn } from "./quantity.ts";

const mostIntervals = 1_000_000;

/**
 * Number of rows per unit of the first parameter, in intervals of `value` (1) from its least value on, as steps: a zero
 * at the start, each interval at its start, the last number again at its end, a zero one interval later. Ignores
 * variants. Drops other parameters and runs.
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
  const { positions, rates } = steps(bins.edges, bins.counts, width);
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [positionColumn(parameter, positions), rateColumn(result, parameter, rates)],
    runs: new Int32Array(positions.length).fill(-1),
    length: positions.length,
  };
}

function steps(
  edges: Float64Array,
  counts: Float64Array,
  width: number,
): { positions: Float64Array; rates: Float64Array } {
  const [first, last] = [edges.at(0), counts.at(-1)];
  if (first === undefined || last === undefined) return { positions: edges, rates: counts };
  const after = (intervals: number): number => first + (edges.length + intervals) * width;
  return {
    positions: Float64Array.of(first, ...edges, after(0), after(1)),
    rates: Float64Array.of(0, ...counts.map((count) => count / width), last / width, 0),
  };
}

function positionColumn(parameter: VectorColumn, positions: Float64Array): VectorColumn {
  const { variable } = parameter;
  const own = variable.type === "duration" ? variable : withUnit({ ...variable, type: "float" }, unitIn(variable));
  return { ...parameter, variable: own, column: numberColumn(positions) };
}

function rateColumn({ variable, display }: VectorColumn, parameter: VectorColumn, rates: Float64Array): VectorColumn {
  const { unit: _, ...own } = variable;
  const rate = withUnit({ ...own, type: "float" }, frequencyUnit(unitIn(parameter.variable)));
  return { variable: rate, display: `freq(${display})`, column: numberColumn(rates) };
}

/** Hz with a matching prefix for times; otherwise one per unit. */
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

const variants = ["absolute", "normalized", "cumulative", "nonzero"] as const;
const percent = parseUnit("%");

/** Most bins. */
const mostBins = 1_000_000;

/**
 * Frequency of the values of the result: per bin of the width `value` (default: a hundredth of their range), whose
 * parameter is its lower edge, as counts, in percent of all (normalized), or of all up to here (cumulative); or per
 * distinct value (nonzero). option="samples" adds their number as a label. Drops parameters and runs.
 */
export const distribution: Operator = {
  name: "distrib",
  apply(element, inputs, surroundings) {
    takesOnly(element, ["value", "variant", "option"]);
    if (element.option !== undefined && element.option !== "samples")
      throw refuse(
        element,
        `there is no option '${element.option.slice(0, 40)}' of distrib`,
        "the only option is samples",
      );
    const input = onlyInput(element, inputs);
    const result = resultIn(element, input);
    const found = distributed(element, input, numbersIn(element, result, input.length), surroundings);
    if (found === undefined) throw new RangeError("each number is in one bin");
    return found;
  },
  near: {
    of: (element, input) => {
      const column = resultIn(element, input);
      if (variantOf(element, variants) === "nonzero") return { column, width: 0, from: "least" };
      return element.value === undefined
        ? { column, from: "least" }
        : { column, width: valueIn(element), from: "multiple" };
    },
    apply: distributed,
  },
};

function resultIn(element: OperatorElement, input: Vector): VectorColumn {
  const result = onlyResult(element, input);
  const { type } = result.variable;
  if (hasUnits(type) || type === "duration") return result;
  throw refuse(element, `there is no distrib of '${result.display}', which is a ${type}`);
}

function distributed(
  element: OperatorElement,
  input: Vector,
  numbers: CountedNumbers,
  { compat }: OperatorContext,
): Vector | undefined {
  const result = resultIn(element, input);
  const variant = variantOf(element, variants);
  const bins = variant === "nonzero" ? binsOfCounted(numbers, valueCounts) : binsOf(element, numbers, compat);
  if (bins === undefined) return undefined;
  const label: FilterLabel = { text: `N_samples = ${countOf(numbers)}`, titleOnly: false };
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [edgeColumn(result, bins.edges, variant), countColumn(result, sharesOf(bins.counts, variant), variant)],
    runs: new Int32Array(bins.edges.length).fill(-1),
    length: bins.edges.length,
    labels: element.option === "samples" ? [...input.labels, label] : input.labels,
  };
}

/** Bins of a hundredth of the range are a hundred, except in perfbase. */
function binsOf(element: OperatorElement, numbers: CountedNumbers, compat: "perfbase" | undefined): Bins | undefined {
  const [least = 0, greatest = 0] = [numbers.least.at(0), numbers.greatest.at(-1)];
  const width = element.value === undefined ? (greatest - least) / 100 : valueIn(element);
  if (width < 0 || (width === 0 && element.value !== undefined))
    throw refuse(element, `bins cannot be ${width} wide`, "give a width above 0");
  const start = element.value === undefined ? least : Math.floor(least / width) * width;
  if (width > 0 && ((greatest - start) / width > mostBins || start + width === start || greatest + width === greatest))
    throw refuse(
      element,
      `bins of ${width} from ${start} to ${greatest} are too many`,
      `give a greater width; at most ${mostBins} bins are made`,
    );
  const most = element.value === undefined ? 100 : Infinity;
  return binsOfCounted(numbers, (sorted, weights) =>
    compat === "perfbase" ? addedBins(sorted, start, width, weights) : binned(sorted, start, width, most, weights),
  );
}

function sharesOf(counts: Float64Array, variant: (typeof variants)[number]): Float64Array {
  if (variant === "absolute" || variant === "nonzero") return counts;
  const total = counts.reduce((sum, count) => sum + count, 0);
  let before = 0;
  return counts.map((count) => {
    before = variant === "cumulative" ? before + count : count;
    return (100 * before) / total;
  });
}

function edgeColumn({ variable, display }: VectorColumn, edges: Float64Array, variant: string): VectorColumn {
  const isExact = variant === "nonzero" || variable.type === "duration";
  const type = isExact ? variable.type : "float";
  const own: Variable = {
    name: variable.name,
    role: "parameter",
    occurrence: "multiple",
    type,
    synopsis: "sample value distribution",
  };
  return { variable: withUnit(own, variable.unit), display, column: numberColumn(edges) };
}

const titles: Readonly<Record<(typeof variants)[number], string>> = {
  absolute: "sample value count",
  nonzero: "sample value count",
  normalized: "probability",
  cumulative: "cumulative probability",
};

function countColumn(
  { variable }: VectorColumn,
  counts: Float64Array,
  variant: (typeof variants)[number],
): VectorColumn {
  const isCount = variant === "absolute" || variant === "nonzero";
  const own: Variable = {
    name: `bin_${variable.name}`,
    role: "result",
    occurrence: "multiple",
    type: isCount ? "integer" : "float",
    synopsis: titles[variant],
  };
  return {
    variable: isCount ? own : withUnit(own, percent),
    display: `samples(${variable.name})`,
    column: numberColumn(counts),
  };
}
