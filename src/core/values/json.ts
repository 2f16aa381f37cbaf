/**
 * JSON that preserves the document: numbers keep their spelling (an integer is not a float, no digit is lost), objects
 * the order of their keys. The codec is `formats/json/json.ts`.
 */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;

/** Keys in document order, including integer-like keys, which a plain object would reorder. */
export type JsonObject = ReadonlyMap<string, Json>;

/** A number by its canonical spelling (Python's: `3`, `3.0`, `1e-05`, `NaN`, `Infinity`). */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Fails with RangeError on a fraction, which would be a bug of the caller. */
  static integer(value: number | bigint): JsonNumber {
    return new JsonNumber(BigInt(value).toString());
  }

  static float(value: number): JsonNumber {
    return new JsonNumber(floatText(value));
  }

  /** True when the spelling has no point or exponent and is finite. */
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

export function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

/** The text at `key`; undefined if the value is not an object, lacks the key or holds something else there. */
export function textAt(json: Json | undefined, key: string): string | undefined {
  const value = isObject(json) ? json.get(key) : undefined;
  return typeof value === "string" ? value : undefined;
}

/**
 * An object from pairs, in their order: `jsonObject({ name: "time", params: jsonObject({}) })`. Keys must not look like
 * integers.
 */
export function jsonObject(members: Readonly<Record<string, Json>>): JsonObject {
  return new Map(Object.entries(members));
}

/**
 * The shortest text that reads back as the same double, in Python's spelling: always with a point or an exponent; the
 * exponent has at least two digits and is used from 1e16 up and below 1e-4.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e16 || size < 1e-4) return withPythonExponent(value.toExponential());
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** JavaScript writes `1e-7` and `1e+16`, Python `1e-07` and `1e+16`. */
function withPythonExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
