import type { JsonObject } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";

/** Capacity, as a document may have millions of objects that occur once. */
const most = 1 << 16;

/**
 * A cache of printed objects: stack frames occur in thousands of traces each but are printed once. `newline` is their
 * indentation.
 */
export class PrintedObjects {
  readonly #known = new Map<JsonObject, { readonly newline: string; readonly bytes: Uint8Array }>();

  /** Writes a cached object; false if it is not cached. */
  copy(object: JsonObject, writer: ByteWriter, newline: string): boolean {
    const known = this.#known.get(object);
    if (known === undefined || known.newline !== newline) return false;
    writer.slice(known.bytes, 0, known.bytes.length);
    return true;
  }

  /** Prints an object and caches the bytes; false, without writing, if the cache is full. */
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
