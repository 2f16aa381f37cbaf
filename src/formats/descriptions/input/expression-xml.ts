import {
  argumentProblem,
  deepestNode,
  depthOf,
  expressionFunctions,
  functionNamed,
  mostNodes,
  type Expression,
  isName,
} from "../../../core/variables/index.ts";
import {
  checkShape,
  childrenOf,
  textPosition,
  requiredChild,
  quoteForMessage,
  escapeXml,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";

/** The operand elements of binary terms. */
const pairs = {
  fraction: ["dividend", "divisor"],
  difference: ["minuend", "subtrahend"],
  modulo: ["dividend", "divisor"],
  power: ["base", "exponent"],
} as const;
const operands = [
  "fraction",
  "product",
  "sum",
  "difference",
  "function",
  "parameter",
  "constant",
  "modulo",
  "power",
  "negative",
];
const named = { e: Math.E, pi: Math.PI } as const;
const functionNames = Object.keys(expressionFunctions);

/** Reads the term inside an element such as `<term>`. Fails with `description-error` at file:line:column. */
export function readTermXml(element: XmlElement): Expression {
  const term = operandOf(element, { nodes: 0 });
  if (depthOf(term) > deepestNode) throw xmlError(element, `the term is nested deeper than ${deepestNode} operations`);
  return term;
}

interface Count {
  nodes: number;
}

function operandOf(element: XmlElement, count: Count): Expression {
  checkShape(element, { attributes: element.name === "term" ? ["id"] : [], children: operands });
  const [operand, second] = element.children;
  if (!operand || second)
    throw xmlError(second ?? element, `<${element.name}> needs one operand`, {
      advice: `operands are ${operands.join(", ")}`,
    });
  count.nodes += 1;
  if (count.nodes > mostNodes) throw xmlError(operand, `the term has more than ${mostNodes} operands`);
  return readOperand(operand, count);
}

function readOperand(element: XmlElement, count: Count): Expression {
  switch (element.name) {
    case "parameter":
      return readVariable(element);
    case "constant":
      return readConstant(element);
    case "function":
      return readFunction(element, count);
    case "sum":
      return several(element, "summand", count);
    case "product":
      return several(element, "factor", count);
    case "negative":
      return { kind: "negative", of: operandOf(element, count) };
    default:
      return readPair(element, element.name as keyof typeof pairs, count);
  }
}

function readVariable(element: XmlElement): Expression {
  checkShape(element, {});
  const name = element.text.trim();
  if (isName(name)) return { kind: "variable", name };
  throw xmlError(textPosition(element), `'${quoteForMessage(name)}' is not a valid name of a parameter`);
}

function readConstant(element: XmlElement): Expression {
  checkShape(element, {});
  const text = element.text.trim();
  const name = text.toLowerCase();
  if (name === "e" || name === "pi") return { kind: "constant", value: named[name], name };
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)))
    return { kind: "constant", value: Number(text) + 0 };
  throw xmlError(textPosition(element), `constant '${quoteForMessage(text)}' is neither a number nor e nor pi`);
}

function readFunction(element: XmlElement, count: Count): Expression {
  checkShape(element, { attributes: ["type"], children: ["argument"] });
  const type = element.attributes.get("type")?.trim() ?? "";
  const name = functionNamed(type);
  const advice = `functions are ${functionNames.join(", ")}`;
  if (name === undefined)
    throw xmlError(element, `unknown function '${quoteForMessage(type)}'`, {
      word: type,
      candidates: functionNames,
      advice,
    });
  const of = childrenOf(element, "argument").map((argument) => operandOf(argument, count));
  const problem = argumentProblem(name, of.length);
  if (problem !== undefined) throw xmlError(element, problem);
  return { kind: "function", name, of };
}

/** A sum or product of one operand is that operand. */
function several(element: XmlElement, part: "summand" | "factor", count: Count): Expression {
  checkShape(element, { children: [part] });
  const of = element.children.map((child) => operandOf(child, count));
  const [first] = of;
  if (!first) throw xmlError(element, `<${element.name}> needs <${part}>`);
  return of.length === 1 ? first : { kind: part === "summand" ? "sum" : "product", of };
}

function readPair(element: XmlElement, kind: keyof typeof pairs, count: Count): Expression {
  const [first, second] = pairs[kind];
  checkShape(element, { children: [first, second] });
  const [left, right] = [requiredChild(element, first), requiredChild(element, second)].map((child) =>
    operandOf(child, count),
  );
  if (!left || !right) throw xmlError(element, `<${kind}> needs <${first}> and <${second}>`);
  return { kind, left, right };
}

/** The expression as one XML element, without line ends; `readTerm` of its parent reads the same one back. */
export function printTermXml(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return `<constant>${expression.name ?? expression.value}</constant>`;
    case "variable":
      return `<parameter>${escapeXml(expression.name)}</parameter>`;
    case "negative":
      return `<negative>${printTermXml(expression.of)}</negative>`;
    case "sum":
    case "product":
      return printSeveral(expression.kind, expression.kind === "sum" ? "summand" : "factor", expression.of);
    case "function":
      return printSeveral("function", "argument", expression.of, ` type="${expression.name}"`);
    default: {
      const [left, right] = pairs[expression.kind];
      const inner = [
        `<${left}>${printTermXml(expression.left)}</${left}>`,
        `<${right}>${printTermXml(expression.right)}</${right}>`,
      ].join("");
      return `<${expression.kind}>${inner}</${expression.kind}>`;
    }
  }
}

function printSeveral(kind: string, part: string, of: readonly Expression[], attributes = ""): string {
  return `<${kind}${attributes}>${of.map((each) => `<${part}>${printTermXml(each)}</${part}>`).join("")}</${kind}>`;
}
