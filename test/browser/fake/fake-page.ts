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

/** Writes a page of the app with a fake source and the content security policy of reports. Returns its address. */
export async function fakePage(folder: string, options: FakeOptions): Promise<string> {
  const { app, charts, css } = await (built ??= buildAll());
  const html = `<!doctype html><html lang="en"><head>${metaElements([app, charts])}
<title>perfkeep</title><style>${css}</style></head>
<body><div id="perfkeep"></div><script type="application/json" id="fake-options">${JSON.stringify(options)}</script>
<script type="text/plain" id="fake-charts">${charts}</script><script>${app}</script></body></html>`;
  const file = join(folder, `fake-${Object.values(options).join("-")}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** The `<meta>` elements of a page, with a policy that allows these scripts only. */
export function metaElements(scripts: readonly string[]): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
  ].join("; ");
  return `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
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
    outdir: virtualFolder,
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

/** Output folder for esbuild, to which nothing is written. */
const virtualFolder = join(root, ".cache/fake");
