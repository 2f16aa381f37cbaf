import type { ProfileLine } from "./source.ts";

/**
 * What a report holds besides its overview, each a `<script type="application/octet-stream">` element with one of the
 * ids below: base64 of the zlib stream (RFC 1950) of the message. Messages are frames (`packFrame`, `packValue`,
 * `packPoints`); `charts` alone is the text of a script.
 */
export const reportParts = {
  charts: "perfkeep-charts",
  versions: "perfkeep-versions",
  series: "perfkeep-series",
  changes: "perfkeep-changes",
  contents: "perfkeep-contents",
  points: (block: number): string => `perfkeep-points-${block}`,
  /** By the place in `ReportContents.views`. */
  view: (place: number): string => `perfkeep-view-${place}`,
  /** By the place in `ReportContents.differences`. */
  difference: (place: number): string => `perfkeep-difference-${place}`,
  /** By the place in `Overview.experiments`. */
  experiment: (place: number): string => `perfkeep-experiment-${place}`,
} as const;

/** What a report knows of profiles. */
export interface ReportProfiles {
  /** By the place of the version in the list of versions. */
  readonly profiles: readonly (readonly [version: number, lines: readonly ProfileLine[]])[];
  /** The pictures that are in the report. */
  readonly views: readonly (readonly [object: string, view: string])[];
  readonly differences: readonly (readonly [base: string, target: string, title: string])[];
}

/**
 * What the element `perfkeep-source` of a page says, as JSON with `<` written as `\u003c`: where the page gets what it
 * shows.
 */
export type PageStart =
  | { readonly kind: "report"; readonly overview: unknown }
  /** `token` is not in it: the server knows its own pages by their cookie. */
  | { readonly kind: "live" };
