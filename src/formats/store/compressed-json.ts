import { Failure } from "../../core/failures/index.ts";
import { isList, isObject, type Json } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { quoted, readJson, scalarText } from "../json/index.ts";
import { inflateBounded, InflateError, packObject } from "./object.ts";

/** Limit on the unpacked size of a file. */
const cap = 256 * 1024 * 1024;

/**
 * Packs JSON like Perun's statistics and lists of temporary files: Python's `json.dumps(…, indent=2)` in a zlib stream.
 */
export function packJson(json: Json): Uint8Array {
  const writer = new ByteWriter();
  writePython(json, writer, "\n");
  return packObject(writer.written());
}

/**
 * Reads the output of `packJson` at any compression level. Fails with `packed-json-damaged`, which names `file`.
 */
export function unpackJson(bytes: Uint8Array, file: string): Json {
  try {
    return readJson(inflateBounded(bytes, cap), file);
  } catch (error) {
    const isForeign = !(error instanceof InflateError || error instanceof Failure);
    if (isForeign) throw error;
    throw new Failure("packed-json-damaged", { file, reason: error.message }, error);
  }
}

/** Prints each element on its own line; `newline` is the line break with the indentation of the value's level. */
function writePython(json: Json, writer: ByteWriter, newline: string): void {
  if (!isObject(json) && !isList(json)) return writer.ascii(scalarText(json));
  const [open, close] = isObject(json) ? "{}" : "[]";
  const inner = `${newline}  `;
  let lead = open;
  for (const [key, value] of json.entries()) {
    writer.ascii(`${lead}${inner}${typeof key === "string" ? `${quoted(key)}: ` : ""}`);
    writePython(value, writer, inner);
    lead = ",";
  }
  writer.ascii(lead === open ? `${open}${close}` : `${newline}${close}`);
}
