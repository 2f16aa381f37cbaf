import { isFailure } from "../../../core/failures/index.ts";
import {
  baseUnits,
  prefixes,
  prefixNamed,
  divide,
  multiply,
  power,
  type Unit,
  type UnitFactor,
} from "../../../core/values/index.ts";
import {
  xmlPiece,
  checkShape,
  childOf,
  childrenOf,
  requiredChild,
  textOf,
  type XmlPiece,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";

/*
 * perfbase's unit tree: a base_unit with a scaling, a fraction of a dividend and a divisor, or a product of factors.
 * Dividend, divisor and factors are unit trees.
 */

const parts = ["base_unit", "scaling", "fraction", "product"];

/** Reads a `<unit>` (or `<factor>`, …); fails with `description-error`. */
export function readUnitXml(element: XmlElement): Unit {
  try {
    return readTree(element);
  } catch (error) {
    if (isFailure(error, "unknown-unit")) throw xmlError(element, error.message, { advice: error.remedy });
    throw error;
  }
}

function readTree(element: XmlElement): Unit {
  checkShape(element, { children: parts });
  const [base, scaling, fraction, product] = parts.map((name) => childOf(element, name));
  const [only, more] = [base, fraction, product].filter((each) => each !== undefined);
  if (!only || more)
    throw xmlError(more ?? element, `<${element.name}> needs one of <base_unit>, <fraction>, <product>`);
  if (scaling && !base)
    throw xmlError(scaling, "<scaling> belongs to a <base_unit>", { advice: "scale the base units inside" });
  if (base) return readBase(base, scaling);
  return fraction ? readFraction(fraction) : readProduct(only);
}

function readFraction(element: XmlElement): Unit {
  checkShape(element, { children: ["dividend", "divisor"] });
  return divide(readTree(requiredChild(element, "dividend")), readTree(requiredChild(element, "divisor")));
}

function readProduct(element: XmlElement): Unit {
  checkShape(element, { children: ["factor"] });
  const factors = childrenOf(element, "factor");
  if (factors.length === 0) throw xmlError(element, "<product> needs a <factor>");
  return factors.map(readTree).reduce(multiply);
}

function readBase(element: XmlElement, scaling: XmlElement | undefined): Unit {
  const text = textOf(element, "word");
  const base =
    baseUnits.find((unit) => unit.name === text) ??
    baseUnits.find((unit) => unit.spellings.includes(text.toLowerCase()));
  if (!base) throw unknownName(element, "base unit", text, baseUnits.map(printBase));
  const prefix = scaling ? readScaling(scaling) : "";
  if (prefix !== "" && ["none", "%", "ppm"].includes(base.name))
    throw xmlError(scaling ?? element, `'${text}' cannot be scaled`);
  return { factors: base.name === "none" ? [] : [{ base: base.name, prefix, exponent: 1 }] };
}

function readScaling(element: XmlElement): string {
  const text = textOf(element, "word");
  const found = prefixNamed(text);
  if (found) return found.name;
  throw unknownName(
    element,
    "scaling",
    text,
    prefixes.map(({ name, longName: word }) => word ?? name),
  );
}

function unknownName(element: XmlElement, what: string, text: string, candidates: readonly string[]): Error {
  return xmlError(element, `unknown ${what} '${text.slice(0, 40)}'`, {
    word: text,
    candidates,
    advice: `there are ${candidates.join(" ")}`,
  });
}

/** Prints a unit as perfbase does; `readUnitXml` reads it back. */
export function printUnitXml(unit: Unit): XmlPiece {
  return xmlPiece("unit", printTree(unit));
}

function printTree(unit: Unit): readonly (string | XmlPiece)[] {
  const above = unit.factors.filter((factor) => factor.exponent > 0);
  const below = unit.factors.filter((factor) => factor.exponent < 0);
  if (below.length > 0) {
    const divisor = power({ factors: below }, -1);
    return [
      xmlPiece("fraction", [
        xmlPiece("dividend", printTree({ factors: above })),
        xmlPiece("divisor", printTree(divisor)),
      ]),
    ];
  }
  const single = above.flatMap((factor) => Array<UnitFactor>(factor.exponent).fill(factor));
  const [only, more] = single;
  if (!only || !more) return only ? printFactor(only) : ["<base_unit>none</base_unit>"];
  return [
    xmlPiece(
      "product",
      single.map((factor) => xmlPiece("factor", printFactor(factor))),
    ),
  ];
}

function printFactor({ base, prefix }: UnitFactor): string[] {
  const scaling = prefix === "" ? [] : [`<scaling>${prefixNamed(prefix)?.longName ?? prefix}</scaling>`];
  return [`<base_unit>${printBase({ name: base })}</base_unit>`, ...scaling];
}

/** perfbase writes some names in lower case that the original design capitalizes. */
function printBase({ name }: { readonly name: string }): string {
  return ["Byte", "FlOP", "OP"].includes(name) ? name.toLowerCase() : name;
}
