import { isDigest, type Digest } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";

/**
 * Reads the fields of a JSON object one by one; what is missing or of another kind fails with `ledger-damaged`, naming
 * the field.
 */
export class JsonFields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #where: string;

  constructor(json: unknown, where: string) {
    this.#where = where;
    if (typeof json !== "object" || json === null || Array.isArray(json)) throw this.#wrong("", "an object");
    this.#object = json as Readonly<Record<string, unknown>>;
  }

  /** Parses JSON text that holds an object. */
  static parse(text: string, where: string): JsonFields {
    try {
      return new JsonFields(JSON.parse(text), where);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure("ledger-damaged", { entry: where, problem: "it is no JSON" }, error);
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name);
  }

  text(name: string): string {
    const content = this.#content(name);
    if (typeof content !== "string") throw this.#wrong(name, "a text");
    return content;
  }

  /** The name of an object. */
  digest(name: string): Digest {
    const text = this.text(name);
    if (!isDigest(text)) throw this.#wrong(name, "the name of an object");
    return text;
  }

  /** A whole number that a double holds exactly. */
  number(name: string): number {
    const content = this.#content(name);
    if (!Number.isSafeInteger(content)) throw this.#wrong(name, "a whole number");
    return content as number;
  }

  flag(name: string): boolean {
    const content = this.#content(name);
    if (typeof content !== "boolean") throw this.#wrong(name, "true or false");
    return content;
  }

  /** One of the words. */
  word<T extends string>(name: string, words: readonly T[]): T {
    const found = words.find((word) => word === this.#content(name));
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
    return new JsonFields(this.#content(name), `${this.#where}, ${name}`);
  }

  list(name: string): JsonFields[] {
    return this.#list(name).map((each, at) => new JsonFields(each, `${this.#where}, ${name} ${at + 1}`));
  }

  /**
   * `{ [name]: read(name) }` where the field is there, else nothing: for spreading into an object whose property is
   * optional.
   */
  optional<K extends string, T>(name: K, read: (name: K) => T): { [P in K]?: T } {
    return (this.has(name) ? { [name]: read(name) } : {}) as { [P in K]?: T };
  }

  #content(name: string): unknown {
    return this.has(name) ? this.#object[name] : undefined;
  }

  #list(name: string): readonly unknown[] {
    const content = this.#content(name);
    if (!Array.isArray(content)) throw this.#wrong(name, "a list");
    return content;
  }

  #wrong(name: string, wanted: string): Failure {
    return new Failure("ledger-damaged", {
      entry: this.#where,
      problem: name === "" ? `it is not ${wanted}` : `'${name}' is not ${wanted}`,
    });
  }
}
