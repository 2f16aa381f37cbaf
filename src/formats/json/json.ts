import { JsonNumber, type Json, type JsonObject, isList, isObject } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { numberText, canonicalSpelling } from "./json-number.ts";
import { JsonScanner } from "./json-scanner.ts";
import { quoted } from "./json-string.ts";
import type { PrintedObjects } from "./print-cache.ts";

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * Reads a JSON document and preserves everything except blanks: kinds and digits of numbers, order of keys. A duplicate
 * key has its last value at its first position, as in Python. Fails with `not-json`, which names `file`.
 */
export function readJson(bytes: Uint8Array, file: string): Json {
  const scanner = new JsonScanner(bytes, file);
  scanner.checkDocument();
  return readValue(scanner);
}

/** Objects of the lists of a document, in which the same ones occur many times, found by their bytes. */
export class SharedObjects {
  readonly #known = new Map<number, { readonly start: number; readonly end: number; readonly value: Json }>();

  /** The object with the bytes from `start` to `end`; otherwise it is read by `make`. */
  get(bytes: Uint8Array, start: number, end: number, make: () => Json): Json {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    const known = this.#known.get(hash);
    if (known !== undefined && isSame(bytes, known.start, known.end, start, end)) return known.value;
    const value = make();
    this.#known.set(hash, { start, end, value });
    return value;
  }
}

function isSame(bytes: Uint8Array, start: number, end: number, other: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - other) return false;
  for (let at = 0; at < end - start; at++) if (bytes[start + at] !== bytes[other + at]) return false;
  return true;
}

/** Longer objects are hardly repeated. */
const longestShared = 400;

/** Builds the checked value at the cursor and moves past it. Equal short objects of lists are one of `shared`. */
export function readValue(scanner: JsonScanner, shared?: SharedObjects): Json {
  const byte = scanner.blanks();
  if (byte === 0x22) return scanner.text();
  if (byte === 0x7b) {
    const members = new Map<string, Json>();
    scanner.members((key) => members.set(key, readValue(scanner, shared)));
    return members;
  }
  if (byte === 0x5b) {
    const elements: Json[] = [];
    scanner.elements(() => elements.push(readElement(scanner, shared)));
    return elements;
  }
  return readScalar(scanner);
}

function readElement(scanner: JsonScanner, shared: SharedObjects | undefined): Json {
  if (shared === undefined || scanner.blanks() !== 0x7b) return readValue(scanner, shared);
  const start = scanner.pos;
  scanner.pass();
  if (scanner.pos - start > longestShared) {
    scanner.pos = start;
    return readValue(scanner, shared);
  }
  const end = scanner.pos;
  return shared.get(scanner.bytes, start, end, () => {
    scanner.pos = start;
    return readValue(scanner);
  });
}

function readScalar(scanner: JsonScanner): Json {
  const start = scanner.pos;
  scanner.pass();
  const text = numberText(scanner.bytes, start, scanner.pos);
  const word = words.get(text);
  return word === undefined ? new JsonNumber(canonicalSpelling(scanner.bytes, start, scanner.pos) ?? text) : word;
}

/** Prints as Python's `json.dumps` does by default: `{"a": [1, 2.0]}`, ASCII only, no newline at the end. */
export function printJson(json: Json): Uint8Array {
  const writer = new ByteWriter();
  writeJson(json, writer);
  return writer.written();
}

/** `printed` caches objects that occur many times in the document. */
export function writeJson(json: Json, writer: ByteWriter, printed?: PrintedObjects): void {
  if (isObject(json)) {
    if (
      printed !== undefined &&
      (printed.copy(json, writer, "") ||
        (isFlat(json) && printed.write(json, writer, "", (flat, to) => writeJson(flat, to))))
    )
      return;
    let lead = "{";
    for (const [key, value] of json) {
      writer.ascii(`${lead}${quoted(key)}: `);
      writeJson(value, writer, printed);
      lead = ", ";
    }
    writer.ascii(json.size === 0 ? "{}" : "}");
  } else if (isList(json)) {
    for (const [index, value] of json.entries()) {
      writer.ascii(index === 0 ? "[" : ", ");
      writeJson(value, writer, printed);
    }
    writer.ascii(json.length === 0 ? "[]" : "]");
  } else writer.ascii(scalarText(json));
}

/** Prints for people: two blanks per level, lists of plain values on one line, a newline at the end. */
export function printIndented(json: Json): Uint8Array {
  const writer = new ByteWriter();
  writeIndented(json, writer, "\n");
  writer.byte(0x0a);
  return writer.written();
}

/**
 * `newline` is the line break with the indentation of the value's own level. `printed` caches objects that occur many
 * times in the document.
 */
export function writeIndented(json: Json, writer: ByteWriter, newline: string, printed?: PrintedObjects): void {
  const inner = `${newline}  `;
  if (isObject(json) && json.size > 0) {
    if (
      printed !== undefined &&
      (printed.copy(json, writer, newline) || (isFlat(json) && printed.write(json, writer, newline, writeIndented)))
    )
      return;
    let lead = "{";
    for (const [key, value] of json) {
      writer.ascii(`${lead}${inner}${quoted(key)}: `);
      writeIndented(value, writer, inner, printed);
      lead = ",";
    }
    writer.ascii(`${newline}}`);
  } else if (isList(json) && json.some((value) => isObject(value) || isList(value))) {
    for (const [index, value] of json.entries()) {
      writer.ascii(`${index === 0 ? "[" : ","}${inner}`);
      writeIndented(value, writer, inner, printed);
    }
    writer.ascii(`${newline}]`);
  } else writeJson(json, writer, printed);
}

/** Whether an object contains no objects or lists. */
function isFlat(object: JsonObject): boolean {
  for (const value of object.values()) if (isObject(value) || isList(value)) return false;
  return true;
}

/** Python's spelling of a scalar. */
export function scalarText(json: string | boolean | null | JsonNumber): string {
  if (json instanceof JsonNumber) return json.text;
  return typeof json === "string" ? quoted(json) : String(json);
}
