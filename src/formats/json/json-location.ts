import { Failure } from "../../core/failures/index.ts";
import { isList, isObject, JsonNumber, type Json } from "../../core/values/index.ts";
import { readJson } from "./json.ts";

/** JSON as V8 has it; only own members count. */
type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** Lists up to this length are not copied into a typed array. */
const fewNumbers = 64;

/** Maximum length of a V8 string. */
export const longestText = 2 ** 29 - 25;

/**
 * A value of a JSON document written by another program, with its path for error messages: `results[3].times`. Numbers
 * are doubles. Fails only with `damaged-report`.
 */
export class JsonLocation {
  readonly file: string;
  readonly #value: Plain;
  readonly #within: JsonLocation | undefined;
  /** The member or element of `within`. */
  readonly #name: string | number;

  private constructor(value: Plain, file: string, within?: JsonLocation, name: string | number = "") {
    this.#value = value;
    this.file = file;
    this.#within = within;
    this.#name = name;
  }

  /** The path in the document, such as `results[3].times`; computed on access, as documents have millions of values. */
  get path(): string {
    if (this.#within === undefined) return "";
    const { path } = this.#within;
    return typeof this.#name === "number"
      ? `${path}[${this.#name}]`
      : path === ""
        ? this.#name
        : `${path}.${this.#name}`;
  }

  /**
   * A complete UTF-8 document; accepts NaN and Infinity, as written by Python. Fails with `not-json` and
   * `damaged-report`.
   */
  static document(bytes: Uint8Array, file: string): JsonLocation {
    return new JsonLocation(plainDocument(bytes, file), file);
  }

  /** A document whose members were read elsewhere. */
  static members(members: Iterable<readonly [string, unknown]>, file: string): JsonLocation {
    // `fromEntries` defines members, so that one called __proto__ is like any other.
    return new JsonLocation(Object.fromEntries(members) as Plain, file);
  }

  /** Locations of list elements that were read elsewhere; `at` is the index in the list. */
  static elements(file: string, list: string): (value: unknown, at: number) => JsonLocation {
    const parent = new JsonLocation([], file, new JsonLocation({}, file), list);
    return (value, at) => parent.#at(value as Plain, at);
  }

  /** A document within other text; undefined if it is not JSON. */
  static within(text: string, file: string): JsonLocation | undefined {
    try {
      return new JsonLocation(JSON.parse(text) as Plain, file);
    } catch {
      return undefined;
    }
  }

  get isList(): boolean {
    return Array.isArray(this.#value);
  }

  get isObject(): boolean {
    return typeof this.#value === "object" && this.#value !== null && !Array.isArray(this.#value);
  }

  get isText(): boolean {
    return typeof this.#value === "string";
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  get isNumber(): boolean {
    return typeof this.#value === "number";
  }

  /** A text, boolean or finite number; undefined for anything else. */
  get scalar(): string | number | boolean | undefined {
    const value = this.#value;
    if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
    return typeof value === "string" || typeof value === "boolean" ? value : undefined;
  }

  /** A required member of an object; null counts as absent. */
  get(name: string): JsonLocation {
    return this.maybe(name) ?? this.#refuse(`it has no "${name}"`);
  }

  /** A member of an object; undefined if it is absent or null, or if this is not an object. */
  maybe(name: string): JsonLocation | undefined {
    const object = this.#value;
    if (typeof object !== "object" || object === null || Array.isArray(object) || !Object.hasOwn(object, name))
      return undefined;
    const value = (object as { readonly [name: string]: Plain })[name];
    return value === null || value === undefined ? undefined : this.#at(value, name);
  }

  /** A member that is a finite number; undefined for anything else. */
  numberIn(name: string): number | undefined {
    const object = this.#value;
    if (typeof object !== "object" || object === null || Array.isArray(object) || !Object.hasOwn(object, name))
      return undefined;
    const value = (object as { readonly [name: string]: Plain })[name];
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  members(): [string, JsonLocation][] {
    if (!this.isObject) return this.#refuse("it is not an object");
    return Object.keys(this.#value as object).map((name) => [
      name,
      this.#at((this.#value as { [name: string]: Plain })[name]!, name),
    ]);
  }

  list(): JsonLocation[] {
    return this.#elements().map((value, at) => this.#at(value, at));
  }

  /** Visits the elements of a list in order. */
  each(visit: (element: JsonLocation, at: number) => void): void {
    this.#elements().forEach((value, at) => visit(this.#at(value, at), at));
  }

  text(): string {
    return typeof this.#value === "string" ? this.#value : this.#refuse("it is not a string");
  }

  /** A finite number. */
  number(): number {
    return typeof this.#value === "number" && Number.isFinite(this.#value)
      ? this.#value
      : this.#refuse("it is not a number");
  }

  /** A list of numbers; NaN for null and for numbers that are not finite. */
  numbers(): Float64Array {
    const elements = this.#elements();
    const numbers = new Float64Array(elements.length);
    for (let at = 0; at < elements.length; at++) {
      const value = elements[at]!;
      if (typeof value !== "number" && value !== null) return this.#at(value, at).#refuse("it is not a number");
      numbers[at] = value !== null && Number.isFinite(value) ? value : Number.NaN;
    }
    return numbers;
  }

  /**
   * Like `numbers`, but a short list is returned without a copy. undefined if an element is neither a number nor
   * null.
   */
  samples(): Float64Array | readonly number[] | undefined {
    const elements = this.#elements();
    if (elements.length <= fewNumbers && elements.every((each) => typeof each === "number" && Number.isFinite(each)))
      return elements as readonly number[];
    return elements.every((each) => typeof each === "number" || each === null) ? this.numbers() : undefined;
  }

  #elements(): readonly Plain[] {
    return Array.isArray(this.#value) ? (this.#value as readonly Plain[]) : this.#refuse("it is not a list");
  }

  #at(value: Plain, name: string | number): JsonLocation {
    return new JsonLocation(value, this.file, this, name);
  }

  #refuse(problem: string): never {
    const { path } = this;
    throw new Failure("damaged-report", {
      file: this.file,
      problem: path === "" ? problem : `${path.slice(0, 200)}: ${problem}`,
    });
  }
}

/** The value of a document as V8 has it. Accepts and fails like `JsonLocation.document`. */
export function readPlainJson(bytes: Uint8Array, file: string): unknown {
  return plainDocument(bytes, file);
}

/** Tries V8's parser first: it is many times faster but rejects NaN and reports no position. */
function plainDocument(bytes: Uint8Array, file: string): Plain {
  if (bytes.length > longestText)
    throw new Failure("damaged-report", { file, problem: "it is longer than 512 MiByte" });
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Plain;
  } catch {
    return plainOf(readJson(withoutMark(bytes), file));
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function plainOf(json: Json): Plain {
  if (json instanceof JsonNumber) return Number(json.text.replace("Infinity", "1e999"));
  if (isList(json)) return json.map(plainOf);
  return isObject(json) ? Object.fromEntries([...json].map(([name, value]) => [name, plainOf(value)])) : json;
}
