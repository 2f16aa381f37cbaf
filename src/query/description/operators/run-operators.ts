import type { OperatorElement } from "../../../core/experiments/index.ts";
import { nearest } from "../../../core/text/index.ts";
import type { Value } from "../../../core/values/index.ts";
import type { RunSlice } from "../../plan/index.ts";
import { pick, type Vector, valueOf, type VectorColumn } from "../vector.ts";
import {
  onlyInput,
  refuse,
  takesOnly,
  type Operator,
  runFacts,
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

/** The rows of a slice of the runs in chronological order: `value` is [first:end], from 0, negative from the end. */
export const slice: Operator = {
  name: "slice",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, ["value"]);
    return sliced(element, onlyInput(element, inputs), boundsOf(element));
  },
};

export const oldest: Operator = {
  name: "oldest",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, []);
    return sliced(element, onlyInput(element, inputs), [0, 1]);
  },
};

export const latest: Operator = {
  name: "latest",
  isChronological: true,
  apply(element, inputs) {
    takesOnly(element, []);
    return sliced(element, onlyInput(element, inputs), [-1, undefined]);
  },
};

/** The slices of an element for databases. */
export function runSlices(element: OperatorElement): RunSlice[] {
  const [from, to] =
    element.type === "oldest"
      ? ([0, 1] as const)
      : element.type === "latest"
        ? ([-1, undefined] as const)
        : boundsOf(element);
  const begin: RunSlice = from < 0 ? { descending: true, limit: -from } : { descending: false, offset: from };
  if (to === undefined) return [begin];
  return [begin, to < 0 ? { descending: true, offset: -to } : { descending: false, limit: to }];
}

/** The element for rows that are already sliced. */
export function wholeSlice(element: OperatorElement): OperatorElement {
  return element.type === "slice" ? { ...element, value: "[:]" } : element;
}

type Bounds = readonly [from: number, to: number | undefined];

function boundsOf(element: OperatorElement): Bounds {
  const text = element.value ?? "";
  const [found, from = "", to = ""] = /^\s*\[\s*([+-]?\d{1,9})?\s*:\s*([+-]?\d{1,9})?\s*\]\s*$/.exec(text) ?? [];
  if (found === undefined)
    throw refuse(
      element,
      `'${text.slice(0, 40)}' is no slice`,
      "write [0:2] for the first two runs, [-1:] for the last one",
    );
  return [from === "" ? 0 : Number(from), to === "" ? undefined : Number(to)];
}

function sliced(element: OperatorElement, input: Vector, [from, to]: Bounds): Vector {
  const present = new Set(input.runs);
  if (present.has(-1))
    throw refuse(
      element,
      "its input has rows that come from no single run",
      `${element.type} goes before operators that take runs together`,
    );
  const chosen = new Set(input.chronology.filter((run) => present.has(run)).slice(from, to));
  const rows: number[] = [];
  input.runs.forEach((run, row) => chosen.has(run) && rows.push(row));
  const kept = pick(input, rows);
  const columns = kept.columns.map((column) =>
    column.variable.role === "result" ? { ...column, display: `${element.type}(${column.display})` } : column,
  );
  return { ...kept, origin: element.id, from: "operator", columns };
}
