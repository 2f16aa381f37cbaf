import type { OperatorElement, Term } from "../../../core/experiments/index.ts";
import { nearest } from "../../../core/text/index.ts";
import {
  divide,
  formatUnit,
  multiply,
  power,
  sameDimension,
  conversion,
  type Unit,
} from "../../../core/values/index.ts";
import { argumentProblem, expressionFunctions, functionNamed, type Expression } from "../../../core/variables/index.ts";
import { refuse } from "./operator.ts";
import { unlike } from "./quantity.ts";

/*
 * The order in which a dictionary of Python 2 lists its keys: perfbase names the columns of eval after the variables of
 * a term in this order. The hash of texts and the probing are those that CPython 2.7 documents (Objects/dictnotes.txt,
 * Objects/dictobject.c) for 64 bit.
 */

const mask64 = 2n ** 64n - 1n;

function hashOf(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  let hash = BigInt(bytes[0] ?? 0) << 7n;
  for (const byte of bytes) hash = ((1_000_003n * hash) ^ BigInt(byte)) & mask64;
  return hash ^ BigInt(bytes.length);
}

/** The distinct keys in the order of a dictionary that they are inserted into one after the other. */
export function python2DictOrder(keys: readonly string[]): string[] {
  let slots: (string | undefined)[] = Array.from({ length: 8 });
  let used = 0;
  for (const key of new Set(keys)) {
    insertKey(slots, key);
    used += 1;
    if (used * 3 < slots.length * 2) continue;
    const before = slots;
    let size = 8;
    while (size <= used * 4) size *= 2;
    slots = Array.from({ length: size });
    for (const each of before) if (each !== undefined) insertKey(slots, each);
  }
  return slots.filter((key) => key !== undefined);
}

function insertKey(slots: (string | undefined)[], key: string): void {
  const mask = BigInt(slots.length - 1);
  const hash = hashOf(key);
  let at = hash & mask;
  for (let perturb = hash; slots[Number(at & mask)] !== undefined; perturb >>= 5n) at = at * 5n + perturb + 1n;
  slots[Number(at & mask)] = key;
}

/** A variable of a term, resolved among the inputs. */
export interface TermVariable {
  /** Its name in the expression. */
  readonly key: string;
  readonly display: string;
  readonly unit: Unit | undefined;
}

/** A part of a term with its unit. */
interface Part {
  readonly expression: Expression;
  /** "any": a constant, or an unknown unit; compatible with all units. */
  readonly unit: Unit | "any";
  /** Whether a constant is involved, which may be a conversion factor. */
  readonly scaled: boolean;
  readonly text: string;
}

const none: Unit = { factors: [] };

/** Functions that keep the unit of their arguments, which must be equal. */
const keepsUnit: ReadonlySet<string> = new Set(["abs", "fabs", "ceil", "floor", "max", "min", "fmod", "hypot"]);

/**
 * Compiles a term to an expression with its unit (undefined: unknown). `units`: checks units: sums of different
 * dimensions fail with `unit-mismatch`, those of one dimension are converted to the first unit.
 */
export function compileTerm(
  element: OperatorElement,
  term: Term,
  find: (variable: Extract<Term, { kind: "variable" }>) => TermVariable,
  units: boolean,
): { readonly expression: Expression; readonly unit: Unit | undefined } {
  const { expression, unit } = partOf(term);
  return { expression, unit: unit === "any" || unit.factors.length === 0 ? undefined : unit };

  function partOf(each: Term): Part {
    if (each.kind === "constant") return constant(element, each.value);
    if (each.kind === "variable") {
      const { key, display, unit } = find(each);
      return {
        expression: { kind: "variable", name: key },
        unit: units ? (unit ?? none) : "any",
        scaled: false,
        text: display,
      };
    }
    const parts = each.of.map(partOf);
    return each.kind === "function"
      ? functionOf(element, each.name ?? "", parts)
      : operation(element, each.kind, parts);
  }
}

function constant(element: OperatorElement, value: string): Part {
  const name = value.toLowerCase();
  const [text, scaled] = [value.slice(0, 40), true];
  if (name === "e" || name === "pi")
    return {
      expression: { kind: "constant", value: name === "e" ? Math.E : Math.PI, name },
      unit: "any",
      scaled,
      text,
    };
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value)))
    return { expression: { kind: "constant", value: Number(value) + 0 }, unit: "any", scaled, text };
  throw refuse(
    element,
    `constant '${text}' of its term is neither a number nor e nor pi`,
    "write a number, or the id of a fixed value",
  );
}

function operation(
  element: OperatorElement,
  kind: Exclude<Term["kind"], "constant" | "variable" | "function">,
  parts: readonly Part[],
): Part {
  const [first, second] = parts;
  if (first === undefined) throw refuse(element, `a ${kind} of its term has no operand`);
  if (kind === "negative") return { ...first, expression: { kind, of: first.expression } };
  if (kind === "product") return parts.reduce(product);
  if (kind === "sum") {
    const of = inOneUnit(element, parts);
    return { ...summary(parts), expression: of.length === 1 ? first.expression : { kind, of }, unit: unitAmong(parts) };
  }
  if (second === undefined || parts.length > 2)
    throw refuse(element, `a ${kind} of its term has ${parts.length} operands, not 2`);
  if (kind === "fraction") return fraction(first, second);
  if (kind === "power") return powered(first, second);
  const [left = first.expression, right = second.expression] = inOneUnit(element, parts);
  return { ...summary(parts), expression: { kind, left, right }, unit: unitAmong(parts) };
}

function summary(parts: readonly Part[]): Pick<Part, "scaled" | "text"> {
  return { scaled: parts.some((part) => part.scaled), text: parts[0]?.text ?? "" };
}

function product(a: Part, b: Part): Part {
  const expression: Expression = { kind: "product", of: [a.expression, b.expression] };
  const unit = a.unit === "any" ? b.unit : b.unit === "any" ? a.unit : multiply(a.unit, b.unit);
  return { ...summary([a, b]), expression, unit };
}

function fraction(a: Part, b: Part): Part {
  const expression: Expression = { kind: "fraction", left: a.expression, right: b.expression };
  const unit = b.unit === "any" ? a.unit : divide(a.unit === "any" ? none : a.unit, b.unit);
  return { ...summary([a, b]), expression, unit };
}

/** Supports integer powers of units only. */
function powered(a: Part, b: Part): Part {
  const expression: Expression = { kind: "power", left: a.expression, right: b.expression };
  const exponent = b.expression.kind === "constant" ? b.expression.value : Number.NaN;
  const unit = a.unit !== "any" && Number.isInteger(exponent) ? power(a.unit, exponent) : "any";
  return { ...summary([a, b]), expression, unit };
}

/** The unit of the first operand that has one. */
function unitAmong(parts: readonly Part[]): Unit | "any" {
  return parts.find(({ unit }) => unit !== "any")?.unit ?? "any";
}

/** Converts the operands of a sum to the unit of the first one with a unit. */
function inOneUnit(element: OperatorElement, parts: readonly Part[]): Expression[] {
  const first = parts.find(({ unit }) => unit !== "any");
  return parts.map((part) => {
    if (first === undefined || first.unit === "any" || part.unit === "any") return part.expression;
    if (!sameDimension(first.unit, part.unit)) throw unlike(first.text, first.unit, part.text, part.unit);
    const { times, over } = conversion(part.unit, first.unit);
    if (times === over) return part.expression;
    if (first.scaled || part.scaled)
      throw refuse(
        element,
        `'${first.text}' is in ${formatUnit(first.unit) || "no unit"} and ` +
          `'${part.text}' in ${formatUnit(part.unit) || "no unit"}, combined with constants`,
        "scale one of them by an operator first, so that both are in one unit",
      );
    return { kind: "product", of: [part.expression, { kind: "constant", value: times / over }] };
  });
}

function functionOf(element: OperatorElement, name: string, parts: readonly Part[]): Part {
  const known = functionNamed(name);
  const functions = Object.keys(expressionFunctions);
  if (known === undefined) {
    const near = nearest(name.slice(0, 40), functions).join(", ");
    throw refuse(
      element,
      `there is no function '${name.slice(0, 40)}'${near ? `, did you mean ${near}?` : ""}`,
      `functions are ${functions.join(", ")}`,
    );
  }
  const problem = argumentProblem(known, parts.length);
  if (problem !== undefined) throw refuse(element, problem);
  const [first, second] = parts;
  if (known === "pow" && first && second)
    return {
      ...powered(first, second),
      expression: { kind: "function", name: known, of: parts.map((part) => part.expression) },
    };
  const of = keepsUnit.has(known) ? inOneUnit(element, parts) : parts.map((part) => part.expression);
  return {
    ...summary(parts),
    expression: { kind: "function", name: known, of },
    unit: keepsUnit.has(known) ? unitAmong(parts) : "any",
  };
}
