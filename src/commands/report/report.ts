import { markupText } from "../../core/text/index.ts";
import { reportParts } from "../../core/pages/index.ts";
import { deflateBase64, scriptHash, readWebFile } from "../../workspace/files/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PageData } from "./page-data.ts";
import { reportPartsOf, type ReportLimits } from "./report-parts.ts";

export interface ReportOptions extends ReportLimits {
  readonly title: string;
  readonly database?: string;
}

/** Maximum parts compressed in parallel. */
const inFlight = 4;

/** Streams the report as one self-contained page, most visible data first. */
export async function* reportPage(
  workspace: Workspace,
  data: PageData,
  options: ReportOptions,
): AsyncGenerator<string> {
  const [app, charts] = [readWebFile("app.js"), readWebFile("charts.js")];
  yield headOf(options.title, readWebFile("app.css"), [app, charts]);
  const source = jsonText({ kind: "report", overview: data.overview });
  yield `<script id="perfkeep-source" type="application/json">${source}</script>\n`;
  yield `<script>${app}</script>\n`;
  for await (const element of elements(workspace, data, options)) yield element;
  yield await element(reportParts.charts, new TextEncoder().encode(charts));
  yield "</body>\n</html>\n";
}

/** Compression overlaps with generating the next part. */
async function* elements(workspace: Workspace, data: PageData, options: ReportOptions): AsyncGenerator<string> {
  const waiting: Promise<string>[] = [];
  for await (const { id, message } of reportPartsOf(workspace, data, options, options.database)) {
    waiting.push(element(id, message));
    if (waiting.length >= inFlight) yield (await waiting.shift()) ?? "";
  }
  for (const each of waiting) yield await each;
}

async function element(id: string, message: Uint8Array): Promise<string> {
  return `<script type="application/octet-stream" id="${id}">${await deflateBase64(message)}</script>\n`;
}

function headOf(title: string, style: string, scripts: readonly string[]): string {
  const hashes = scripts.map(scriptHash).join(" ");
  const policy =
    `default-src 'none'; script-src ${hashes}; style-src 'unsafe-inline'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${markupText(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="perfkeep"><noscript>This report requires JavaScript; enable scripts to view it.</noscript></div>
`;
}

/** JSON escaped for embedding in an HTML element. */
function jsonText(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
