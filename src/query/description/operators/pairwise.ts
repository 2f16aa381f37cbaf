import { divide, parseUnit, sameDimension, type Conversion, type Unit } from "../../../core/values/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import { valueOf, pick, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { float, whole, type RowExpression } from "../../plan/index.ts";
import { unitText } from "../filter-label.ts";
import { resultsAt, resultsInDatabase, type DatabaseColumn } from "./aggregate-across.ts";
import { matchedVector, matchRows } from "./matching.ts";
import {
  refuse,
  takesOnly,
  type ComputedRows,
  type Operator,
  type RowsInDatabase,
  type OperatorContext,
} from "./operator.ts";
import { conversionTo, converted, convertInDatabase, staysWhole, unitIn, withValues, withUnit } from "./quantity.ts";

/** A function of a value of the first input and the matching one of the second. */
interface Relation {
  readonly name: string;
  /** Values are in one unit. undefined: no result (division by zero). */
  of(a: number | bigint, b: number | bigint, isWhole: boolean): number | bigint | undefined;
  /** The same for floats in a database. */
  inDatabase(a: RowExpression, b: RowExpression): RowExpression;
  /** Whether it divides. */
  readonly divides: boolean;
  display(a: string, b: string): string;
  /** perfbase's spelling of the display name, if it differs. */
  displayAsPerfbase?(a: string, b: string): string;
  /** perfbase's text of the unit, if it differs. */
  unitAsPerfbase?(a: string, b: string): string;
  /** Whether the second must be converted to the unit of the first; otherwise only if the dimensions are equal. */
  readonly alike: boolean;
  unit(a: Unit | undefined, b: Unit | undefined): Unit | undefined;
  /** Whether integers make an integer. */
  readonly whole: "always" | "perfbase";
}

const percent = parseUnit("%");

/** 100·a/b; truncated to an integer, like SQL's division, if requested. */
function share(a: number | bigint, b: number | bigint, isWhole: boolean): number | undefined {
  if (Number(b) === 0) return undefined;
  const value = (100 * Number(a)) / Number(b);
  return isWhole ? Math.trunc(value) : value;
}

const diff: Relation = {
  name: "diff",
  of: (a, b, isWhole) => (isWhole ? wholeDifference(a, b) : Number(a) - Number(b)),
  inDatabase: (a, b) => float("-", a, b),
  divides: false,
  display: (a, b) => `${a}-${b}`,
  alike: true,
  unit: (a) => a,
  whole: "always",
};

const div: Relation = {
  name: "div",
  of: (a, b, isWhole) => {
    if (Number(b) === 0) return undefined;
    const value = Number(a) / Number(b);
    return isWhole ? Math.trunc(value) : value;
  },
  inDatabase: (a, b) => float("/", a, b),
  divides: true,
  display: (a, b) => `${a}/${b}`,
  alike: false,
  unitAsPerfbase: (a, b) => `${a}/${b}`,
  unit: (a, b) => (sameDimension(a, b) ? undefined : divide(a ?? { factors: [] }, b ?? { factors: [] })),
  whole: "perfbase",
};

const hundred: RowExpression = { kind: "constant", value: 100, whole: false };

function ratio(
  name: string,
  words: string,
  of: (share: number) => number,
  ofThere: (share: RowExpression) => RowExpression = (part) => part,
  wordsOfPerfbase: string = words,
): Relation {
  return {
    name,
    of: (a, b, isWhole) => {
      const part = share(a, b, isWhole);
      return part === undefined ? undefined : of(part);
    },
    inDatabase: (a, b) => ofThere(float("/", float("*", hundred, a), b)),
    divides: true,
    display: (a, b) => `[${a} % ${words} ${b}]`,
    displayAsPerfbase: (a, b) => `[${a} % ${wordsOfPerfbase} ${b}]`,
    alike: true,
    unit: () => percent,
    whole: "perfbase",
  };
}

/** Exact, even beyond 2^53. */
function wholeDifference(a: number | bigint, b: number | bigint): number | bigint {
  const exact = BigInt(a) - BigInt(b);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/**
 * Binary operators: diff a-b, div a/b, percentof 100a/b, above: by how many percent a is more, below: by how many it is
 * less.
 */
export const pairwise: readonly Operator[] = [
  diff,
  div,
  ratio("percentof", "of", (part) => part),
  ratio(
    "above",
    "more than",
    (part) => part - 100,
    (part) => float("-", part, 100),
  ),
  ratio(
    "below",
    "less than",
    (part) => 100 - part,
    (part) => float("-", hundred, part),
    "less then",
  ),
].map((relation) => ({
  name: relation.name,
  apply: (element, inputs, surroundings) => related(relation, element, inputs, surroundings),
  inDatabase: (element, inputs, { compat }) =>
    compat === undefined ? relateInDatabase(relation, element, inputs) : undefined,
}));

function related(
  relation: Relation,
  element: OperatorElement,
  inputs: readonly Vector[],
  { compat }: OperatorContext,
): Vector {
  takesOnly(element, ["match"]);
  const [first, second, third] = inputs;
  if (first === undefined || second === undefined || third !== undefined)
    throw refuse(element, `${relation.name} takes two inputs, not ${inputs.length}`, "name the two that are compared");
  const matches = matchRows(element, inputs);
  const columns = resultsOf(first).map((_, at) => {
    const [a, b] = resultsAt(element, inputs, at);
    if (a === undefined || b === undefined) throw refuse(element, "its input has no result");
    const found = relate(relation, element, [a, b], compat);
    return {
      ...found,
      values: Array.from({ length: matches.length }, (_, k) =>
        found.at(matches.rows[0]?.[k] ?? -1, matches.rows[1]?.[k] ?? -1),
      ),
    };
  });
  const results = columns.map(({ column, values }) =>
    withValues(
      column,
      values.map((value) => value ?? null),
    ),
  );
  const vector = matchedVector(element, inputs, matches, results);
  return columns.length === 0
    ? vector
    : withoutGaps(
        vector,
        columns.map(({ values }) => values),
      );
}

function relateInDatabase(
  relation: Relation,
  element: OperatorElement,
  inputs: readonly RowsInDatabase[],
): ComputedRows | undefined {
  if (inputs.length !== 2) return undefined;
  const pairs = resultsInDatabase(element, inputs);
  const related = pairs.map((pair) => databasePair(relation, pair));
  const found = related.flatMap((each) => each ?? []);
  if (found.length < related.length) return undefined;
  const quotients = relation.divides ? { quotients: found.map(({ a, b }) => ({ dividend: a, divisor: b })) } : {};
  return {
    results: found.map(({ a, b, isWhole }) => (isWhole ? whole("-", a, b) : relation.inDatabase(a, b))),
    ...quotients,
  };
}

function databasePair(
  relation: Relation,
  [left, right]: readonly DatabaseColumn[],
): { readonly a: RowExpression; readonly b: RowExpression; readonly isWhole: boolean } | undefined {
  if (left === undefined || right === undefined) return undefined;
  const [a, b] = [left.column, right.column];
  const isLike = relation.alike || sameDimension(unitIn(a.variable), unitIn(b.variable));
  const factor: Conversion = isLike ? conversionTo(a, b) : { times: 1, over: 1 };
  const converted = convertInDatabase(right.expression, b.variable, factor);
  const areWhole = a.variable.type === "integer" && b.variable.type === "integer" && staysWhole(factor);
  return converted && { a: left.expression, b: converted, isWhole: areWhole && relation.whole === "always" };
}

/** Omits rows without any result. */
function withoutGaps(vector: Vector, columns: readonly (readonly unknown[])[]): Vector {
  const rows: number[] = [];
  for (let row = 0; row < vector.length; row++) if (columns.some((values) => values[row] !== undefined)) rows.push(row);
  return rows.length === vector.length ? vector : pick(vector, rows);
}

interface Related {
  readonly column: VectorColumn;
  /** Of two rows; null if a value is missing, undefined without a result. */
  at(a: number, b: number): number | bigint | null | undefined;
}

function relate(
  relation: Relation,
  element: OperatorElement,
  [a, b]: readonly [VectorColumn, VectorColumn],
  compat: "perfbase" | undefined,
): Related {
  for (const each of [a, b]) checkNumber(relation, element, each);
  const isLike = relation.alike || sameDimension(unitIn(a.variable), unitIn(b.variable));
  const factor: Conversion = isLike ? conversionTo(a, b, compat) : { times: 1, over: 1 };
  const areWhole = a.variable.type === "integer" && b.variable.type === "integer" && staysWhole(factor);
  const isPerfbase = compat === "perfbase";
  const isWhole = areWhole && (relation.whole === "always" || isPerfbase);
  const synopsis = relation.display(a.variable.synopsis ?? a.display, b.variable.synopsis ?? b.display);
  const areDurations = isDuration(a.variable) && isDuration(b.variable) && relation.name === "diff";
  const type = isWhole ? "integer" : areDurations ? "duration" : "float";
  const unit = areDurations ? a.variable.unit : relation.unit(unitIn(a.variable), unitIn(b.variable));
  return {
    column: {
      variable: withUnit({ name: a.variable.name, role: "result", occurrence: "multiple", type, synopsis }, unit),
      display: (isPerfbase && relation.displayAsPerfbase ? relation.displayAsPerfbase : relation.display)(
        a.display,
        b.display,
      ),
      column: a.column,
      ...(isPerfbase && relation.unitAsPerfbase
        ? { shownUnit: { of: unit, text: relation.unitAsPerfbase(unitText(a), unitText(b)) } }
        : {}),
    },
    at(rowA, rowB) {
      const [left, right] = [valueOf(a, rowA), valueOf(b, rowB)];
      if (!isNumber(left) || !isNumber(right)) return null;
      return relation.of(left, converted(right, factor), isWhole);
    },
  };
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isDuration({ type }: Variable): boolean {
  return type === "duration" || type === "timeofday";
}

function checkNumber(relation: Relation, element: OperatorElement, { variable, display }: VectorColumn): void {
  if (hasUnits(variable.type) || isDuration(variable)) return;
  throw refuse(element, `there is no ${relation.name} of '${display}', which is a ${variable.type}`);
}
