import { Failure } from "../../core/errors.ts";
import { variableOf, type Experiment } from "../../core/experiment.ts";
import type { FilterGroup, OutputElement, ParameterElement, QueryDescription, SourceElement } from "../../core/query-description.ts";
import type { Value } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import { combine } from "./combiner.ts";
import { graphOf, type Graph, type Node } from "./graph.ts";
import { applyOperator } from "./operators/operators.ts";
import { filterOf } from "./parameter-filter.ts";
import type { CompilePattern, Predicate } from "./predicate.ts";
import { selectRuns, type SelectableRun } from "./run-selection.ts";
import { planSource, type RowPlan } from "./source-plan.ts";
import { sourceVector, type SourceRows } from "./source-vector.ts";
import { choices, clonesOf, sweptFilters, variantName, type SweptInput, type Variant } from "./sweep.ts";

/** Where the data of an experiment come from. Only active runs are told of. */
export interface SourceData {
  readonly experiment: Experiment;
  runs(): Promise<readonly SelectableRun[]>;
  rows(plan: RowPlan): Promise<SourceRows>;
  /** The contents of a variable that fulfil the condition, each once, ascending; missing ones left out. */
  distinct(variable: Variable, condition: Predicate): Promise<readonly Value[]>;
  readonly compile: CompilePattern;
}

/** What an output of a query shows: the variants of each of its inputs, in order. */
export interface OutputVectors {
  readonly element: OutputElement;
  readonly inputs: readonly SweptInput[];
}

/** Evaluates what the outputs of a query need, each element once. Macros are resolved already. */
export async function evaluate(query: QueryDescription, data: SourceData): Promise<OutputVectors[]> {
  return new Evaluation(query, graphOf(query), data).outputs();
}

class Evaluation {
  readonly #query: QueryDescription;
  readonly #graph: Graph;
  readonly #data: SourceData;
  readonly #variants = new Map<string, readonly Variant[]>();
  readonly #sweeps = new Map<string, readonly FilterGroup[]>();
  #runs: readonly SelectableRun[] | undefined;

  constructor(query: QueryDescription, graph: Graph, data: SourceData) {
    this.#query = query;
    this.#graph = graph;
    this.#data = data;
  }

  async outputs(): Promise<OutputVectors[]> {
    for (const [id, node] of this.#graph.nodes) this.#variants.set(id, await this.#evaluated(node));
    return this.#graph.outputs.map((element) => ({ element, inputs: element.inputs.map((input) => this.#swept(input)) }));
  }

  #swept(input: SweptInput["input"]): SweptInput {
    return { input, variants: this.#variants.get(input.id) ?? [] };
  }

  async #evaluated(node: Node): Promise<Variant[]> {
    if (node.kind === "source") return this.#source(node.element);
    const { id, inputs } = node.element;
    const byDefault = node.kind === "combiner" ? "intern" : "extern";
    const clones = clonesOf(
      inputs.map((input) => this.#swept(input)),
      byDefault,
      node.element.sweepCombine,
      id,
    );
    return clones.flatMap(({ choice, inputs: variants }) => {
      const vectors = variants.map((variant) => variant.vector);
      if (vectors.length === 0) return [];
      const vector = node.kind === "operator" ? applyOperator(node.element, vectors) : combine(node.element, vectors);
      return [{ choice, vector: { ...vector, origin: variantName(id, choice) } }];
    });
  }

  async #source(element: SourceElement): Promise<Variant[]> {
    const swept = [];
    for (const parameter of this.#query.parameters)
      if (parameter.sweep !== undefined && element.inputs.includes(parameter.id))
        swept.push({ parameter, filters: await this.#filtersOf(parameter) });
    const variants: Variant[] = [];
    for (const choice of choices(inOrder(swept, element), element.id)) {
      const chosen = new Map(swept.flatMap(({ parameter, filters }) => pairOf(parameter.id, filters[choice.get(parameter.id) ?? -1])));
      variants.push({ choice, vector: await this.#vector(element, choice, chosen) });
    }
    return variants;
  }

  async #filtersOf(parameter: ParameterElement): Promise<readonly FilterGroup[]> {
    const known = this.#sweeps.get(parameter.id);
    if (known) return known;
    const own = parameter.sweep?.filters ?? [];
    const filters = own.length > 0 ? own : await this.#contentsOf(parameter);
    this.#sweeps.set(parameter.id, filters);
    return filters;
  }

  async #contentsOf(parameter: ParameterElement): Promise<FilterGroup[]> {
    const variable = variableOf(this.#data.experiment, parameter.value);
    return sweptFilters(await this.#data.distinct(variable, filterOf(parameter.filters, parameter.boolean, variable)), variable);
  }

  async #vector(
    element: SourceElement,
    choice: ReadonlyMap<string, number>,
    chosen: ReadonlyMap<string, FilterGroup>,
  ): Promise<Variant["vector"]> {
    const plan = planSource(element, this.#query, this.#data.experiment, chosen);
    const { selections } = plan;
    const runs = selections.length === 0 ? {} : { runs: selectRuns(selections, await this.#allRuns(), this.#data.compile) };
    const vector = sourceVector(plan, await this.#data.rows({ ...plan.rows, ...runs }));
    return { ...vector, origin: variantName(element.id, choice) };
  }

  async #allRuns(): Promise<readonly SelectableRun[]> {
    this.#runs ??= await this.#data.runs();
    return this.#runs;
  }
}

function pairOf(id: string, filter: FilterGroup | undefined): [string, FilterGroup][] {
  return filter === undefined ? [] : [[id, filter]];
}

/** As the source names them. */
function inOrder<T extends { readonly parameter: ParameterElement }>(swept: readonly T[], { inputs }: SourceElement): T[] {
  return [...swept].sort((a, b) => inputs.indexOf(a.parameter.id) - inputs.indexOf(b.parameter.id));
}

/** The experiment that a query is about. Fails with `query-not-possible` when neither it nor its user says. */
export function experimentOf(query: QueryDescription | undefined, given: string | undefined): string {
  const name = given ?? query?.experiment;
  if (name !== undefined && name !== "") return name;
  const problem = "it names no experiment";
  throw new Failure("query-not-possible", { element: query?.id ?? "query", problem, advice: "name one with -e, or in <experiment>" });
}
