import { Failure } from "../../core/failures/index.ts";

/** Maximum size in bytes; larger documents do not fit into a string. */
const maxBytes = 500 << 20;

export type DocumentObject = Readonly<Record<string, unknown>>;

/**
 * Validates the values of a profiler's JSON document. All methods fail with `bad-stack-profile`; `what` names the
 * value.
 */
export class ProfileDocument {
  readonly #file: string;
  readonly #format: string;

  /** `format` is named in error messages. */
  constructor(file: string, format: string) {
    this.#file = file;
    this.#format = format;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: this.#format, reason });
  }

  /** Parses a source that consists of one JSON document. */
  async parse(source: AsyncIterable<Uint8Array>): Promise<unknown> {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    let size = 0;
    for await (const piece of source) {
      size += piece.length;
      if (size > maxBytes) throw this.bad(`it has more than ${maxBytes >> 20} MiB`);
      pieces.push(decoder.decode(piece, { stream: true }));
    }
    return this.json(pieces.join("") + decoder.decode());
  }

  json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.bad("it is invalid or truncated JSON");
    }
  }

  object(value: unknown, what: string): DocumentObject {
    if (isObject(value)) return value;
    throw this.bad(`${what} is not an object`);
  }

  list(value: unknown, what: string): readonly unknown[] {
    if (Array.isArray(value)) return value as readonly unknown[];
    throw this.bad(`${what} is not a list`);
  }

  number(value: unknown, what: string): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.bad(`${what} is not a number`);
  }

  text(value: unknown, what: string): string {
    if (typeof value === "string") return value;
    throw this.bad(`${what} is not a string`);
  }

  /** An index into a list of `length` elements. */
  index(value: unknown, length: number, what: string): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < length) return value;
    throw this.bad(`${what} is out of range`);
  }
}

export function isObject(value: unknown): value is DocumentObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A valid line or column number; otherwise undefined. */
export function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
