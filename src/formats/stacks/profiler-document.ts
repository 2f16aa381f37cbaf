import { Failure } from "../../core/failures/failure.ts";

/** Larger documents do not fit into one string. */
const mostBytes = 500 << 20;

export type DocumentObject = Readonly<Record<string, unknown>>;

/**
 * The values of a JSON document that some profiler wrote, taken for what they have to be. Everything fails with
 * `bad-stack-profile`.
 */
export class ProfileDocument {
  readonly #file: string;
  readonly #format: string;

  /** `format` names the format in messages. */
  constructor(file: string, format: string) {
    this.#file = file;
    this.#format = format;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: this.#format, reason });
  }

  /** All bytes of a source, which must hold one JSON document. */
  async parsed(source: AsyncIterable<Uint8Array>): Promise<unknown> {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    let size = 0;
    for await (const piece of source) {
      size += piece.length;
      if (size > mostBytes) throw this.bad(`it has more than ${mostBytes >> 20} MiB`);
      pieces.push(decoder.decode(piece, { stream: true }));
    }
    return this.json(pieces.join("") + decoder.decode());
  }

  json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.bad("it is not JSON, or not all of it");
    }
  }

  object(value: unknown, what: string): DocumentObject {
    if (isObject(value)) return value;
    throw this.bad(`${what} is no object`);
  }

  list(value: unknown, what: string): readonly unknown[] {
    if (Array.isArray(value)) return value as readonly unknown[];
    throw this.bad(`${what} is no list`);
  }

  number(value: unknown, what: string): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.bad(`${what} is no number`);
  }

  text(value: unknown, what: string): string {
    if (typeof value === "string") return value;
    throw this.bad(`${what} is no text`);
  }

  /** A place in a list of `length` elements. */
  place(value: unknown, length: number, what: string): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < length) return value;
    throw this.bad(`${what} is of none`);
  }
}

export function isObject(value: unknown): value is DocumentObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A line or column that means something. */
export function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
