import type { Block, ChartBlock, Figure, TableBlock } from "../../core/figures/index.ts";
import { markupText, terminalLines, terminalText } from "../../core/text/index.ts";
import { chartSpots } from "./drawing/svg/chart-spots.ts";
import { flameHash, flameScript } from "./drawing/svg/flame-script.ts";
import { cellsOf, darkRules, svgChart, svgFlameGraph, rotatableSurface } from "./drawing/svg/svg-figure.ts";
import { themeOf } from "./drawing/theme.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/*
 * Rotates the surfaces of a page with the mouse or the arrow keys. Shapes carry their position in the box (data-p,
 * data-o, data-e, data-d of svg-shapes.ts), axes exist for each quadrant, and faces are sorted from far to near.
 */
export const rotationScript = `
for (const box of document.querySelectorAll("g[data-turns]")) {
  const [left, top, size, height] = box.dataset.turns.split(",").map(Number);
  const picture = box.closest("svg");
  const faces = box.querySelector("[data-faces]");
  let [yaw, pitch, held] = [30, 30, null];
  const positions = (text) => text.split(" ").map((position) => position.split(",").map((share) => share - 0.5));
  const draw = () => {
    const [a, b] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
    const [sin, cos] = [Math.sin(a), Math.cos(a)];
    const project = ([x, y, z]) => [
      left + size * (x * cos - y * sin),
      top - size * (z * height * Math.cos(b) + (x * sin + y * cos) * Math.sin(b)),
    ];
    const quarter = String(Math.floor(yaw / 90) % 4);
    for (const axes of box.querySelectorAll("[data-quarter]"))
      axes.setAttribute("display", axes.dataset.quarter === quarter ? "inline" : "none");
    for (const shape of box.querySelectorAll("[data-p]")) {
      const points = positions(shape.dataset.p).map(project);
      const [dx, dy] = (shape.dataset.o ?? "0,0").split(",").map(Number);
      const [x, y] = shape.localName === "circle" ? ["cx", "cy"] : ["x", "y"];
      if (shape.localName.startsWith("poly")) shape.setAttribute("points", points.join(" "));
      else shape.setAttribute(x, points[0][0] + dx), shape.setAttribute(y, points[0][1] + dy);
    }
    for (const title of box.querySelectorAll("[data-e]")) {
      const [p, q] = positions(title.dataset.e).map(project).sort((one, other) => one[0] - other[0]);
      const angle = Math.atan2(q[1] - p[1], q[0] - p[0]);
      const x = (p[0] + q[0]) / 2 - Math.sin(angle) * title.dataset.d;
      const y = (p[1] + q[1]) / 2 + Math.cos(angle) * title.dataset.d;
      title.setAttribute("transform", "translate(" + x + " " + y + ") rotate(" + (angle * 180) / Math.PI + ")");
    }
    const away = (face) => Math.sign(sin) * face.dataset.i + Math.sign(cos) * face.dataset.j;
    faces.append(...[...faces.children].sort((one, other) => away(other) - away(one)));
  };
  const turn = (right, up) => {
    yaw = (yaw + right + 3600) % 360;
    pitch = Math.min(80, Math.max(5, pitch + up));
    draw();
  };
  picture.setAttribute("tabindex", "0");
  picture.style.cursor = "grab";
  picture.style.touchAction = "none";
  picture.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointerup", () => (held = null));
  picture.addEventListener("pointermove", (event) => {
    if (held === null) return;
    turn((event.clientX - held[0]) * 0.4, (event.clientY - held[1]) * 0.3);
    held = [event.clientX, event.clientY];
  });
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    turn(...step);
  });
}
`;

/** SHA-256 of the script (base64) for the page's Content-Security-Policy. */
export const rotationHash = "sha256-+jMOUekeaBvuY18A/HyJP37ddKyP0MUutoyKPDpczBI=";

/**
 * A figure as a self-contained HTML page with charts as inline SVG. Scripts rotate surfaces and make flame graphs
 * interactive.
 */
export const html = Object.freeze<Renderer>({
  kind: "renderer",
  name: "html",
  synopsis: "HTML page",
  options: [],
  mediaType: "text/html; charset=utf-8",
  extension: "html",
  render: renderHtml,
});

const narrowScreen = "@media screen and (max-width: 600px)";
const narrowSize = { width: 360, height: 400 };

async function renderHtml(figure: Figure, options: RenderOptions): Promise<string> {
  const { columns, cell } = cellsOf(figure, options.width, options.height);
  const blocks = await Promise.all(
    figure.blocks.map((block, i) => blockMarkup(block, { ...options, ...cell }, `c${i}`)),
  );
  const has = (kind: Block["kind"]): boolean => figure.blocks.some((block) => block.kind === kind);
  const turns = figure.blocks.some((block) => block.kind === "surface" && block.flat !== true);
  const scripts = [
    ...(turns ? [{ script: rotationScript, hash: rotationHash }] : []),
    ...(has("flame") ? [{ script: flameScript, hash: flameHash }] : []),
  ];
  const policy = scripts.length === 0 ? "" : `; script-src ${scripts.map(({ hash }) => `'${hash}'`).join(" ")}`;
  const hint = turns ? "\n<p>Drag a surface to turn it, or choose it and press the arrow keys.</p>" : "";
  // HTML requires a title (HTML, 4.2.2).
  const title = markupText(figure.title === "" ? "perfkeep" : figure.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${styleOf(options.dark)}${options.dark ? "" : darkPreferenceStyle()}${gridStyle(columns)}</style>
</head>
<body>
${figure.title === "" ? "" : `<h1>${title}</h1>\n`}<main>
${blocks.join("\n")}
</main>${hint}${scripts.map(({ script }) => `\n<script>${script}</script>`).join("")}
</body>
</html>
`;
}

function gridStyle(columns: number): string {
  if (columns === 1) return "";
  const grid = `main { display: grid; grid-template-columns: repeat(${columns}, 1fr); }`;
  return `${grid}\n${narrowScreen} { main { display: block; } }\n`;
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
${narrowScreen} { body { margin: 1em; } h1 { font-size: 1.4em; } .wide { display: none; } .narrow { display: block; } }
${colorsOf(dark)}
`;
}

function colorsOf(dark: boolean): string {
  const { background, text, grid } = themeOf(dark);
  return `body { background: ${background}; color: ${text}; } th, td { border-color: ${grid}; }`;
}

function darkPreferenceStyle(): string {
  const rules = `:root { color-scheme: dark; } ${colorsOf(true)} ${darkRules()}`;
  return `@media screen and (prefers-color-scheme: dark) { ${rules} }\n`;
}

async function blockMarkup(block: Block, paper: RenderOptions, id: string): Promise<string> {
  if (block.kind === "table") return tableMarkup(block);
  if (block.kind === "chart") return forBothWidths((own, name) => chartWithTooltips(block, own, name), paper, id);
  if (block.kind === "surface")
    return forBothWidths(async (own, name) => rotatableSurface(block, own, name), paper, id);
  if (block.kind === "flame") return `<div class="flame">${svgFlameGraph(block, paper)}</div>`;
  return `<pre>${linesMarkup(block.text)}</pre>`;
}

/** Above this number of points, tooltips would make up most of the page. */
const maxTooltips = 2000;
/** Half the least size in pixels of an area that shows a tooltip. */
const leastHalf = 6;
const captionHeight = 24;

/** A chart whose points show their numbers below the pointer. */
async function chartWithTooltips(chart: ChartBlock, paper: RenderOptions, id: string): Promise<string> {
  const svg = await svgChart(chart, paper, id);
  const spots = chartSpots(chart, paper);
  if (spots.length > maxTooltips) return svg;
  const top = chart.caption === undefined ? 0 : captionHeight;
  const areas = spots.map(({ x, y, halfWidth, halfHeight, text }) => {
    const [right, down] = [Math.max(leastHalf, halfWidth), Math.max(leastHalf, halfHeight)];
    const [left, above] = [x - right, y + top - down].map(Math.round);
    const size = `width="${Math.round(2 * right)}" height="${Math.round(2 * down)}"`;
    const title = markupText(terminalText(text));
    return `<rect x="${left}" y="${above}" ${size} fill="transparent"><title>${title}</title></rect>`;
  });
  return svg.replace(/<\/svg>\s*$/, () => `${areas.join("\n")}\n</svg>\n`);
}

/** Draws a second, narrow picture for small screens, since a scaled-down one is unreadable. */
async function forBothWidths(
  draw: (paper: RenderOptions, id: string) => Promise<string>,
  paper: RenderOptions,
  id: string,
): Promise<string> {
  const [wide, narrow] = [await draw(paper, id), await draw({ ...paper, ...narrowSize }, `${id}n`)];
  return `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
}

function tableMarkup(table: TableBlock): string {
  const row = (tag: "th" | "td", cells: readonly string[], details = ""): string => {
    const marked = cells.map((cell, i) => {
      const markup = details === "" || i < cells.length - 1 ? markupText(cell) : foldedMarkup(cell, details);
      return `<${tag}${table.head[i]?.align === "right" ? ' class="number"' : ""}>${markup}</${tag}>`;
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
