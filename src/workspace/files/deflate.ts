import { promisify } from "node:util";
import { deflate, type ZlibOptions } from "node:zlib";

const compress = promisify<Uint8Array, ZlibOptions, Buffer>(deflate);

/** Numbers that were measured are noise in their last digits: more effort takes twice the time for some per cent. */
const effort = 4;

/** Base64 of the zlib stream (RFC 1950) of `bytes`, made on another thread. */
export async function deflated(bytes: Uint8Array): Promise<string> {
  return (await compress(bytes, { level: effort })).toString("base64");
}
