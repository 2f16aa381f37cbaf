import type { Importer } from "./importer.ts";

/** An importer, and how sure it is that an input is its own. */
export interface Recognition {
  readonly importer: Importer;
  readonly sure: number;
}

/** Of all importers that find their format by its content, those that know the first bytes of an input, the surest first; of equals the first. */
export function recognised(importers: readonly Importer[], head: Uint8Array): Recognition[] {
  return importers
    .filter(({ marks }) => marks !== undefined)
    .map((importer) => ({ importer, sure: importer.sniff(head) }))
    .filter(({ sure }) => sure > 0)
    .toSorted((a, b) => b.sure - a.sure);
}
