import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import {
  expressionType,
  isRunVariable,
  numberOfRun,
  rowNumberInRun,
  sourceOf,
  type LogicalPlan,
  type Predicate,
  type RowExpression,
  type RowKind,
  type RowLimit,
} from "../../query/plan/index.ts";
import { collated, double, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { expressionSql, type ExpressionContext } from "./expression-sql.ts";
import { boundValueSql, columnName } from "../schema/index.ts";

/**
 * Compiles columns, expressions and conditions of a statement to SQL over rows d, once-values o and runs r. Collects
 * bound values.
 */
export class StatementTerms {
  readonly params: Value[] = [];
  /** What expressions refer to: the rows of an experiment, or those of joined plans. */
  source: RowKind | readonly LogicalPlan[] = "data";
  /** Evaluated in shards, whose text columns sort by code point. */
  isRemote = false;
  readonly #stored: StoredExperiment;
  readonly #dialect: Dialect;

  constructor(stored: StoredExperiment, dialect: Dialect) {
    this.#stored = stored;
    this.#dialect = dialect;
  }

  bind(value: Value): string {
    return `$${this.params.push(value)}`;
  }

  among(expression: string, values: readonly Value[]): string {
    return values.length === 0 ? "false" : `${expression} in (${values.map((value) => this.bind(value)).join(", ")})`;
  }

  get context(): ExpressionContext {
    return {
      dialect: this.#dialect,
      column: ({ variable, from }) => {
        if (typeof this.source === "string") return this.variable(variable);
        return `j${from}.c${this.source[from]?.outputs.findIndex((output) => sourceOf(output) === variable)}`;
      },
      bind: (value) => this.bind(value),
      isRemote: this.isRemote,
    };
  }

  /** `ofRuns`: evaluated on the catalogue. */
  variable(variable: Variable, ofRuns = false): string {
    if (variable === rowNumberInRun) return "d.ordinal";
    if (variable === numberOfRun && !ofRuns) return runOf(this.source === "runs" ? "runs" : "data");
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  expression(expression: RowExpression): string {
    return expressionSql(expression, this.context);
  }

  /** `ofRuns`: evaluated on the catalogue. */
  condition(predicate: Predicate, ofRuns = false): string {
    return conditionSql(predicate, this.#conditionContext(ofRuns));
  }

  limit({ of, sign, value, absolute }: RowLimit, ofRuns = false): string {
    const type = expressionType(of);
    const expression = this.expression(of);
    const exact = type === "integer" ? `cast(${expression} as decimal(38, 0))` : expression;
    const column = absolute ? `abs(${exact})` : expression;
    const isOrdered = this.isRemote && !ofRuns;
    const compared = comparisonSql(column, { sign, value }, { type, isOrdered }, this.#conditionContext(ofRuns));
    // Databases sort NaN above all numbers.
    return isFloat(type) && (sign === ">" || sign === ">=")
      ? `(${compared} and ${column} <> cast('NaN' as ${double}))`
      : compared;
  }

  #conditionContext(ofRuns: boolean): ConditionContext {
    return {
      dialect: this.#dialect,
      // Run variables are in the local catalogue.
      sortsByCodePoint: (variable) => this.isRemote && !isRunVariable(variable),
      column: (variable) => this.variable(variable, ofRuns),
      bind: (value) => this.bind(value),
    };
  }
}

/** Whether a variable is only in the catalogue and not in shards: all run variables except the run number. */
export function isInCatalogue(variable: Variable): boolean {
  return isRunVariable(variable) && variable !== numberOfRun;
}

/** Columns of the run r. */
const runColumns: Readonly<Record<string, string>> = {
  run: "r.number",
  commit: "r.version",
  dirty: "r.dirty",
  performed: "r.performed",
  created: "r.created",
  performer: "r.performer",
  label: "r.label",
  synopsis: "r.synopsis",
};

/** Whether a variable is a value of the run of a row. */
export function isOnceValue(variable: Variable): boolean {
  return variable.occurrence === "once" && variable !== rowNumberInRun && !isRunVariable(variable);
}

/** The number of the run of a row. */
export function runOf(of: RowKind): string {
  return of === "data" ? "d.run" : "o.run";
}

/** The condition on the numbers of rows in their runs, if any. */
export function ordinalRange({ ordinals }: LogicalPlan): string[] {
  return ordinals === undefined ? [] : [`d.ordinal between ${ordinals.first} and ${ordinals.last}`];
}

function isFloat(type: Variable["type"]): boolean {
  return type === "float" || type === "duration" || type === "timeofday";
}

/** The SQL context of a condition. */
interface ConditionContext {
  readonly dialect: Dialect;
  /** Text columns sort by code point without a collation. */
  sortsByCodePoint(variable: Variable): boolean;
  column(variable: Variable): string;
  /** Binds a value and returns its `$n`. */
  bind(value: Value): string;
}

/** An empty junction is true for `and`, false for `or`. Patterns must be resolved (resolve-patterns.ts). */
function conditionSql(predicate: Predicate, context: ConditionContext): string {
  if ("of" in predicate) {
    if (predicate.of.length === 0) return predicate.kind === "and" ? "true" : "false";
    return predicate.of.map((each) => `(${conditionSql(each, context)})`).join(` ${predicate.kind} `);
  }
  const { variable } = predicate;
  const column = context.column(variable);
  if ("values" in predicate) return membershipSql(column, predicate, context);
  if ("text" in predicate) return partSql(column, predicate, context);
  if (!("value" in predicate)) return `${column} is ${predicate.kind === "null" ? "null" : "not null"}`;
  const isOrdered = context.sortsByCodePoint(variable);
  return comparisonSql(
    column,
    { sign: predicate.kind, value: predicate.value },
    { type: variable.type, isOrdered },
    context,
  );
}

/** Compares a column with a value of its type. `isOrdered`: text of the column sorts by code point. */
function comparisonSql(
  column: string,
  { sign, value }: Pick<RowLimit, "sign" | "value">,
  { type, isOrdered }: { readonly type: Variable["type"]; readonly isOrdered: boolean },
  { dialect, bind }: Pick<ConditionContext, "dialect" | "bind">,
): string {
  const isOrder = sign !== "=" && sign !== "<>";
  // An integer may be compared with a fraction.
  const isFraction = type === "integer" && !Number.isInteger(Number(value));
  const bound = isFraction ? `cast(${bind(value)} as ${double})` : boundValueSql(value, { type }, dialect, bind);
  return `${isOrder && isText({ type }) && !isOrdered ? collated(column) : column} ${sign} ${bound}`;
}

function membershipSql(
  column: string,
  { kind, variable, values }: Extract<Predicate, { readonly values: unknown }>,
  { dialect, bind }: ConditionContext,
): string {
  if (values.length === 0) return kind === "in" ? "false" : `${column} is not null`;
  const list = values.map((value) => boundValueSql(value, variable, dialect, bind)).join(", ");
  return `${column} ${kind === "in" ? "in" : "not in"} (${list})`;
}

/** Of a version, the part after the sortable key is searched. */
function partSql(
  column: string,
  { kind, variable, text }: Extract<Predicate, { readonly text: string }>,
  { bind }: ConditionContext,
): string {
  if (kind !== "contain" && kind !== "notcontain") throw new RangeError("a pattern is not resolved to values");
  const plain = variable.type === "version" ? `split_part(${column}, chr(1), 2)` : column;
  return `strpos(${plain}, ${bind(text)}) ${kind === "contain" ? ">" : "="} 0`;
}
