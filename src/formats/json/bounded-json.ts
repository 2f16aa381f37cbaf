import { isList, isObject, type Json, JsonNumber } from "../../core/values/index.ts";
import { printJson, readJson } from "./json.ts";

/** How much of a document to print. */
export interface JsonBounds {
  /** Most values of a list. */
  readonly items: number;
  /** Most characters of the whole; at least 1000. */
  readonly characters: number;
  /** Keys of lists whose end matters more than their beginning. */
  readonly last: readonly string[];
}

/** Characters of one text. */
const maxText = 2000;

/**
 * A JSON document in at most `characters`. Lists are cut to `items` values, and to fewer, as many as fit, if the whole
 * is too long. A cut list `name` is followed by the member `nameOmitted`, the number of values left out. Numbers keep
 * their digits. Null if the document is no JSON object, or too long even with one value per list.
 */
export function boundedJson(document: Uint8Array, { items, characters, last }: JsonBounds): string | null {
  const read = readOrNull(document);
  if (!isObject(read)) return null;
  for (let most = items; most >= 1; most = Math.floor(most / 2)) {
    const printed = printJson(cut(read, most, last));
    if (printed.length <= characters) return new TextDecoder().decode(printed);
  }
  return null;
}

function readOrNull(document: Uint8Array): Json {
  try {
    return readJson(document, "answer");
  } catch {
    return null;
  }
}

function cut(json: Json, most: number, last: readonly string[]): Json {
  if (typeof json === "string") return json.length > maxText ? `${json.slice(0, maxText)}…` : json;
  if (isList(json)) return json.slice(0, most).map((each) => cut(each, most, last));
  if (!isObject(json)) return json;
  const members = [...json].flatMap(([key, value]): (readonly [string, Json])[] => {
    if (!isList(value) || value.length <= most) return [[key, cut(value, most, last)]];
    const kept = last.includes(key) ? value.slice(-most) : value;
    return [
      [key, cut(kept, most, last)],
      [`${key}Omitted`, JsonNumber.integer(value.length - most)],
    ];
  });
  return new Map(members);
}
