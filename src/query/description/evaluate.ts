import type { VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type {
  Experiment,
  CombinerElement,
  FilterGroup,
  OperatorElement,
  OutputElement,
  ParameterElement,
  QueryDescription,
  RunSelection,
  SourceElement,
} from "../../core/experiments/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { findVariable, commitVariable, type CompilePattern, type Predicate } from "../plan/index.ts";
import { combine } from "./operators/union.ts";
import { DatabaseRows, type EvaluationTrace } from "./pushdown/database-rows.ts";
import { graphOf, type Graph, type Node } from "./graph.ts";
import { refuse, type OperatorContext } from "./operators/operator.ts";
import { operatorOf } from "./operators/operators.ts";
import { filterOf } from "./sources/parameter-filter.ts";
import { runChronology, lookUpRuns, factsOf, type RunData } from "./sources/run-lookup.ts";
import { choosesVersions, selectRuns, type SelectableRun } from "./sources/run-selection.ts";
import { planSource, type SourcePlan, variableAt } from "./sources/source-plan.ts";
import {
  choices,
  clonesOf,
  isIntern,
  sweptFilters,
  variantName,
  type Clone,
  type SweptInput,
  type Variant,
} from "./sweep.ts";
import { compareInColumn, type Vector } from "./vector.ts";

/** Access to the data of an experiment, active runs only. */
export interface SourceData extends RunData {
  runs(): Promise<readonly SelectableRun[]>;
  /** The distinct values of a variable that match the condition, ascending, without missing ones. */
  distinct(variable: Variable, condition: Predicate): Promise<readonly Value[]>;
  /** Versions in the order of history, the oldest first; of a branch, or of the head. */
  history(branch?: string): Promise<readonly VersionId[]>;
  /** The versions selected by the commits and the branch of a selection. */
  versions(selection: RunSelection): Promise<ReadonlySet<VersionId>>;
  readonly compile: CompilePattern;
}

/** The inputs of an output with all their variants, in order. */
export interface OutputVectors {
  readonly element: OutputElement;
  readonly inputs: readonly SweptInput[];
}

/**
 * Evaluates the elements that the outputs of a query need, each once. Macros must be resolved. `compat`: see
 * `OperatorContext`.
 */
export async function evaluate(
  query: QueryDescription,
  data: SourceData,
  compat?: "perfbase",
  trace?: EvaluationTrace,
): Promise<OutputVectors[]> {
  try {
    return await new Evaluation(query, data, compat, trace).outputs();
  } catch (error) {
    if (data.summarizes === undefined || !isFailure(error, "database-refused")) throw error;
    // Numbers may overflow in the database: evaluates everything outside of it then.
    return new Evaluation(query, outside(data), compat, trace).outputs();
  }
}

/** The same data without computation in the database. */
export function outside({ summarizes: _, ...data }: SourceData): SourceData {
  return data;
}

class Evaluation {
  readonly #query: QueryDescription;
  readonly #graph: Graph;
  readonly #data: SourceData;
  readonly #compat: "perfbase" | undefined;
  readonly #trace: EvaluationTrace | undefined;
  readonly #rows: DatabaseRows;
  readonly #variants = new Map<string, readonly Variant[]>();
  readonly #sweeps = new Map<string, readonly FilterGroup[]>();
  #runs: readonly SelectableRun[] | undefined;
  #historyPositions: ReadonlyMap<string, number> | undefined;

  constructor(
    query: QueryDescription,
    data: SourceData,
    compat: "perfbase" | undefined,
    trace: EvaluationTrace | undefined,
  ) {
    this.#query = query;
    this.#graph = graphOf(query);
    this.#data = data;
    this.#compat = compat;
    this.#trace = trace;
    this.#rows = new DatabaseRows(
      data,
      this.#isChronological || [...this.#graph.nodes.values()].some(asksForRuns),
      trace,
    );
  }

  async outputs(): Promise<OutputVectors[]> {
    for (const [id, node] of this.#graph.nodes) this.#variants.set(id, await this.#evaluated(node));
    const outputs: OutputVectors[] = [];
    for (const element of this.#graph.outputs) {
      const inputs: SweptInput[] = [];
      for (const input of element.inputs) inputs.push(await this.#whole(input));
      outputs.push({ element, inputs });
    }
    return outputs;
  }

  /** The variants of an input with rows. */
  async #whole(input: SweptInput["input"]): Promise<SweptInput> {
    const variants: Variant[] = [];
    for (const variant of this.#swept(input).variants)
      variants.push({ ...variant, vector: await this.#rows.vector(variant.vector) });
    return { input, variants };
  }

  #swept(input: SweptInput["input"]): SweptInput {
    return { input, variants: this.#variants.get(input.id) ?? [] };
  }

  async #evaluated(node: Node): Promise<Variant[]> {
    if (node.kind === "source") return this.#source(node.element);
    const inputs = node.element.inputs.map((input) => this.#swept(input));
    const clones =
      node.kind === "operator" ? clonesOfOperator(node.element, inputs) : clonesOfCombiner(node.element, inputs);
    const context = node.kind === "operator" ? await this.#contextFor(node.element) : {};
    const variants: Variant[] = [];
    for (const { choice, inputs: chosen } of clones) {
      const vectors = chosen.map((variant) => variant.vector);
      const origin = variantName(node.element.id, choice);
      if (vectors.length === 0) continue;
      const vector =
        node.kind === "operator"
          ? await this.#rows.operator(node.element, vectors, context, origin)
          : await this.#combined(node.element, vectors, origin);
      variants.push({ choice, vector });
    }
    return variants;
  }

  async #combined(element: CombinerElement, inputs: readonly Vector[], origin: string): Promise<Vector> {
    const vectors = await this.#rows.vectors(inputs);
    this.#trace?.outside(origin);
    return { ...combine(element, vectors, this.#compat), origin };
  }

  async #contextFor(element: OperatorElement): Promise<OperatorContext> {
    const question = operatorOf(element).lookupOf?.(element);
    const compat = this.#compat === undefined ? {} : { compat: this.#compat };
    if (question === undefined) return compat;
    const lookup =
      "fact" in question
        ? factsOf(question.fact, await this.#allRuns())
        : await lookUpRuns(element, question.variable, this.#data);
    return { ...compat, lookup };
  }

  async #source(element: SourceElement): Promise<Variant[]> {
    const swept = [];
    for (const parameter of this.#query.parameters)
      if (parameter.sweep !== undefined && element.inputs.includes(parameter.id))
        swept.push({ parameter, filters: await this.#filtersOf(parameter) });
    const variants: Variant[] = [];
    for (const choice of choices(inOrder(swept, element, this.#data.experiment), element.id)) {
      const chosen = new Map(
        swept.flatMap(({ parameter: { id }, filters }): [string, FilterGroup][] => {
          const filter = filters[choice.get(id) ?? -1];
          return filter === undefined ? [] : [[id, filter]];
        }),
      );
      variants.push({ choice, vector: await this.#vector(element, choice, chosen) });
    }
    return variants;
  }

  async #filtersOf(parameter: ParameterElement): Promise<readonly FilterGroup[]> {
    const known = this.#sweeps.get(parameter.id);
    if (known) return known;
    const own = parameter.sweep?.filters ?? [];
    const filters = own.length > 0 ? own : await this.#sweptValues(parameter);
    this.#sweeps.set(parameter.id, filters);
    return filters;
  }

  async #sweptValues(parameter: ParameterElement): Promise<FilterGroup[]> {
    const variable = findVariable(parameter.value, this.#data.experiment);
    const values = await this.#data.distinct(variable, filterOf(parameter.filters, parameter.boolean, variable));
    const positions = variable === commitVariable ? await this.#history() : undefined;
    const ordered = positions ? [...values].sort((a, b) => compareInColumn({ variable, positions }, a, b)) : values;
    return sweptFilters(ordered, variable);
  }

  async #vector(
    element: SourceElement,
    choice: ReadonlyMap<string, number>,
    chosen: ReadonlyMap<string, FilterGroup>,
  ): Promise<Variant["vector"]> {
    const plan = await this.#withHistoryOrder(planSource(element, this.#query, this.#data.experiment, chosen));
    const { selections } = plan;
    const runs = selections.length === 0 ? {} : { runs: await this.#selected(selections) };
    if (this.#compat === "perfbase" && runs.runs?.length === 0)
      throw refuse(element, "it selects no run", "select at least one run that exists");
    const chronology2 = this.#isChronological
      ? { chronology: runChronology(await this.#allRuns(), plan.element.chronology ?? "created") }
      : {};
    return this.#rows.source(
      plan,
      { ...plan.rows, ...runs },
      { ...chronology2, origin: variantName(element.id, choice) },
    );
  }

  /** Orders version columns by history. */
  async #withHistoryOrder(plan: SourcePlan): Promise<SourcePlan> {
    const isCommit = ({ at }: SourcePlan["columns"][number]): boolean => variableAt(plan, at) === commitVariable;
    if (!plan.columns.some(isCommit)) return plan;
    const positions = await this.#history();
    return { ...plan, columns: plan.columns.map((column) => (isCommit(column) ? { ...column, positions } : column)) };
  }

  /** Positions in the history of the selected branch, if it is unique. */
  async #history(): Promise<ReadonlyMap<string, number>> {
    const branches = new Set(this.#query.runs.map(({ branch }) => branch));
    const [branch] = branches.size === 1 ? branches : [];
    this.#historyPositions ??= new Map((await this.#data.history(branch)).map((id, position) => [id, position]));
    return this.#historyPositions;
  }

  async #selected(selections: readonly RunSelection[]): Promise<number[]> {
    const versions = new Map<RunSelection, ReadonlySet<VersionId>>();
    for (const each of selections) if (choosesVersions(each)) versions.set(each, await this.#data.versions(each));
    return selectRuns(selections, await this.#allRuns(), this.#data.compile, (each) => versions.get(each));
  }

  /** Whether some operator needs the order of runs. */
  get #isChronological(): boolean {
    return [...this.#graph.nodes.values()].some(
      (node) => node.kind === "operator" && operatorOf(node.element).isChronological === true,
    );
  }

  async #allRuns(): Promise<readonly SelectableRun[]> {
    this.#runs ??= await this.#data.runs();
    return this.#runs;
  }
}

/** Whether an element depends on the runs of its rows. */
function asksForRuns({ kind, element }: Node): boolean {
  return (
    kind === "operator" &&
    (element.scope === "run" || ["runindex", "param", "runparam", "resolve"].includes(element.type ?? ""))
  );
}

function clonesOfOperator(element: OperatorElement, inputs: readonly SweptInput[]): Clone[] {
  const { id, sweep, sweepCombine } = element;
  if (sweep !== undefined && sweep !== "intern" && sweep !== "extern")
    throw refuse(element, `its sweep is '${sweep.slice(0, 40)}'`, "write intern or extern");
  return clonesOf(inputs, { element: id, byDefault: sweep ?? "extern", combine: sweepCombine });
}

/** Inputs with external sweeps come before those with internal ones, as in perfbase. */
function clonesOfCombiner(element: CombinerElement, inputs: readonly SweptInput[]): Clone[] {
  const { id, sweepCombine, sweepGroup: group } = element;
  const isSwept =
    group === undefined || inputs.some(({ variants }) => variants.some(({ choice }) => choice.has(group)));
  if (!isSwept)
    throw refuse(
      element,
      `none of its inputs is swept by '${group.slice(0, 64)}'`,
      "name a parameter with a sweep in sweep_group",
    );
  const ordered = [...inputs].sort((a, b) => Number(isIntern(a, "intern")) - Number(isIntern(b, "intern")));
  return clonesOf(ordered, { element: id, byDefault: "intern", combine: sweepCombine, group });
}

/** Row parameters before run parameters, which change more slowly; otherwise in the order of the source. */
function inOrder<T extends { readonly parameter: ParameterElement }>(
  swept: readonly T[],
  { inputs }: SourceElement,
  experiment: Experiment,
): T[] {
  const rank = ({ parameter }: T): number => (findVariable(parameter.value, experiment).occurrence === "once" ? 1 : 0);
  return [...swept].sort(
    (a, b) => rank(a) - rank(b) || inputs.indexOf(a.parameter.id) - inputs.indexOf(b.parameter.id),
  );
}
