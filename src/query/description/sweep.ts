import { Failure } from "../../core/failures/index.ts";
import type { ElementInput, FilterGroup, ParameterElement } from "../../core/experiments/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { floatText } from "./display-text.ts";
import type { Vector } from "./vector.ts";

/** One clone of an element: its filter of each swept parameter. */
export interface Variant {
  readonly choice: ReadonlyMap<string, number>;
  readonly vector: Vector;
}

/** Most clones: more indicate a sweep over the wrong parameter. */
const mostVariants = 10_000;

/** One filter for each value of a parameter that is swept without filters. */
export function sweptFilters(values: readonly Value[], variable: Variable): FilterGroup[] {
  return values.map((value) => ({
    kind: "filter",
    members: [{ kind: "equal", value: filterText(value, variable) }],
  }));
}

function filterText(value: Value, { type }: Variable): string {
  if (type === "float" && typeof value === "number" && Number(floatText(value)) === value) return floatText(value);
  return formatValue(value, type);
}

/** Every combination of one filter per parameter, the first parameter's filter changing fastest. */
export function choices(
  parameters: readonly { readonly parameter: ParameterElement; readonly filters: readonly FilterGroup[] }[],
  element: string,
): ReadonlyMap<string, number>[] {
  checkCount(
    parameters.reduce((product, { filters }) => product * filters.length, 1),
    element,
  );
  return parameters.reduceRight<ReadonlyMap<string, number>[]>(
    (rest, { parameter, filters }) =>
      rest.flatMap((choice) => filters.map((_, at) => new Map([[parameter.id, at], ...choice]))),
    [new Map()],
  );
}

function checkCount(count: number, element: string): void {
  if (count <= mostVariants) return;
  const problem = `its sweeps make ${count} variants of it; at most ${mostVariants} are supported`;
  throw new Failure("query-not-possible", {
    element,
    problem,
    advice: "sweep over fewer parameters, or give the sweep filters",
  });
}

/** Inputs of one clone of an element. */
export interface Clone {
  readonly choice: ReadonlyMap<string, number>;
  readonly inputs: readonly Variant[];
}

export interface SweptInput {
  readonly input: ElementInput;
  readonly variants: readonly Variant[];
}

/** Default resolution of the sweeps of an element's inputs. */
export interface Resolution {
  /** The name of the element. */
  readonly element: string;
  readonly byDefault: "intern" | "extern";
  readonly combine?: string | undefined;
  /** A swept parameter: its variants are resolved outside, those of others within. */
  readonly group?: string | undefined;
}

/** The variants that an input passes to a clone. */
interface Bundle {
  readonly choice: ReadonlyMap<string, number>;
  readonly variants: readonly Variant[];
}

/**
 * The clones of an element. An input resolved within the element (intern) passes all variants; one resolved outside
 * (extern) makes a clone per variant, where inputs that depend on the same parameter are paired (match) or combined
 * freely (alltoall).
 */
export function clonesOf(inputs: readonly SweptInput[], resolution: Resolution): Clone[] {
  let clones: Clone[] = [{ choice: new Map(), inputs: [] }];
  inputs.forEach((each, at) => {
    const bundles = bundlesOf(each, resolution);
    const freely = (each.input.attributes.get("sweep_combine") ?? resolution.combine) === "alltoall" && at > 0;
    checkCount(clones.length * bundles.length, resolution.element);
    clones = bundles.flatMap((bundle) => clones.flatMap((clone) => extendClone(clone, bundle, freely ? `#${at}` : "")));
  });
  return clones;
}

export function isIntern({ input }: SweptInput, byDefault: Resolution["byDefault"]): boolean {
  const resolve = input.attributes.get("sweep_resolve") ?? input.attributes.get("sweep");
  return (resolve === "intern" || resolve === "extern" ? resolve : byDefault) === "intern";
}

function bundlesOf(input: SweptInput, { byDefault, group }: Resolution): Bundle[] {
  const { variants } = input;
  if (group !== undefined && variants.some(({ choice }) => choice.has(group))) return groupedBundles(variants, group);
  if (isIntern(input, byDefault)) return [{ choice: new Map(), variants }];
  return variants.map((variant) => ({ choice: variant.choice, variants: [variant] }));
}

function groupedBundles(variants: readonly Variant[], group: string): Bundle[] {
  const positions = [...new Set(variants.map(({ choice }) => choice.get(group) ?? 0))];
  return positions.map((position) => ({
    choice: new Map([[group, position]]),
    variants: variants.filter(({ choice }) => (choice.get(group) ?? 0) === position),
  }));
}

/** Empty if both depend on a parameter but chose different filters. */
function extendClone(clone: Clone, bundle: Bundle, mark: string): Clone[] {
  const choice = new Map(clone.choice);
  for (const [parameter, at] of bundle.choice) {
    const known = choice.get(parameter + mark);
    if (known !== undefined && known !== at) return [];
    choice.set(parameter + mark, at);
  }
  return [{ choice, inputs: [...clone.inputs, ...bundle.variants] }];
}

/** The name of a variant: `~parameter~number` for each parameter. */
export function variantName(id: string, choice: ReadonlyMap<string, number>): string {
  return id + [...choice].map(([parameter, at]) => `~${parameter}~${at}`).join("");
}
