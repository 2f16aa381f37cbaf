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

/** Builds the checked value at the cursor and moves past it. */
export function readValue(scanner: JsonScanner): Json {
  const byte = scanner.blanks();
  if (byte === 0x22) return scanner.text();
  if (byte === 0x7b) {
    const members = new Map<string, Json>();
    scanner.members((key) => members.set(key, readValue(scanner)));
    return members;
  }
  if (byte === 0x5b) {
    const elements: Json[] = [];
    scanner.elements(() => elements.push(readValue(scanner)));
    return elements;
  }
  return readScalar(scanner);
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
