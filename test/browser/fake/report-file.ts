import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { type Frame, packFrame, packPoints, packValue } from "../../../src/core/pages/frame.ts";
import { type ReportProfiles, reportParts } from "../../../src/core/pages/report-parts.ts";
import { fakePoints, seriesInBlock } from "./fake-columns.ts";
import type { FakeOptions } from "./fake-options.ts";
import { fakeSource } from "./fake-source.ts";
import { fakeViews } from "./fake-figures.ts";
import { metaElements } from "./fake-page.ts";

const web = fileURLToPath(new URL("../../../dist/web/", import.meta.url));

/** Writes a report with fake data around the built app, as web/README.md describes. */
export async function writeReportFile(file: string, options: FakeOptions): Promise<void> {
  const source = fakeSource(options, []);
  const [app = "", charts = "", css = ""] = ["app.js", "charts.js", "app.css"].map((name) =>
    readFileSync(join(web, name), "utf8"),
  );
  const start = JSON.stringify({ kind: "report", overview: await source.overview() }).replaceAll("<", "\\u003c");
  writeFileSync(
    file,
    `<!doctype html><html lang="en"><head>${metaElements([app, charts])}
<title>report</title><style>${css}</style></head>
<body><div id="perfkeep"></div><script type="application/json" id="perfkeep-source">${start}</script>
<script>${app}</script>\n`,
  );
  const add = (id: string, bytes: Uint8Array): void => {
    const text = deflateSync(bytes, { level: 1 }).toString("base64");
    appendFileSync(file, `<script type="application/octet-stream" id="${id}">${text}</script>\n`);
  };
  const addFrame = (id: string, frame: Frame<unknown, string>): void => add(id, packFrame(frame));
  const object = "1".repeat(40);
  const [profile] = await source.profiles(0);
  const profiles: ReportProfiles = {
    profiles: profile === undefined ? [] : [[0, [{ ...profile, object }]]],
    views: fakeViews.map((view) => [object, view]),
    differences: await source.differences(),
  };
  add(reportParts.profiles, packValue(profiles));
  addFrame(reportParts.versions, await source.versions());
  addFrame(reportParts.series, await source.series());
  addFrame(reportParts.changes, await source.changes());
  addFrame(reportParts.machines, await source.machines());
  add(reportParts.charts, new TextEncoder().encode(charts));
  for (const [i, view] of fakeViews.entries()) add(reportParts.view(i), packValue(await source.view(object, view, {})));
  add(reportParts.difference(0), packValue(await source.difference("", "")));
  add(reportParts.experiment(0), packValue(await source.experiment("")));
  for (let block = 0; block * seriesInBlock < options.series; block++)
    add(reportParts.points(block), packPoints(fakePoints(options, block)));
  appendFileSync(file, "</body></html>\n");
}
