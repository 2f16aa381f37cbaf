import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";

const prime = 0x100000001b3n;
const start = 0xcbf29ce484222325n;

/**
 * Sixteen hex digits for each verdict that the same change of a subject has in every report: FNV-1a of its key and the
 * version it is since. Where several tell of the same, such as two methods of one location, they are counted.
 */
export function fingerprints(verdicts: readonly TriagedVerdict[]): string[] {
  const seen = new Map<string, number>();
  return verdicts.map(({ verdict }) => {
    const change = changeOf(verdict);
    const times = (seen.get(change) ?? 0) + 1;
    seen.set(change, times);
    return hashOf(times === 1 ? change : `${change}\n${times}`);
  });
}

function changeOf({ subject, since }: Verdict): string {
  return `${subject.key}\n${since?.after ?? ""}`;
}

function hashOf(text: string): string {
  let hash = start;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, "0");
}
