import { termOperators, type Term, type TermElement } from "../../../core/experiments/index.ts";
import { mostNodes } from "../../../core/variables/index.ts";
import { trimmedText } from "../input/input-xml-element.ts";
import { checkShape, escapeXml, xmlError, type XmlElement } from "../../text/index.ts";
import { attributeText } from "./query-xml-filter.ts";

/** The elements around the operands of an operator. One name: any number of them; none: the operand itself. */
const operands: Readonly<Record<(typeof termOperators)[number], readonly string[]>> = {
  sum: ["summand"],
  product: ["factor"],
  difference: ["minuend", "subtrahend"],
  fraction: ["dividend", "divisor"],
  modulo: ["dividend", "divisor"],
  power: ["base", "exponent"],
  negative: ["operand"],
  function: ["argument"],
};
const kinds = ["constant", "variable", ...termOperators];

/** Reads perfbase's `<term>` of an eval operator. Fails with `description-error` at file:line:column. */
export function readQueryTerm(element: XmlElement): TermElement {
  checkShape(element, { attributes: ["id", "unit"], children: kinds });
  const [id, unit] = [element.attributes.get("id"), element.attributes.get("unit")];
  return {
    ...(id === undefined ? {} : { id }),
    ...(unit === undefined ? {} : { unit }),
    term: onlyOperand(element, { left: mostNodes }),
  };
}

function onlyOperand(element: XmlElement, count: { left: number }): Term {
  const [operand, second] = element.children;
  if (!operand || second)
    throw xmlError(second ?? element, `<${element.name}> needs one operand`, {
      advice: `operands are ${kinds.join(", ")}`,
    });
  count.left -= 1;
  if (count.left < 0) throw xmlError(operand, `the term has more than ${mostNodes} operands`);
  return readTerm(operand, count);
}

function readTerm(element: XmlElement, count: { left: number }): Term {
  if (element.name === "constant") {
    checkShape(element, {});
    return { kind: "constant", value: trimmedText(element) };
  }
  if (element.name === "variable") return readVariable(element);
  const kind = termOperators.find((each) => each === element.name);
  if (kind === undefined)
    throw xmlError(element, `unknown operand <${element.name}>`, { word: element.name, candidates: kinds });
  const parts = operands[kind];
  checkShape(element, { attributes: kind === "function" ? ["type"] : [], children: parts });
  const name = element.attributes.get("type");
  if (kind === "function" && name === undefined) throw xmlError(element, "<function> needs a type");
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    of: orderedParts(element, parts).map((part) => checkedOperand(part, count)),
  };
}

function readVariable(element: XmlElement): Term {
  checkShape(element, { attributes: ["name", "type"] });
  const [name, type] = [element.attributes.get("name"), element.attributes.get("type")];
  if (name === undefined) throw xmlError(element, "<variable> needs a name");
  return { kind: "variable", name, input: trimmedText(element), ...(type === undefined ? {} : { type }) };
}

/** Two different parts are the left and right operand, in any order. */
function orderedParts(element: XmlElement, parts: readonly string[]): XmlElement[] {
  if (parts.length === 1 && element.name !== "negative") {
    if (element.children.length === 0) throw xmlError(element, `<${element.name}> needs <${parts[0]}>`);
    return [...element.children];
  }
  return parts.map((part) => {
    const [found, second] = element.children.filter((child) => child.name === part);
    if (!found || second) throw xmlError(second ?? element, `<${element.name}> needs one <${part}>`);
    return found;
  });
}

function checkedOperand(part: XmlElement, count: { left: number }): Term {
  checkShape(part, { children: kinds });
  return onlyOperand(part, count);
}

/** Prints one XML element without line breaks. */
export function printQueryTerm(term: Term): string {
  if (term.kind === "constant") return `<constant>${escapeXml(term.value)}</constant>`;
  if (term.kind === "variable") {
    const type = term.type === undefined ? "" : ` type="${attributeText(term.type)}"`;
    return `<variable name="${attributeText(term.name)}"${type}>${escapeXml(term.input)}</variable>`;
  }
  const parts = operands[term.kind];
  const inner = term.of.map((each, at) => {
    const part = parts[Math.min(at, parts.length - 1)];
    return `<${part}>${printQueryTerm(each)}</${part}>`;
  });
  const name = term.name === undefined ? "" : ` type="${attributeText(term.name)}"`;
  return `<${term.kind}${name}>${inner.join("")}</${term.kind}>`;
}
