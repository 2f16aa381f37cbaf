import { gzipSync } from "node:zlib";

/** Bytes as gzip packs them; the same bytes give the same, at any hour. */
export function packed(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes);
}
