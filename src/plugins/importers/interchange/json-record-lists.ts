/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Deeper lists and members are not searched for. */
const deepest = 8;

/** Elements of a list or object that decide whether it is one of records. */
const mostInspected = 100;

/** Names of lists that are likely the results, rather than a list of machines or options. */
const likelyNames =
  /^(?:results?|benchmarks?|benches|tests?|cases|measurements?|metrics|runs?|records|rows|entries|data)$/i;

/** Names of members and, for the elements of lists, null. */
type Path = readonly (string | null)[];

type Scalar = string | number | boolean;

/** A record and its surroundings. */
export interface JsonRecord {
  readonly object: JsonObject;
  /**
   * Texts and booleans of the list elements around it, and their number if they have only one and it is an integer; its
   * name if it is the member of an object.
   */
  readonly around: readonly (readonly [name: string, value: Scalar])[];
}

/** Objects with numbers that are the elements of one list, or the members of one object. */
export interface RecordList {
  /** The path as text: `results`, `suites[].results`; `[]` or empty: the document itself. */
  readonly name: string;
  readonly path: Path;
  readonly records: Iterable<JsonRecord>;
}

/**
 * The lists of objects with numbers in a document, the most likely results first. Without a list: an object of objects
 * that share numbers, `{"sort": {"mean": 1}, "copy": {"mean": 2}}`, else the document as one record.
 */
export function recordLists(document: unknown): RecordList[] {
  const paths = new Map<string, FoundList>();
  findLists(document, [], paths);
  if (paths.size > 0)
    return [...paths]
      .toSorted(([, a], [, b]) => compareLists(a, b))
      .map(([name, { path }]) => ({ name, path, records: recordsAt(document, path, []) }));
  if (!isObject(document) || !hasNumber(document, 0)) return [];
  const keyed = keyedPath(document, []);
  if (!keyed) return [{ name: "", path: [], records: [{ object: document, around: [] }] }];
  return [{ name: textOf(keyed), path: keyed, records: keyedRecords(objectAt(document, keyed)) }];
}

interface FoundList {
  readonly path: Path;
  readonly length: number;
  /** Its elements rather describe the lists that they have: they have at most one number, an integer. */
  readonly isFrame: boolean;
}

function compareLists(a: FoundList, b: FoundList): number {
  return (
    Number(a.isFrame) - Number(b.isFrame) ||
    depthOf(a.path) - depthOf(b.path) ||
    likely(b.path) - likely(a.path) ||
    b.length - a.length
  );
}

/** The members of a document outside of the list at `path`, by their paths as text; nulls are omitted. */
export function membersOutside(document: unknown, path: Path): Map<string, unknown> {
  const found = new Map<string, unknown>();
  collectOutside(document, path, [], found);
  return found;
}

function textOf(path: Path): string {
  return path.map((part, at) => (part === null ? "[]" : at === 0 ? part : `.${part}`)).join("");
}

/** The number of lists on the way. */
function depthOf(path: Path): number {
  return path.filter((part) => part === null).length;
}

function likely(path: Path): number {
  return likelyNames.test(path.findLast((part) => part !== null) ?? "") ? 1 : 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of a list are records unless it ends with one list less. */
function findLists(value: unknown, path: Path, found: Map<string, FoundList>): void {
  if (path.length > deepest) return;
  if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) findLists(member, [...path, name], found);
    return;
  }
  if (!Array.isArray(value) || value.length === 0) return;
  const elements = value as readonly unknown[];
  const inspected = elements.slice(0, mostInspected);
  if (!inspected.every((each) => isObject(each) || each === null)) return;
  const own = [...path, null];
  const name = textOf(own);
  const before = found.size;
  for (const each of inspected) findLists(each, own, found);
  const objects = inspected.filter(isObject);
  if (!objects.some((each) => hasNumber(each, 0))) return;
  const isFrame = found.size > before && objects.every(isFrameObject);
  found.set(name, { path: own, length: (found.get(name)?.length ?? 0) + elements.length, isFrame });
}

/** Whether an object has at most one number, an integer of its own. */
function isFrameObject(object: JsonObject): boolean {
  const [number, ...others] = numbersIn(object, "", 0);
  return number === undefined || (others.length === 0 && Number.isInteger(object[number]));
}

/** Whether an object has a number, or a list of numbers. */
function hasNumber(object: JsonObject, depth: number): boolean {
  return Object.values(object).some((value) => {
    return isNumeric(value) || (isObject(value) && depth < deepest && hasNumber(value, depth + 1));
  });
}

function* recordsAt(value: unknown, path: Path, around: JsonRecord["around"]): Generator<JsonRecord> {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (isObject(value)) yield { object: value, around };
  } else if (name !== null) {
    if (isObject(value) && Object.hasOwn(value, name)) yield* recordsAt(value[name], rest, around);
  } else if (Array.isArray(value))
    for (const element of value as unknown[]) {
      const frames = rest.length === 0 || !isObject(element) ? [] : framesIn(element);
      yield* recordsAt(element, rest, frames.length === 0 ? around : [...around, ...frames]);
    }
}

/** The members of a list element that describe the records in it. */
function framesIn(object: JsonObject): [string, Scalar][] {
  const isFrame = isFrameObject(object);
  return Object.entries(object).filter((entry): entry is [string, Scalar] => {
    const type = typeof entry[1];
    return type === "string" || type === "boolean" || (isFrame && type === "number");
  });
}

/** The path of the nearest object whose members are objects that share a number. */
function keyedPath(object: JsonObject, path: Path): Path | undefined {
  const members = Object.entries(object);
  const inspected = members.slice(0, mostInspected).map(([, member]) => member);
  if (inspected.length > 0 && inspected.every(isObject) && sharedNumbers(inspected) > 0) return path;
  if (path.length >= deepest) return undefined;
  for (const [name, member] of members) {
    const inner = isObject(member) ? keyedPath(member, [...path, name]) : undefined;
    if (inner && Object.keys(objectAt(object, inner.slice(path.length))).length > 1) return inner;
  }
  return undefined;
}

function sharedNumbers(objects: readonly JsonObject[]): number {
  const [first, ...others] = objects.map((object) => new Set(numbersIn(object, "", 0)));
  return [...first!].filter((name) => others.every((names) => names.has(name))).length;
}

/** The paths of numbers, and of lists of them. */
function* numbersIn(object: JsonObject, prefix: string, depth: number): Generator<string> {
  for (const [name, value] of Object.entries(object))
    if (isNumeric(value)) yield `${prefix}${name}`;
    else if (isObject(value) && depth < deepest) yield* numbersIn(value, `${prefix}${name}.`, depth + 1);
}

function isNumeric(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === "number";
  return value.length > 0 && value.every((each) => typeof each === "number");
}

function objectAt(object: JsonObject, path: Path): JsonObject {
  return path.reduce((at, name) => at[name ?? ""] as JsonObject, object);
}

/** The name is `name`, or `key` if records have a name of their own. */
function* keyedRecords(object: JsonObject): Generator<JsonRecord> {
  const members = Object.entries(object).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  const heading = members.some(([, member]) => Object.hasOwn(member, "name")) ? "key" : "name";
  for (const [name, member] of members) yield { object: member, around: [[heading, name]] };
}

function collectOutside(value: unknown, path: Path, at: Path, found: Map<string, unknown>): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (name === null) {
    if (!Array.isArray(value)) return;
    // What describes a record is in its row.
    for (const element of value as unknown[])
      if (rest.length > 0 && isObject(element)) collectElement(element, rest, [...at, null], found);
  } else if (isObject(value))
    for (const [key, member] of Object.entries(value))
      if (key === name) collectOutside(member, rest, [...at, key], found);
      else collectLeaves(member, [...at, key], found);
}

function collectElement(element: JsonObject, path: Path, at: Path, found: Map<string, unknown>): void {
  const frames = new Set(framesIn(element).map(([name]) => name));
  for (const [key, member] of Object.entries(element))
    if (key === path[0]) collectOutside(member, path.slice(1), [...at, key], found);
    else if (!frames.has(key)) collectLeaves(member, [...at, key], found);
}

function collectLeaves(value: unknown, path: Path, found: Map<string, unknown>): void {
  if (value === null) return;
  if (isObject(value) && path.length < deepest)
    for (const [name, member] of Object.entries(value)) collectLeaves(member, [...path, name], found);
  else {
    const name = textOf(path);
    if (!found.has(name)) found.set(name, value);
  }
}
