import { isFailure } from "../../../core/failures/index.ts";
import {
  InvalidValue,
  parseUnit,
  type Unit,
  dataTypes,
  type DataType,
  type Value,
} from "../../../core/values/index.ts";
import { hasUnits, isName, mayHaveUnit, readVariableValue, type Variable } from "../../../core/variables/index.ts";
import { descriptionError, type DescriptionLine, type Word } from "../lexical-syntax.ts";

/*
 * *parameter NAME TYPE [UNIT [DEFAULT]] [once|multiple] [unit=] [default=] [occurrence=] [size=] [valid={…}] [longest=]
 *   [numeric] [better=]
 *
 * UNIT and DEFAULT are `-` for none; DEFAULT is NULL if values may be missing. A quoted word is always literal: "once"
 * is a default, once is an occurrence, and "numeric" is not a flag.
 */

const shortTypes: Readonly<Record<string, DataType>> = { int: "integer", bool: "boolean" };
const options = ["unit", "default", "occurrence", "size", "valid", "longest", "better"];
const positions = ["name", "type", "unit", "default"] as const;
const occurrences = ["once", "multiple"] as const;

interface Context {
  readonly line: DescriptionLine;
  readonly column: number;
  readonly words: ReadonlyMap<string, Word>;
}

/** Reads the words after `*parameter` or `*result`. */
export function readVariable(
  role: Variable["role"],
  line: DescriptionLine,
  column: number,
  words: readonly Word[],
): Variable {
  const context = { line, column, words: wordsByKey(line, words) };
  const name = readName(context, role);
  const type = readType(context, role);
  const size = readSize(context, type);
  const longest = readLongest(context, type);
  const valueType = { type, ...(size === undefined ? {} : { size }), ...(longest === undefined ? {} : { longest }) };
  const unit = readUnit(context, type);
  const valid = readValid(context, valueType);
  const fallback = readDefault(context, valueType, valid);
  const better = readChoice(context, "better", ["lower", "higher"]);
  return {
    name,
    role,
    occurrence: readChoice(context, "occurrence", occurrences) ?? "multiple",
    ...valueType,
    ...(unit === undefined ? {} : { unit }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(valid === undefined ? {} : { valid }),
    ...(isNumeric(context, type) ? { numeric: true } : {}),
    ...(better === undefined ? {} : { better }),
  };
}

/** Words by key; bare words get the key of their position. */
function wordsByKey(line: DescriptionLine, words: readonly Word[]): ReadonlyMap<string, Word> {
  const found = new Map<string, Word>();
  let position = 0;
  for (const word of words) {
    const key = word.key ?? (position > 1 ? flagOf(word) : undefined) ?? positions[position++];
    if (key === undefined)
      throw descriptionError(line, word.column, `'${word.text}' is one word too many`, {
        advice: `further words are ${options.map((each) => `${each}=`).join(" ")}`,
      });
    if (word.key !== undefined && !options.includes(word.key)) {
      throw descriptionError(line, word.column, `unknown word '${word.key}='`, {
        word: word.key,
        candidates: options,
        advice: `there are ${options.map((each) => `${each}=`).join(" ")}`,
      });
    }
    if (found.has(key)) throw descriptionError(line, word.column, `the ${key} is given twice`);
    found.set(key, word);
  }
  return found;
}

/** The key of a bare word that may be at any position. */
function flagOf(word: Word): string | undefined {
  if (word.quoted) return undefined;
  if (word.text === "numeric") return "numeric";
  return occurrences.some((each) => each === word.text) ? "occurrence" : undefined;
}

function readName({ line, column, words }: Context, role: string): string {
  const word = words.get("name");
  if (!word) throw descriptionError(line, column, `*${role} needs a name and a type`);
  if (isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text}' is not a valid name`, {
    advice: "names have letters, digits, _ . and -, and do not begin with a digit",
  });
}

function readType({ line, column, words }: Context, role: string): DataType {
  const word = words.get("type");
  if (!word)
    throw descriptionError(line, column, `*${role} ${words.get("name")?.text} needs a type`, {
      advice: `types are ${typeNames.join(", ")}`,
    });
  const name = word.text.toLowerCase();
  const type = Object.hasOwn(shortTypes, name) ? shortTypes[name] : dataTypes.find((each) => each === name);
  if (type) return type;
  throw descriptionError(line, word.column, `unknown type '${word.text}'`, {
    word: word.text,
    candidates: typeNames,
    advice: `types are ${typeNames.join(", ")}`,
  });
}

const typeNames = [...Object.keys(shortTypes), ...dataTypes];

function readSize({ line, words }: Context, type: DataType): 2 | 4 | 8 | undefined {
  const word = words.get("size");
  if (!word) return undefined;
  const size = ([2, 4, 8] as const).find((each) => String(each) === word.text);
  if (size && type === "integer") return size;
  throw descriptionError(
    line,
    word.column,
    size ? "only integers have a size" : `size '${word.text}' is none of 2, 4, 8 (bytes)`,
  );
}

function readLongest({ line, words }: Context, type: DataType): number | undefined {
  const word = words.get("longest");
  if (!word) return undefined;
  const problem = longestProblem(word.text, type);
  if (problem === undefined) return Number(word.text);
  throw descriptionError(line, word.column, problem);
}

/** Why `longest` is invalid for a type; undefined if it is valid. */
export function longestProblem(text: string, type: DataType | undefined): string | undefined {
  if (type !== undefined && type !== "string" && type !== "text")
    return `values of type ${type} have no length, only string and text do`;
  return /^[1-9]\d{0,8}$/.test(text) ? undefined : `longest '${text.slice(0, 40)}' is not a number of characters`;
}

function isNumeric({ line, words }: Context, type: DataType): boolean {
  const word = words.get("numeric");
  if (word && hasUnits(type))
    throw descriptionError(line, word.column, `every ${type} is numeric`, { advice: "omit 'numeric'" });
  return word !== undefined;
}

function readUnit({ line, words }: Context, type: DataType): Unit | undefined {
  const word = words.get("unit");
  if (!word || (word.text === "-" && !word.quoted)) return undefined;
  const unit = unitAt(line, word);
  if (unit.factors.length === 0) return undefined;
  if (mayHaveUnit(type)) return unit;
  throw descriptionError(line, word.column, `a ${type} has no unit, only integers, floats and durations do`, {
    advice: "write - instead of the unit",
  });
}

/** Parses a unit; reports `unknown-unit` at its position in the description. */
export function unitAt(line: DescriptionLine, word: Word): Unit {
  try {
    return parseUnit(word.text);
  } catch (error) {
    if (isFailure(error, "unknown-unit"))
      throw descriptionError(line, word.column, error.message, { advice: error.remedy });
    throw error;
  }
}

type ValueType = Pick<Variable, "type" | "size" | "longest">;

function readValid({ line, words }: Context, valueType: ValueType): readonly Value[] | undefined {
  const word = words.get("valid");
  if (!word) return undefined;
  if (!word.list || word.list.length === 0)
    throw descriptionError(line, word.column, "valid needs a list, as in valid={read,write}");
  return word.list.map((text) => valueAt(line, word, text, valueType));
}

function valueAt(line: DescriptionLine, word: Word, text: string, valueType: ValueType): Exclude<Value, null> {
  const value = readVariableValue(text, valueType);
  if (!(value instanceof InvalidValue)) return value;
  throw descriptionError(
    line,
    word.column,
    `'${text.slice(0, 80)}' is not a valid ${valueType.type}: ${value.problem}`,
  );
}

function readDefault(
  { line, words }: Context,
  valueType: ValueType,
  valid: readonly Value[] | undefined,
): Value | undefined {
  const word = words.get("default");
  if (!word || (word.text === "-" && !word.quoted)) return undefined;
  if (word.text === "NULL" && !word.quoted) return null;
  const value = valueAt(line, word, word.text, valueType);
  if (valid && !valid.includes(value))
    throw descriptionError(line, word.column, `the default '${word.text}' is not among the valid values`);
  return value;
}

function readChoice<T extends string>({ line, words }: Context, key: string, choices: readonly T[]): T | undefined {
  const word = words.get(key);
  if (!word) return undefined;
  const choice = choices.find((each) => each === word.text.toLowerCase());
  if (choice) return choice;
  throw descriptionError(line, word.column, `${key} '${word.text}' is neither ${choices.join(" nor ")}`, {
    word: word.text,
    candidates: choices,
  });
}
