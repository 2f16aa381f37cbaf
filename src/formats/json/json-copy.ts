import type { ByteWriter } from "../bytes/index.ts";
import { copyNumber } from "./json-number.ts";
import type { JsonScanner } from "./json-scanner.ts";
import { copyString } from "./json-string.ts";

/**
 * Copies the checked value at the cursor to `writer` as Python's `json.dumps` prints it, without building it. Keys must
 * be unique.
 */
export function copyValue(scanner: JsonScanner, writer: ByteWriter): void {
  const byte = scanner.blanks();
  if (byte === 0x22) copyText(scanner, writer);
  else if (byte === 0x7b) copyObject(scanner, writer);
  else if (byte === 0x5b) copyList(scanner, writer);
  else copyScalar(scanner, writer);
}

function copyText(scanner: JsonScanner, writer: ByteWriter): void {
  const start = scanner.pos;
  scanner.passString();
  copyString(scanner.bytes, start, scanner.pos, writer);
}

function copyObject(scanner: JsonScanner, writer: ByteWriter): void {
  scanner.pos++;
  writer.byte(0x7b);
  if (scanner.blanks() !== 0x7d) {
    for (;;) {
      scanner.blanks();
      copyText(scanner, writer);
      scanner.colon();
      writer.ascii(": ");
      copyValue(scanner, writer);
      if (!scanner.comma(0x7d)) break;
      writer.ascii(", ");
    }
  }
  scanner.pos++;
  writer.byte(0x7d);
}

function copyList(scanner: JsonScanner, writer: ByteWriter): void {
  scanner.pos++;
  writer.byte(0x5b);
  if (scanner.blanks() !== 0x5d) {
    for (;;) {
      copyValue(scanner, writer);
      if (!scanner.comma(0x5d)) break;
      writer.ascii(", ");
    }
  }
  scanner.pos++;
  writer.byte(0x5d);
}

function copyScalar(scanner: JsonScanner, writer: ByteWriter): void {
  const start = scanner.pos;
  scanner.pass();
  const first = scanner.bytes[start]!;
  if (first === 0x2d || first <= 0x39) copyNumber(scanner.bytes, start, scanner.pos, writer);
  else writer.slice(scanner.bytes, start, scanner.pos);
}
