// Axis scales with ticks, histogram bins and sparkline heights.
// Used by renderers, pages and queries; runs in browsers.
// Never draws.

export { type Bins, addedBins, binned, intervalCounts, valueCounts } from "./histogram.ts";
export {
  type Scale,
  categoryScale,
  clippedScale,
  linearScale,
  log2Scale,
  logScale,
  shortNumber,
  sparkHeights,
} from "./scale.ts";
export { instantText, timeScale } from "./time-scale.ts";
