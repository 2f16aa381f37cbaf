import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { numberColumn } from "../../../core/tables/table-builder.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import { hasUnits, type Variable } from "../../../core/variables/variable.ts";
import { addedBins, binned, valueCounts, type Bins } from "../../../math/plotting/histogram.ts";
import type { CountedNumbers } from "../../plan/row-summary.ts";
import type { FilterLabel, Vector, VectorColumn } from "../vector.ts";
import { binsOfCounted, countOf, numbersIn } from "./counted-numbers.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator, type Surroundings } from "./operator.ts";
import { onlyResult, valueIn, withUnit } from "./quantity.ts";

const variants = ["absolute", "normalized", "cumulative", "nonzero"] as const;
const percent = parseUnit("%");

/** Finer bins than this tell no more. */
const mostBins = 1_000_000;

/**
 * How often contents of the result occur: per bin of the width `value` (default: a hundredth of their range), whose
 * parameter is its lower edge, as counts, in percent of all (normalized), or of all up to here (cumulative); or per
 * different content (nonzero). option="samples" tells their number in a label. Parameters and runs vanish.
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
  { compat }: Surroundings,
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

/** Bins of a hundredth of the range are a hundred, as long as it is perfkeep that counts. */
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
