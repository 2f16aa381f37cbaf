import type { ProfileLine } from "./source.ts";

/**
 * The parts of a report other than its overview, each a `<script type="application/octet-stream">` element with one of
 * these ids: the message as base64 of a zlib stream (RFC 1950). Messages are frames (`packFrame`, `packValue`,
 * `packPoints`); only `charts` is the text of a script.
 */
export const reportParts = {
  charts: "perfkeep-charts",
  versions: "perfkeep-versions",
  series: "perfkeep-series",
  changes: "perfkeep-changes",
  machines: "perfkeep-machines",
  profiles: "perfkeep-profiles",
  points: (block: number): string => `perfkeep-points-${block}`,
  /** By index in `ReportProfiles.views`. */
  view: (index: number): string => `perfkeep-view-${index}`,
  /** By index in `ReportProfiles.differences`. */
  difference: (index: number): string => `perfkeep-difference-${index}`,
  /** By index in `Overview.experiments`. */
  experiment: (index: number): string => `perfkeep-experiment-${index}`,
} as const;

/** Lists that pages load as a whole. */
export const columnParts = ["versions", "series", "changes", "machines"] as const;
export type ColumnPart = (typeof columnParts)[number];

/** The profiles of a report. */
export interface ReportProfiles {
  /** By index into the list of commits. */
  readonly profiles: readonly (readonly [version: number, lines: readonly ProfileLine[]])[];
  /** The views in the report. */
  readonly views: readonly (readonly [object: string, view: string])[];
  readonly differences: readonly (readonly [base: string, target: string, title: string])[];
}

/** The element `perfkeep-source` of a page, as JSON with `<` escaped as `\u003c`: the data source of the page. */
export type PageStart =
  | { readonly kind: "report"; readonly overview: unknown }
  /** Without `token`: the server identifies its pages by their cookie. */
  | { readonly kind: "live" };
