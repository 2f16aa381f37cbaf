import type { Verdict } from "../../core/verdict.ts";

const prime = 0x100000001b3n;
const start = 0xcbf29ce484222325n;

/** Sixteen hex digits that a change of a subject has in every report of it: FNV-1a of its key and the version it is since. */
export function fingerprint({ subject, since }: Verdict): string {
  let hash = start;
  for (const byte of new TextEncoder().encode(`${subject.key}\n${since?.after ?? ""}`))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, "0");
}
