import type { OperatorElement, Term } from "../../../core/experiments/index.ts";
import { parseUnit } from "../../../core/values/index.ts";
import { evaluate, variablesIn, type Expression, hasUnits } from "../../../core/variables/index.ts";
import { type RowExpression, float, mentions } from "../../plan/index.ts";
import { columnNamed, valueOf, type Vector, type VectorColumn } from "../vector.ts";
import { compileTerm, type TermVariable, python2DictOrder } from "./eval-term.ts";
import { matchedVector, matchRows } from "./matching.ts";
import { refuse, takesOnly, type Operator, type RowsInDatabase } from "./operator.ts";
import { unitIn, withValues, withUnit } from "./quantity.ts";

/** Most column references in SQL: longer terms are computed outside. */
const mostMentions = 200;

/**
 * A term as a database expression, bit-exact with `evaluate`: sums, differences, products, fractions, roots and
 * absolute values. undefined: other functions, whose last digits depend on the library, and terms that are too long.
 */
function databaseExpression(
  expression: Expression,
  value: (name: string) => RowExpression | undefined,
): RowExpression | undefined {
  const found = databasePart(expression, value);
  if (found === undefined) return undefined;
  const isComputed = expression.kind !== "variable" && expression.kind !== "constant";
  const result: RowExpression = isComputed ? { kind: "finite", of: found } : { kind: "float", of: found };
  return mentions(result) > mostMentions ? undefined : result;
}

/**
 * Non-finite values propagate through sums, products and dividends to the final check; only as a divisor they would be
 * lost.
 */
function databasePart(
  expression: Expression,
  value: (name: string) => RowExpression | undefined,
): RowExpression | undefined {
  const part = (each: Expression): RowExpression | undefined => databasePart(each, value);
  switch (expression.kind) {
    case "constant":
      return { kind: "constant", value: expression.value, whole: false };
    case "variable":
      return value(expression.name);
    case "negative":
      return binary("-", [{ kind: "constant", value: 0, whole: false }, part(expression.of)]);
    case "sum":
      return binary("+", expression.of.map(part));
    case "product":
      return binary("*", expression.of.map(part));
    case "difference":
      return binary("-", [part(expression.left), part(expression.right)]);
    case "fraction":
      return binary("/", [part(expression.left), divisor(expression.right, part(expression.right))]);
    case "function":
      return databaseFunction(expression, part);
    default:
      return undefined;
  }
}

function divisor({ kind }: Expression, found: RowExpression | undefined): RowExpression | undefined {
  return found === undefined || kind === "variable" || kind === "constant" ? found : { kind: "finite", of: found };
}

function binary(
  kind: "+" | "-" | "*" | "/",
  operands: readonly (RowExpression | undefined)[],
): RowExpression | undefined {
  return operands.reduce((left, right) => left && right && float(kind, left, right));
}

function databaseFunction(
  { name, of: [only] }: Extract<Expression, { readonly kind: "function" }>,
  part: (each: Expression) => RowExpression | undefined,
): RowExpression | undefined {
  const of = only && part(only);
  if (of === undefined) return undefined;
  if (name === "abs" || name === "fabs") return { kind: "abs", of };
  return name === "sqrt" ? { kind: "sqrt", of } : undefined;
}

type VariableTerm = Extract<Term, { kind: "variable" }>;

interface Found extends TermVariable {
  readonly term: VariableTerm;
  readonly column: VectorColumn;
  /** Index of the input among the matched ones; undefined: a scalar, whose only row is combined with every row. */
  readonly input: number | undefined;
}

/**
 * A term over the values of matched input rows. An input whose variables are of type scalar has one row, which is
 * combined with every row of the others. The result is missing if a variable is, or if the term is undefined (a
 * division by zero).
 */
export const evalOperator: Operator = {
  name: "eval",
  apply(element, inputs, { compat }) {
    takesOnly(element, ["match", "terms"]);
    const [described, second] = element.terms;
    if (described === undefined || second !== undefined)
      throw refuse(
        element,
        `eval takes one term, not ${element.terms.length}`,
        "write one eval per term, and combine them",
      );
    const scalars = scalarInputs(element, described.term, inputs);
    const matched = inputs.filter((input) => !scalars.has(input));
    const rowInputs = matched.length === 0 ? inputs : matched;
    const matches = matchRows(element, rowInputs);
    const found = new Map<string, Found>();
    const find = (term: VariableTerm): TermVariable => {
      const each = findVariable(element, term, inputs, rowInputs);
      found.set(each.key, each);
      return each;
    };
    const { expression, unit } = compileTerm(element, described.term, find, compat !== "perfbase");
    const used = variablesIn(expression).flatMap((key) => found.get(key) ?? []);
    const values = Array.from({ length: matches.length }, (_, at) =>
      evaluate(expression, (key) => numberAt(found.get(key), (input) => matches.rows[input]?.[at] ?? -1)),
    );
    const name = described.id ?? element.id;
    const declared = described.unit === undefined ? unit : parseUnit(described.unit);
    const variable = withUnit({ name, role: "result", occurrence: "multiple", type: "float" }, declared);
    const display = `${name}(${namesOf(used, compat).join(",")})`;
    const result = withValues(
      { variable, display, column: { kind: "number", values: new Float64Array(), missing: null, exact: null } },
      values,
    );
    return matchedVector(element, rowInputs, matches, [result]);
  },
  inDatabase(element, inputs, { compat }) {
    const [described, second] = element.terms;
    if (compat !== undefined || described === undefined || second !== undefined) return undefined;
    const result = termInDatabase(element, described.term, inputs);
    return result && { results: [result] };
  },
};

/** The term in a database; undefined: scalars, or not bit-exact. */
function termInDatabase(
  element: OperatorElement,
  term: Term,
  inputs: readonly RowsInDatabase[],
): RowExpression | undefined {
  if (hasScalars(term)) return undefined;
  const vectors = inputs.map(({ vector }) => vector);
  const known = new Map<string, RowExpression>();
  const find = (variable: VariableTerm): TermVariable => {
    const found = findVariable(element, variable, vectors, vectors);
    const { vector, expressions = [] } = inputs[found.input ?? -1] ?? {};
    const own = expressions[vector?.columns.indexOf(found.column) ?? -1];
    if (own !== undefined && found.column.variable.type !== "boolean") known.set(found.key, own);
    return found;
  };
  const { expression } = compileTerm(element, term, find, true);
  return databaseExpression(expression, (key) => known.get(key));
}

function hasScalars(term: Term): boolean {
  if (term.kind === "constant") return false;
  return term.kind === "variable" ? term.type !== undefined : term.of.some(hasScalars);
}

function originOf(input: Vector): string {
  return input.origin.replace(/~.*$/, "");
}

/** Inputs that a variable declares as scalar. */
function scalarInputs(element: OperatorElement, term: Term, inputs: readonly Vector[]): ReadonlySet<Vector> {
  const scalars = new Set<Vector>();
  const visit = (each: Term): void => {
    if (each.kind === "constant") return;
    if (each.kind !== "variable") return each.of.forEach(visit);
    if (each.type === undefined) return;
    if (each.type !== "scalar")
      throw refuse(
        element,
        `there is no type '${each.type.slice(0, 40)}' of the variable '${each.name.slice(0, 40)}'`,
        "the only type is scalar",
      );
    const input = inputNamed(element, each, inputs);
    if (input.length !== 1)
      throw refuse(
        element,
        `'${each.input}' has ${input.length} rows, a scalar has one`,
        'omit type="scalar", or reduce the input',
      );
    scalars.add(input);
  };
  visit(term);
  return scalars;
}

function inputNamed(element: OperatorElement, { name, input }: VariableTerm, inputs: readonly Vector[]): Vector {
  const named = input === "" ? inputs : inputs.filter((each) => originOf(each) === input || each.origin === input);
  const [found, second] = named;
  if (found && !second) return found;
  const known = `its inputs are ${inputs.map((each) => each.origin).join(", ")}`;
  if (second)
    throw refuse(
      element,
      `'${name.slice(0, 40)}' of its term may be of ${named.map((each) => each.origin).join(" or ")}`,
      known,
    );
  throw refuse(element, `'${input.slice(0, 64)}', of which its term wants '${name.slice(0, 40)}', is no input`, known);
}

function findVariable(
  element: OperatorElement,
  term: VariableTerm,
  inputs: readonly Vector[],
  matched: readonly Vector[],
): Found {
  const input = inputNamed(element, term, inputs);
  const column = columnNamed(element, input, term.name);
  const { type } = column.variable;
  if (!hasUnits(type) && type !== "duration" && type !== "timeofday" && type !== "boolean")
    throw refuse(element, `cannot compute with '${column.display}', which is a ${type}`);
  const at = matched.indexOf(input);
  const position = inputs.indexOf(input);
  return {
    term,
    column,
    key: `${position} ${column.variable.name}`,
    display: column.display,
    unit: unitIn(column.variable),
    input: term.type === "scalar" || at < 0 ? undefined : at,
  };
}

function numberAt(found: Found | undefined, rowOf: (input: number) => number): number | null {
  if (found === undefined) return null;
  const value = valueOf(found.column, found.input === undefined ? 0 : rowOf(found.input));
  return value === null ? null : Number(value);
}

/** The names in the term, once per input, without scalars. */
function namesOf(used: readonly Found[], compat: "perfbase" | undefined): string[] {
  const rows = used.filter(({ term }) => term.type === undefined);
  if (compat !== "perfbase") return rows.map(({ term }) => term.name);
  const byKey = new Map(rows.map(({ term }) => [`${term.name}:${term.input}`, term.name]));
  return python2DictOrder([...byKey.keys()]).map((key) => byKey.get(key) ?? key);
}
