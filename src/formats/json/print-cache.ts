import type { JsonObject } from "../../core/values/json.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";

/** So many are kept, for a document may have millions that are there once. */
const most = 1 << 16;

/**
 * Objects that were printed, with their bytes: the frames of stacks are in thousands of traces each, and are printed
 * once. `newline` is the indentation they have.
 */
export class PrintedObjects {
  readonly #known = new Map<JsonObject, { readonly newline: string; readonly bytes: Uint8Array }>();

  /** Writes an object that was printed; false: it was not. */
  copy(object: JsonObject, writer: ByteWriter, newline: string): boolean {
    const known = this.#known.get(object);
    if (known === undefined || known.newline !== newline) return false;
    writer.slice(known.bytes, 0, known.bytes.length);
    return true;
  }

  /** Writes an object and keeps what `print` made of it; false: there are too many, and nothing is written. */
  write(
    object: JsonObject,
    writer: ByteWriter,
    newline: string,
    print: (json: JsonObject, writer: ByteWriter, newline: string) => void,
  ): boolean {
    if (this.#known.size >= most) return false;
    const own = new ByteWriter(128);
    print(object, own, newline);
    this.#known.set(object, { newline, bytes: own.written() });
    return this.copy(object, writer, newline);
  }
}
