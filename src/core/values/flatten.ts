import { JsonNumber, isList, isObject, type Json, type JsonObject } from "./json.ts";

/** A leaf, or the joined text of a nested value. */
export type Flat = null | boolean | string | JsonNumber;

/** Order of the parts of a nested value, coarse to fine; unknown parts follow (see `rank`). */
const ranks: ReadonlyMap<string, number> = new Map([
  ["bin", 0],
  ["file", 1],
  ["source", 1],
  ["package", 1],
  ["module", 2],
  ["class", 3],
  ["struct", 3],
  ["structure", 3],
  ["function", 4],
  ["func", 4],
  ["method", 4],
  ["procedure", 4],
  ["line", 5],
  ["instruction", 6],
]);

/**
 * Deepest level with separate parts. The text of a nested object doubles with each level, so unlimited nesting could
 * exhaust the memory. Real profiles have two levels.
 */
const deepest = 8;

/**
 * A nested value as one leaf: the values of an object by rank, joined by `:`; the elements of a list joined by `,`.
 * Leaves are unchanged. The result equals Perun's names of resource types, locations of changes and rows of tables.
 */
export function flatten(value: Json): Flat {
  if (isObject(value)) return joined(flattenMembers(value));
  if (isList(value)) return joinedList(value, 1);
  return value;
}

/** `flatten` as text, formatted like Python's str(). */
export function flatText(value: Json): string {
  return pythonText(flatten(value));
}

/** The members of an object on one level: `uid` and its parts `uid:function`, `uid:line`. */
export function flattenMembers(object: JsonObject): readonly Member[] {
  return membersOf(object, 1);
}

type Member = readonly [key: string, value: Flat];

function membersOf(object: JsonObject, depth: number): Member[] {
  return [...object].flatMap(([key, value]) => flattenMember(key, value, depth));
}

function flattenMember(key: string, value: Json, depth: number): Member[] {
  if (isList(value)) {
    const named = nameValuePairs(value);
    return named ? flattenMember(key, named, depth) : [[key, joinedList(value, depth)]];
  }
  if (!isObject(value)) return [[key, value]];
  const inner = membersOf(value, depth + 1);
  const whole: Member = [key, joined(inner)];
  return depth >= deepest ? [whole] : [...inner.map(([name, part]): Member => [`${key}:${name}`, part]), whole];
}

/** The parts of list elements keep the order of the document: they have no names to sort by. */
function joinedList(list: readonly Json[], depth: number): string {
  return list.map((element) => elementText(element, depth)).join(",");
}

function elementText(element: Json, depth: number): string {
  const object = isList(element) ? nameValuePairs(element) : element;
  if (isObject(object)) return joinedInOrder(membersOf(object, depth + 1));
  return isList(element) ? joinedList(element, depth) : pythonText(element as Flat);
}

function joinedInOrder(members: readonly Member[]): string {
  return members.map(([, part]) => pythonText(part)).join(":");
}

/** `[{name, value}, …]` as an object: the encoding of model coefficients. */
function nameValuePairs(list: readonly Json[]): JsonObject | null {
  const members = new Map<string, Json>();
  for (const element of list) {
    if (!isObject(element) || element.size !== 2) return null;
    const [name, value] = [element.get("name"), element.get("value")];
    if (typeof name !== "string" || value === undefined) return null;
    members.set(name, value);
  }
  return list.length === 0 ? null : members;
}

function joined(parts: readonly Member[]): string {
  const ranked = parts.map(([key, value]) => ({ rank: rank(key), value }));
  ranked.sort((a, b) => a.rank.length - b.rank.length || (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  return ranked.map(({ value }) => pythonText(value)).join(":");
}

/** A number in decimal. For an unknown key: its character codes plus 6, concatenated. */
function rank(key: string): string {
  const known = ranks.get(key);
  if (known !== undefined) return String(known);
  return Array.from(key, (character) => String(character.codePointAt(0)! + 6)).join("");
}

function pythonText(value: Flat): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return value;
  if (value.text === "NaN") return "nan";
  return value.text.replace("Infinity", "inf");
}
