import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { FakeOptions } from "./fake-options.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Built {
  readonly app: string;
  readonly charts: string;
  readonly css: string;
}

let built: Promise<Built> | undefined;

/** Writes a page of the app on a fake source, under the policy that reports have; answers its address. */
export async function fakePage(folder: string, options: FakeOptions): Promise<string> {
  const { app, charts, css } = await (built ??= buildAll());
  const policy = `default-src 'none'; script-src ${hashOf(app)} ${hashOf(charts)}; style-src 'unsafe-inline'; img-src data:`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>perfkeep</title><style>${css}</style></head>
<body><div id="perfkeep"></div><script type="application/json" id="fake-options">${JSON.stringify(options)}</script>
<script type="text/plain" id="fake-charts">${charts}</script><script>${app}</script></body></html>`;
  const file = join(folder, `fake-${Object.values(options).join("-")}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

async function buildAll(): Promise<Built> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "test/browser/fake/fake-app.ts", out: "app" },
      { in: "web/charts.ts", out: "charts" },
      { in: "web/style/app.css", out: "style" },
    ],
    outdir: folderOfNothing,
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: ["chrome120"],
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "error",
  });
  const text = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? "";
  return { app: text("app.js"), charts: text("charts.js"), css: text("style.css") };
}

/** Nothing is written there; the names of what is built are below it. */
const folderOfNothing = join(root, ".cache/fake");
