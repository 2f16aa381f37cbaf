import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { nearest } from "../../../core/text/name-suggestions.ts";
import type { Value } from "../../../core/values/value.ts";
import { valueOf, type Vector, type VectorColumn } from "../vector.ts";
import {
  onlyInput,
  refuse,
  runFacts,
  takesOnly,
  type Operator,
  type RunFact,
  type OperatorContext,
} from "./operator.ts";
import { onlyResult, withValues, withUnit } from "./quantity.ts";

/** The run number of each row instead of its result; -1: no run, or several. */
export const runIndex: Operator = {
  name: "runindex",
  apply(element, inputs) {
    takesOnly(element, []);
    const input = onlyInput(element, inputs);
    const result = onlyResult(element, input);
    const column: VectorColumn = {
      variable: withUnit({ ...result.variable, type: "integer" }, undefined),
      display: `runindex(${result.display})`,
      column: result.column,
    };
    return withResult(element, input, result, withValues(column, [...input.runs]));
  },
};

/** The parameter `value` of the run whose number is the result. */
function parameterOf(name: "param" | "runparam"): Operator {
  return {
    name,
    lookupOf: (element) => ({ variable: requiredValue(element, "name the parameter of runs that is wanted") }),
    apply: (element, inputs, surroundings) => lookUp(element, inputs, surroundings),
  };
}

export const param = parameterOf("param");
export const runParam = parameterOf("runparam");

/** A property of the run whose number is the result: its creation or measurement time, synopsis or description. */
export const resolve: Operator = {
  name: "resolve",
  lookupOf: (element) => ({ fact: factIn(element) }),
  apply: (element, inputs, surroundings) => lookUp(element, inputs, surroundings),
};

function requiredValue(element: OperatorElement, advice: string): string {
  const name = element.value?.trim() ?? "";
  if (name !== "") return name;
  throw refuse(element, `${element.type} needs a value`, advice);
}

function factIn(element: OperatorElement): RunFact {
  const advice = `name one of ${runFacts.join(", ")}`;
  const name = requiredValue(element, advice);
  const found = runFacts.find((fact) => fact === name);
  if (found !== undefined) return found;
  const near = nearest(name.slice(0, 40), runFacts).join(", ");
  throw refuse(element, `runs have no property '${name.slice(0, 40)}'${near ? `, did you mean ${near}?` : ""}`, advice);
}

function lookUp(element: OperatorElement, inputs: readonly Vector[], { lookup }: OperatorContext): Vector {
  takesOnly(element, ["value"]);
  const input = onlyInput(element, inputs);
  const result = onlyResult(element, input);
  if (lookup === undefined) throw refuse(element, "no run values were looked up");
  const values = Array.from({ length: input.length }, (_, row) =>
    valueForRun(element, lookup.values, valueOf(result, row)),
  );
  const column: VectorColumn = {
    variable: { ...lookup.variable, role: "result" },
    display: lookup.variable.name,
    column: result.column,
  };
  return withResult(element, input, result, withValues(column, values));
}

function valueForRun(element: OperatorElement, values: ReadonlyMap<number, Value>, run: Value): Value {
  const found = typeof run === "number" ? values.get(run) : undefined;
  if (found !== undefined) return found;
  const problem = run === -1 ? "a row comes from no single run (-1)" : `'${String(run)}' is not a run number`;
  throw refuse(element, problem, "take the run by an operator of type runindex, from rows of single runs");
}

function withResult(element: OperatorElement, input: Vector, result: VectorColumn, column: VectorColumn): Vector {
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: input.columns.map((each) => (each === result ? column : each)),
  };
}
