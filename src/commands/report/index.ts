// Collects the data of pages and writes the self-contained HTML report; renders figures.
// Used by the verb report, by the dashboard and by renderers of other verbs.
// Never judges series itself (verdicts), and never needs a network.

export { atomFeed } from "../../query/report/index.ts";
export { evidenceOf } from "./evidence.ts";
export { experimentPage, failureFigure } from "./experiment-page.ts";
export { type PageData, type PageOptions, earlyPageData, pageData } from "./page-data.ts";
export { drawableViews, profileDifferenceFigure, profileFigure, profileLines, storedRun } from "./profile-pages.ts";
export { type RenderRequest, render } from "./render.ts";
export { comparedPairs } from "./report-parts.ts";
