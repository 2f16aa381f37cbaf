import { hexOf, sha1 } from "../object.ts";

/** The name that git gives a file of this content, in repositories of SHA-1. */
export function gitBlobId(content: Uint8Array): string {
  return hexOf(sha1(new TextEncoder().encode(`blob ${content.length}\0`), content));
}
