import { render } from "preact";
import type { PageSource } from "../src/core/pages/index.ts";
import { App } from "./app.tsx";
import { cachedSource } from "./context/cached-source.ts";
import { chartDrawing } from "./context/chart-drawing.ts";
import { applyTheme } from "./context/theme.ts";

/** Services of the page around the app. */
export interface PageHost {
  /** Runs the script that draws charts; called at most once. */
  loadCharts(): Promise<void>;
}

export function startApp(root: HTMLElement, source: PageSource, host: PageHost): void {
  applyTheme();
  addEventListener("beforeprint", openAll);
  render(<App source={cachedSource(source)} charts={chartDrawing(() => host.loadCharts())} />, root);
}

/** Unfolds all details before printing. */
function openAll(): void {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
}
