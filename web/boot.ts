import type { Overview } from "../src/core/pages/overview.ts";
import { type PageStart, reportParts } from "../src/core/pages/report-parts.ts";
import { liveSource } from "./live-source.ts";
import { partText } from "./report-part.ts";
import { reportSource } from "./report-source.ts";
import { type PageHost, startApp } from "./start.tsx";

/* Where a page begins: README.md tells what it has to hold. */

const start: PageStart = JSON.parse(document.getElementById("perfkeep-source")?.textContent ?? `{"kind":"live"}`);

/** The drawing of charts says by this that it is there. */
async function runScript(script: HTMLScriptElement): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("The drawing of charts could not be loaded.")));
  });
  document.head.append(script);
  if (script.src !== "") await ended;
}

const report: PageHost = {
  loadCharts: async () => {
    const script = document.createElement("script");
    script.textContent = await partText(document, reportParts.charts);
    await runScript(script);
  },
};

const live: PageHost = {
  loadCharts: async () => {
    const script = document.createElement("script");
    script.src = "/web/charts.js";
    await runScript(script);
  },
};

const root = document.getElementById("perfkeep");
if (root !== null) {
  if (start.kind === "report") startApp(root, reportSource(document, start.overview as Overview), report);
  else startApp(root, liveSource(), live);
}
