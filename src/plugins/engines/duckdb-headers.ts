import { closeSync, openSync, readSync } from "node:fs";
import { isIntact } from "./duckdb-blocks.ts";

/** Bytes of each of the three headers at the start of a file. */
const headerSize = 4096;

/** Where a header has its number. */
const numberAt = 8;

/**
 * What is wrong with the headers of a DuckDB file (storage version 64) although their checksums fit; null if nothing
 * is, or if DuckDB itself notices it. Two headers are written in turn, each with the next number; the newer one
 * counts. If their numbers do not follow each other, the file would be read as it was earlier.
 */
export function headerDamage(path: string): string | null {
  const headers = readHeaders(path);
  if (headers === null) return null;
  const intact = [0, headerSize].map((at) => headers.subarray(at, at + headerSize)).filter(isIntact);
  const [newest, other] = intact.map((each) => Number(each.readBigUInt64LE(numberAt))).sort((a, b) => b - a);
  // An empty file has twice the header 0.
  const isInOrder = newest === undefined || other === undefined || newest === 0 || newest - other === 1;
  return isInOrder ? null : "its headers do not follow each other";
}

/** Null if they cannot be read, which DuckDB will report. */
function readHeaders(path: string): Buffer | null {
  const headers = Buffer.alloc(2 * headerSize);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return readSync(file, headers, 0, headers.length, headerSize) < headers.length ? null : headers;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
