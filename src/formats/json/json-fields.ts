import { isDigest, type Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";

/** The latest time of a JavaScript Date, in microseconds. */
const latestDate = 8.64e18;

/**
 * Reads the fields of a JSON object. Missing fields and fields of another type fail with `ledger-damaged`, which names
 * the field.
 */
export class JsonFields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #location: string;

  constructor(json: unknown, where: string) {
    this.#location = where;
    if (typeof json !== "object" || json === null || Array.isArray(json)) throw this.#wrong("", "an object");
    this.#object = json as Readonly<Record<string, unknown>>;
  }

  /** Parses JSON text of an object. */
  static parse(text: string, where: string): JsonFields {
    try {
      return new JsonFields(JSON.parse(text), where);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure("ledger-damaged", { entry: where, problem: "it is not JSON" }, error);
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  text(name: string): string {
    const value = this.#value(name);
    if (typeof value !== "string") throw this.#wrong(name, "a text");
    return value;
  }

  /** The name of an object. */
  digest(name: string): Digest {
    const text = this.text(name);
    if (!isDigest(text)) throw this.#wrong(name, "the name of an object");
    return text;
  }

  /** A safe integer. */
  number(name: string): number {
    const value = this.#value(name);
    if (!Number.isSafeInteger(value)) throw this.#wrong(name, "a whole number");
    return value as number;
  }

  /** Microseconds since 1970. Entries of older programs hold times beyond the safe integers, which are rounded. */
  time(name: string): number {
    const value = this.#value(name);
    if (!Number.isInteger(value) || Math.abs(value as number) > latestDate) throw this.#wrong(name, "a time");
    return value as number;
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (typeof value !== "boolean") throw this.#wrong(name, "true or false");
    return value;
  }

  /** One of `words`. */
  word<T extends string>(name: string, words: readonly T[]): T {
    const found = words.find((word) => word === this.#value(name));
    if (found === undefined) throw this.#wrong(name, words.join(" or "));
    return found;
  }

  texts(name: string): string[] {
    const list = this.#list(name);
    if (!list.every((each) => typeof each === "string")) throw this.#wrong(name, "a list of texts");
    return list as string[];
  }

  numbers(name: string): number[] {
    const list = this.#list(name);
    if (!list.every((each) => Number.isSafeInteger(each))) throw this.#wrong(name, "a list of whole numbers");
    return list as number[];
  }

  fields(name: string): JsonFields {
    return new JsonFields(this.#value(name), `${this.#location}, ${name}`);
  }

  list(name: string): JsonFields[] {
    return this.#list(name).map((each, at) => new JsonFields(each, `${this.#location}, ${name} ${at + 1}`));
  }

  /**
   * `{ [name]: read(name) }` if the field is present, else `{}`.
   */
  optional<K extends string, T>(name: K, read: (name: K) => T): { [P in K]?: T } {
    return (this.has(name) ? { [name]: read(name) } : {}) as { [P in K]?: T };
  }

  #value(name: string): unknown {
    return this.has(name) ? this.#object[name] : undefined;
  }

  #list(name: string): readonly unknown[] {
    const value = this.#value(name);
    if (!Array.isArray(value)) throw this.#wrong(name, "a list");
    return value;
  }

  #wrong(name: string, wanted: string): Failure {
    return new Failure("ledger-damaged", {
      entry: this.#location,
      problem: name === "" ? `it is not ${wanted}` : `'${name}' is not ${wanted}`,
    });
  }
}
