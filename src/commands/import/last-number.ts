import { concatenateBytes } from "../../formats/bytes/index.ts";
import type { ByteSource, ImportEvent } from "../../plugins/importers/importer.ts";

/** More bytes than a number has. */
const longestTail = 64;

/** A number at the end, after a blank, a sign between entries, or nothing. */
const numberAtEnd = /(?:^|[\s,;:|="'([])[-+]?\d[\d.,:]*(?:e[-+]?\d*)?$/i;

/** Watches the end of a text: a number without a line end may be truncated, and looks like a complete one. */
export class LastNumber {
  #tail = new Uint8Array(0);

  async *watch(source: ByteSource): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      const all =
        piece.length >= longestTail ? piece : concatenateBytes([this.#tail, piece], this.#tail.length + piece.length);
      this.#tail = all.slice(-longestTail);
      yield piece;
    }
  }

  /** The notice after the last byte; none for texts that end otherwise. */
  *notices(): Generator<ImportEvent> {
    if (!numberAtEnd.test(new TextDecoder("latin1").decode(this.#tail))) return;
    const text = "the file ends in a number without a line end: if it is truncated, this number is not complete";
    yield { kind: "notice", line: 0, text };
  }
}
