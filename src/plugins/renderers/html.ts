import type { Block, Figure, TableBlock } from "../../core/figure.ts";
import { terminalLines } from "../../core/terminal-text.ts";
import { flameHash, flameScript } from "./drawing/flame-script.ts";
import { cellsOf, darkRules, svgChart, svgFlameGraph, turningSurface } from "./drawing/svg-figure.ts";
import { markupText } from "../../core/markup-text.ts";
import { themeOf } from "./drawing/theme.ts";
import { turningHash, turningScript } from "./drawing/turning-script.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/** A figure as one HTML page without anything to load; charts are SVG pictures in it. Its scripts turn surfaces and make flame graphs answer. */
export const html = Object.freeze<Renderer>({
  kind: "renderer",
  name: "html",
  synopsis: "HTML page",
  options: [],
  mediaType: "text/html; charset=utf-8",
  extension: "html",
  render: renderHtml,
});

const onPhones = "@media screen and (max-width: 600px)";
const narrowPaper = { width: 360, height: 400 };

async function renderHtml(figure: Figure, options: RenderOptions): Promise<string> {
  const { columns, cell } = cellsOf(figure, options.width, options.height);
  const blocks = await Promise.all(
    figure.blocks.map((block, i) => blockMarkup(block, { ...options, ...cell }, `c${i}`)),
  );
  const has = (kind: Block["kind"]): boolean => figure.blocks.some((block) => block.kind === kind);
  const turns = figure.blocks.some((block) => block.kind === "surface" && block.flat !== true);
  const scripts = [
    ...(turns ? [{ script: turningScript, hash: turningHash }] : []),
    ...(has("flame") ? [{ script: flameScript, hash: flameHash }] : []),
  ];
  const policy = scripts.length === 0 ? "" : `; script-src ${scripts.map(({ hash }) => `'${hash}'`).join(" ")}`;
  // A page has a title in any case (HTML, 4.2.2).
  const title = markupText(figure.title === "" ? "perfkeep" : figure.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${styleOf(options.dark)}${options.dark ? "" : darkWhereWanted()}${columns > 1 ? `main { display: grid; grid-template-columns: repeat(${columns}, 1fr); }\n${onPhones} { main { display: block; } }\n` : ""}</style>
</head>
<body>
${figure.title === "" ? "" : `<h1>${title}</h1>\n`}<main>
${blocks.join("\n")}
</main>${turns ? "\n<p>Drag a surface to turn it, or choose it and press the arrow keys.</p>" : ""}${scripts.map(({ script }) => `\n<script>${script}</script>`).join("")}
</body>
</html>
`;
}

function styleOf(dark: boolean): string {
  return `
body { font-family: "DejaVu Sans", Verdana, sans-serif; margin: 2em; }
h1, caption { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; }
caption { text-align: left; padding: 0.3em 0; }
th, td { padding: 0.2em 0.8em; border-bottom: 1px solid; text-align: left; white-space: pre-wrap; vertical-align: top; }
td { max-width: 36em; overflow-wrap: break-word; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
.narrow { display: none; }
${onPhones} { body { margin: 1em; } h1 { font-size: 1.4em; } .wide { display: none; } .narrow { display: block; } }
${colorsOf(dark)}
`;
}

function colorsOf(dark: boolean): string {
  const { background, text, grid } = themeOf(dark);
  return `body { background: ${background}; color: ${text}; } th, td { border-color: ${grid}; }`;
}

function darkWhereWanted(): string {
  return `@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; } ${colorsOf(true)} ${darkRules()} }\n`;
}

async function blockMarkup(block: Block, paper: RenderOptions, id: string): Promise<string> {
  if (block.kind === "table") return tableMarkup(block);
  if (block.kind === "chart") return twice((own, name) => svgChart(block, own, name), paper, id);
  if (block.kind === "surface") return twice(async (own, name) => turningSurface(block, own, name), paper, id);
  if (block.kind === "flame") return `<div class="flame">${svgFlameGraph(block, paper)}</div>`;
  return `<pre>${linesMarkup(block.text)}</pre>`;
}

/** A picture shrunk to a narrow window could not be read: another one is drawn for that. */
async function twice(
  draw: (paper: RenderOptions, id: string) => Promise<string>,
  paper: RenderOptions,
  id: string,
): Promise<string> {
  const [wide, narrow] = [await draw(paper, id), await draw({ ...paper, ...narrowPaper }, `${id}n`)];
  return `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
}

function tableMarkup(table: TableBlock): string {
  const row = (tag: "th" | "td", cells: readonly string[], details = ""): string => {
    const marked = cells.map((cell, i) => {
      const content = details === "" || i < cells.length - 1 ? markupText(cell) : foldedMarkup(cell, details);
      return `<${tag}${table.head[i]?.align === "right" ? ' class="number"' : ""}>${content}</${tag}>`;
    });
    return `<tr>${marked.join("")}</tr>`;
  };
  const caption = table.caption === undefined ? "" : `<caption>${markupText(table.caption)}</caption>\n`;
  const labels = table.head.map((column) => column.label);
  const name = table.caption === undefined ? "" : ` aria-label="${markupText(table.caption)}"`;
  return `<div class="table" role="group" tabindex="0"${name}><table>\n${caption}<thead>${row("th", labels)}</thead>
<tbody>\n${table.rows.map((cells, at) => row("td", cells, table.details?.[at])).join("\n")}\n</tbody>\n</table></div>`;
}

function foldedMarkup(summary: string, details: string): string {
  return `<details><summary>${markupText(summary)}</summary><pre>${linesMarkup(details)}</pre></details>`;
}

function linesMarkup(text: string): string {
  return terminalLines(text).split("\n").map(markupText).join("\n");
}
