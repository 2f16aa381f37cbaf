import type { Block, Figure, TableBlock } from "../../core/figures/figure.ts";
import { markupText } from "../../core/text/markup-escape.ts";
import { terminalLines } from "../../core/text/terminal-text.ts";
import { flameHash, flameScript } from "./drawing/svg/flame-script.ts";
import { cellsOf, darkRules, svgChart, svgFlameGraph, turningSurface } from "./drawing/svg/svg-figure.ts";
import { themeOf } from "./drawing/theme.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/*
 * Turns the surfaces of a page by the mouse or the arrow keys: every shape says by `data-p` where in the box it is
 * (data-p, data-o, data-e, data-d of svg-shapes.ts), the axes are there for each quarter of the circle, and faces are
 * sorted anew from far to near.
 */
export const turningScript = `
for (const box of document.querySelectorAll("g[data-turns]")) {
  const [left, top, size, height] = box.dataset.turns.split(",").map(Number);
  const picture = box.closest("svg");
  const faces = box.querySelector("[data-faces]");
  let [yaw, pitch, held] = [30, 30, null];
  const places = (text) => text.split(" ").map((place) => place.split(",").map((share) => share - 0.5));
  const draw = () => {
    const [a, b] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
    const [sin, cos] = [Math.sin(a), Math.cos(a)];
    const project = ([x, y, z]) => [
      left + size * (x * cos - y * sin),
      top - size * (z * height * Math.cos(b) + (x * sin + y * cos) * Math.sin(b)),
    ];
    const quarter = String(Math.floor(yaw / 90) % 4);
    for (const axes of box.querySelectorAll("[data-quarter]")) axes.setAttribute("display", axes.dataset.quarter === quarter ? "inline" : "none");
    for (const shape of box.querySelectorAll("[data-p]")) {
      const points = places(shape.dataset.p).map(project);
      const [dx, dy] = (shape.dataset.o ?? "0,0").split(",").map(Number);
      const [x, y] = shape.localName === "circle" ? ["cx", "cy"] : ["x", "y"];
      if (shape.localName.startsWith("poly")) shape.setAttribute("points", points.join(" "));
      else shape.setAttribute(x, points[0][0] + dx), shape.setAttribute(y, points[0][1] + dy);
    }
    for (const title of box.querySelectorAll("[data-e]")) {
      const [p, q] = places(title.dataset.e).map(project).sort((one, other) => one[0] - other[0]);
      const angle = Math.atan2(q[1] - p[1], q[0] - p[0]);
      const [x, y] = [(p[0] + q[0]) / 2 - Math.sin(angle) * title.dataset.d, (p[1] + q[1]) / 2 + Math.cos(angle) * title.dataset.d];
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

/** What the policy of a page has to allow: the SHA-256 of the script (base64). */
export const turningHash = "sha256-1aig/XSPENi0kdXD1TilC77+p5Nui7egzWg2CyY62+o=";

/**
 * A figure as one HTML page without anything to load; charts are SVG pictures in it. Its scripts turn surfaces and make
 * flame graphs answer.
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
