/**
 * JSON as a document keeps it: numbers hold their spelling (an integer is not a float, no digit is lost) and objects hold the
 * order of their keys. The codec is `formats/json.ts`.
 */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;

/** Keys in document order; integer-like keys keep their place, which a plain object would not grant. */
export type JsonObject = ReadonlyMap<string, Json>;

/** A number by its canonical spelling (Python's: `3`, `3.0`, `1e-05`, `NaN`, `Infinity`). */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** True when the spelling has neither point nor exponent nor is non-finite. */
  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }

  /** The nearest double. */
  get value(): number {
    return Number(this.text);
  }
}

export function isObject(json: Json | undefined): json is JsonObject {
  return json instanceof Map;
}

/** The text under `key`, or undefined when the value is no object, has no such key, or holds something else. */
export function textAt(json: Json | undefined, key: string): string | undefined {
  const value = isObject(json) ? json.get(key) : undefined;
  return typeof value === "string" ? value : undefined;
}
