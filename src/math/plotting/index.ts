// Axis scales with ticks, contours, histogram bins and sparkline heights.
// Used by renderers, pages and queries; runs in browsers.
// Never draws.

export { type ContourPoint, type HeightGrid, areaAbove, contourLines, isolatedPoints } from "./contours.ts";
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
