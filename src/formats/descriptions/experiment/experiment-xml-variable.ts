import { InvalidValue, dataTypes, type DataType, type Value, type Unit } from "../../../core/values/index.ts";
import { hasUnits, isName, mayHaveUnit, readVariableValue, type Variable } from "../../../core/variables/index.ts";
import { longestProblem } from "./experiment-variable.ts";
import { readUnitXml } from "./unit-xml.ts";
import {
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  isEmpty,
  requiredChild,
  textOf,
  type XmlTextKind,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";

export const variableChildren = ["name", "synopsis", "description", "datatype", "unit", "valid", "default"];
export const variableAttributes = ["occurrence", "occurence", "is_numeric", "better"];

/** Maximum number of characters in perfbase's strings. */
export const perfbaseLongest = 256;

/** The entry of a list of valid values that allows missing values. */
export const missingValue = "None";

/** Reads a `<parameter>` or `<result>`; fails with `description-error`. */
export function readVariableXml(element: XmlElement, moreAttributes: readonly string[] = []): Variable {
  checkShape(element, { attributes: [...variableAttributes, ...moreAttributes], children: variableChildren });
  const name = variableNameOf(requiredChild(element, "name"));
  const { type, size, longest } = readDatatype(requiredChild(element, "datatype"));
  if (type === undefined)
    throw xmlError(requiredChild(element, "datatype"), "<datatype> is empty", { advice: typeAdvice });
  const valueType = { type, ...(size === undefined ? {} : { size }), ...(longest ? { longest } : {}) };
  const unit = readUnit(element, type);
  const better = choiceOf(element, "better", ["lower", "higher"]);
  return {
    name,
    role: element.name === "result" ? "result" : "parameter",
    occurrence: occurrenceOf(element) ?? "multiple",
    ...valueType,
    ...(unit === undefined ? {} : { unit }),
    ...readValues(element, valueType),
    ...optionalTexts(element),
    ...(isNumeric(element) && !hasUnits(type) ? { numeric: true } : {}),
    ...(better === undefined ? {} : { better }),
  };
}

export function variableNameOf(element: XmlElement): string {
  const text = textOf(element, "word");
  if (isName(text)) return text;
  throw xmlError(element, `'${text.slice(0, 80)}' is not a valid name`, {
    advice: "names have letters, digits, _ . and -, and do not begin with a digit",
  });
}

/** perfbase also reads the misspelled attribute. */
export function occurrenceOf(element: XmlElement): Variable["occurrence"] | undefined {
  const [right, old] = ["occurrence", "occurence"].map((name) => choiceOf(element, name, ["once", "multiple"]));
  if (right !== undefined && old !== undefined) throw xmlError(element, "the occurrence is given twice");
  return right ?? old;
}

export function isNumeric(element: XmlElement): boolean | undefined {
  const choice = choiceOf(element, "is_numeric", ["yes", "no"]);
  return choice === undefined ? undefined : choice === "yes";
}

const typeAdvice = `types are ${dataTypes.join(", ")}`;

interface Datatype {
  readonly type?: DataType;
  readonly size?: 2 | 4 | 8;
  /** null: any number of characters. */
  readonly longest?: number | null;
}

/**
 * A type may include its size, as in perfbase's listings: `integer(4)`. Sizes of other types are accepted and ignored,
 * as in perfbase: its floats have 8 bytes, its strings 256 characters. The type of an empty element is absent.
 */
export function readDatatype(element: XmlElement): Datatype {
  const text = textOf(element, "word", ["size", "longest"]).toLowerCase();
  const [, word = text, label] = /^([a-z]+)\((\d)\)$/.exec(text) ?? [];
  const type = dataTypes.find((each) => each === word);
  if (type === undefined && text !== "")
    throw xmlError(element, `unknown type '${text.slice(0, 40)}'`, {
      word: text,
      candidates: dataTypes,
      advice: typeAdvice,
    });
  const size = readSize(element, element.attributes.get("size")?.trim() ?? label);
  const longest = readLongest(element, type);
  return {
    ...(type === undefined ? {} : { type }),
    ...(size === undefined || (type !== undefined && type !== "integer") ? {} : { size }),
    ...(longest === undefined ? {} : { longest }),
  };
}

function readSize(element: XmlElement, text: string | undefined): 2 | 4 | 8 | undefined {
  if (text === undefined) return undefined;
  const size = ([2, 4, 8] as const).find((each) => String(each) === text);
  if (size) return size;
  throw xmlError(element, `size '${text.slice(0, 40)}' is none of 2, 4, 8 (bytes)`);
}

/** `keep` in an update leaves the length unchanged. */
function readLongest(element: XmlElement, type: DataType | undefined): number | null | undefined {
  const text = element.attributes.get("longest")?.trim();
  if (text === undefined) return type === "string" ? perfbaseLongest : undefined;
  if (text === "keep") return undefined;
  const problem = text === "none" ? longestProblem("1", type) : longestProblem(text, type);
  if (problem !== undefined) throw xmlError(element, problem);
  return text === "none" ? null : Number(text);
}

function readUnit(element: XmlElement, type: DataType): Unit | undefined {
  const child = childOf(element, "unit");
  const unit = child && readUnitXml(child);
  if (!child || !unit || unit.factors.length === 0) return undefined;
  if (mayHaveUnit(type)) return unit;
  throw xmlError(child, `a ${type} has no unit, only integers, floats and durations do`, {
    advice: "omit the unit",
  });
}

type ValueType = Pick<Variable, "type" | "size" | "longest">;

function readValues(element: XmlElement, valueType: ValueType): Pick<Variable, "default" | "valid"> {
  const fallback = childOf(element, "default");
  if (fallback) textOf(fallback, "word");
  const missing = fallback !== undefined && isEmpty(fallback);
  const valid = validTexts(element, missing).map((child) => elementValue(child, valueType));
  const value = fallback && (missing ? null : elementValue(fallback, valueType));
  if (fallback && value !== null && value !== undefined && valid.length > 0 && !valid.includes(value))
    throw xmlError(fallback, `the default '${fallback.text.trim().slice(0, 80)}' is not among the valid values`);
  return { ...(value === undefined ? {} : { default: value }), ...(valid.length === 0 ? {} : { valid }) };
}

/**
 * The elements with valid values. With `missing`, the last `None` stands for a missing value and is excluded; perfbase
 * requires it there but also accepts descriptions without it.
 */
export function validTexts(element: XmlElement, missing: boolean): XmlElement[] {
  const texts = childrenOf(element, "valid");
  const at = missing ? texts.findLastIndex((child) => textOf(child, "word") === missingValue) : -1;
  return texts.filter((_, index) => index !== at);
}

export function elementValue(element: XmlElement, valueType: ValueType): Exclude<Value, null> {
  const text = textOf(element, "word");
  const value = readVariableValue(text, valueType);
  if (!(value instanceof InvalidValue)) return value;
  throw xmlError(element, `'${text.slice(0, 80)}' is not a valid ${valueType.type}: ${value.problem}`);
}

/** Synopsis and description unless they are empty. */
export function optionalTexts(element: XmlElement): Pick<Variable, "synopsis" | "description"> {
  const synopsis = optionalText(element, "synopsis", "line")?.replaceAll("\n", " ").trimEnd();
  const description = optionalText(element, "description", "block");
  const lines = description?.split("\n").map((line) => line.trimEnd());
  return { ...(synopsis ? { synopsis } : {}), ...(lines === undefined ? {} : { description: lines.join("\n") }) };
}

/** The text of a child; undefined if the child is absent or empty. */
export function optionalText(element: XmlElement, name: string, kind: XmlTextKind): string | undefined {
  const child = childOf(element, name);
  const text = child && textOf(child, kind);
  return child && isEmpty(child) ? undefined : text;
}
