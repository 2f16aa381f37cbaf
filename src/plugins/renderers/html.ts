import type { Block, Figure, TableBlock } from "../../core/figure.ts";
import { terminalLines } from "../../core/terminal-text.ts";
import { flameHash, flameScript } from "./drawing/flame-script.ts";
import { cellsOf, svgChart, svgFlameGraph, turningSurface } from "./drawing/svg-figure.ts";
import { markupText } from "./drawing/svg-text.ts";
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

async function renderHtml(figure: Figure, options: RenderOptions): Promise<string> {
  const { columns, cell } = cellsOf(figure, options.width, options.height);
  const blocks = await Promise.all(figure.blocks.map((block, i) => blockMarkup(block, { ...options, ...cell }, `c${i}`)));
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
<style>${styleOf(options.dark)}${columns > 1 ? `main { display: grid; grid-template-columns: repeat(${columns}, 1fr); }\n` : ""}</style>
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
  const { background, text, grid } = themeOf(dark);
  return `
body { font-family: "DejaVu Sans", Verdana, sans-serif; margin: 2em; background: ${background}; color: ${text}; }
h1, caption { overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1em 0; }
caption { text-align: left; padding: 0.3em 0; }
th, td { padding: 0.2em 0.8em; border-bottom: 1px solid ${grid}; text-align: left; white-space: pre-wrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; }
`;
}

async function blockMarkup(block: Block, paper: RenderOptions, id: string): Promise<string> {
  if (block.kind === "table") return tableMarkup(block);
  if (block.kind === "chart") return svgChart(block, paper, id);
  if (block.kind === "surface") return turningSurface(block, paper, id);
  if (block.kind === "flame") return `<div class="flame">${svgFlameGraph(block, paper)}</div>`;
  return `<pre>${terminalLines(block.text).split("\n").map(markupText).join("\n")}</pre>`;
}

function tableMarkup(table: TableBlock): string {
  const row = (tag: "th" | "td", cells: readonly string[]): string => {
    const marked = cells.map(
      (cell, i) => `<${tag}${table.head[i]?.align === "right" ? ' class="number"' : ""}>${markupText(cell)}</${tag}>`,
    );
    return `<tr>${marked.join("")}</tr>`;
  };
  const caption = table.caption === undefined ? "" : `<caption>${markupText(table.caption)}</caption>\n`;
  const labels = table.head.map((column) => column.label);
  return `<table>\n${caption}<thead>${row("th", labels)}</thead>
<tbody>\n${table.rows.map((cells) => row("td", cells)).join("\n")}\n</tbody>\n</table>`;
}
