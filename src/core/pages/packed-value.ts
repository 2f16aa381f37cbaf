import { type FrameArray, packFrame, unpackFrame } from "./frame.ts";

/** Stands in the facts for an array that travels beside them. */
interface ArrayReference {
  readonly "@array": string;
}

/**
 * A message with typed arrays anywhere in it, such as a `Figure`: a frame whose facts are the value, with `{ "@array":
 * name }` in place of each array. What JSON has no words for (undefined fields, NaN outside of arrays) becomes what
 * JSON makes of it.
 */
export function packValue(value: unknown): Uint8Array {
  const arrays: Record<string, FrameArray> = {};
  const facts = withoutArrays(value, arrays);
  return packFrame({ facts, arrays });
}

/** The value that `packValue` packed; `bytes` are to begin at a multiple of eight of their buffer. */
export function unpackValue(bytes: Uint8Array): unknown {
  const { facts, arrays } = unpackFrame<unknown, string>(bytes);
  return withArrays(facts, arrays);
}

function withoutArrays(value: unknown, arrays: Record<string, FrameArray>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array) {
    const name = String(Object.keys(arrays).length);
    arrays[name] = value;
    return { "@array": name } satisfies ArrayReference;
  }
  if (Array.isArray(value)) return value.map((item) => withoutArrays(item, arrays));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutArrays(field, arrays)]));
}

function withArrays(value: unknown, arrays: Readonly<Record<string, FrameArray>>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withArrays(item, arrays));
  if (isReference(value)) return arrays[value["@array"]];
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withArrays(field, arrays)]));
}

function isReference(value: object): value is ArrayReference {
  return "@array" in value;
}
