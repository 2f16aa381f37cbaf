import { startApp } from "../../../web/start.tsx";
import { fakeSource } from "./fake-source.ts";

/* The app with a fake source: the script of test pages. */

const calls: unknown[] = [];
(globalThis as { fakeCalls?: unknown[] }).fakeCalls = calls;

const options = JSON.parse(document.getElementById("fake-options")?.textContent ?? "{}");
const root = document.getElementById("perfkeep");
const loadCharts = (): Promise<void> => {
  const script = document.createElement("script");
  script.textContent = document.getElementById("fake-charts")?.textContent ?? "";
  document.head.append(script);
  return Promise.resolve();
};
if (root !== null) startApp(root, fakeSource(options, calls), { loadCharts });
