// Draws docs/architecture.svg from the sources: the layers and rooms of src/, with an arrow for each import between
// rooms of one layer. `npm run architecture` writes the picture; house.mjs fails if the stored one is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFiles } from "./project-files.mjs";
import { root as ownRoot } from "./prepare.mjs";

export const picture = "docs/architecture.svg";

/** The layers from top to bottom; layers of one level are drawn next to each other. */
const levels = [
  [
    { layer: "cli", says: "parses arguments, prints results" },
    { layer: "web", says: "the dashboard in the browser" },
  ],
  [{ layer: "commands", says: "one module per verb: data in, data out" }],
  [{ layer: "workspace", says: "connects files, processes, databases and plug-ins" }],
  [
    { layer: "store", says: "objects, indexes, experiments" },
    { layer: "plugins", says: "one contract per kind, with its members" },
  ],
  [{ layer: "query", says: "pure: plans, series, verdicts, figures" }],
  [
    { layer: "formats", says: "parsers and printers" },
    { layer: "math", says: "numerics with known answers" },
  ],
  [{ layer: "core", says: "data types without dependencies" }],
];

/** Names of the layers from top to bottom. */
const order = levels.flat().map(({ layer }) => layer);

const size = { width: 1180, margin: 20, box: 24, gap: 12, row: 44, head: 52, letter: 6.7, level: 16 };

const byName = (a, b) => (a < b ? -1 : 1);

function layerOf(file) {
  const [top, second] = file.split("/");
  return top === "web" ? "web" : second;
}

/** A file below `store/objects/` of `src/` is in the room `objects`; a file directly in its layer has no room. */
function roomOf(file) {
  const parts = file.split("/");
  const depth = parts[0] === "web" ? 1 : 2;
  return parts.length > depth + 1 ? parts[depth] : undefined;
}

/**
 * `rooms`: for each layer, its rooms with the rooms of the same layer that they import. `below`: for each layer, the
 * other layers that it imports.
 */
export function sourceGraph(root) {
  const isSource = (file) => /^(?:src|web)\/.*[.]tsx?$/.test(file) && !file.endsWith(".test.ts");
  const files = projectFiles(root).filter(isSource).sort(byName);
  const known = new Set(files);
  const rooms = new Map();
  const below = new Map();
  for (const file of files) {
    const [layer, room] = [layerOf(file), roomOf(file)];
    const ofLayer = rooms.get(layer) ?? rooms.set(layer, new Map()).get(layer);
    if (room !== undefined && !ofLayer.has(room)) ofLayer.set(room, new Set());
    if (!below.has(layer)) below.set(layer, new Set());
    for (const [, specifier] of readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"([.][^"]+)"/g)) {
      const target = normalize(join(dirname(file), specifier));
      if (!known.has(target)) continue;
      const other = roomOf(target);
      if (layerOf(target) !== layer) below.get(layer).add(layerOf(target));
      else if (room !== undefined && other !== undefined && other !== room) ofLayer.get(room).add(other);
    }
  }
  return { rooms, below };
}

/** The transitive reduction: without arrows that follow from others. */
function reduced(rooms) {
  const reaches = (from, to, without) =>
    [...rooms.get(from)].some((next) => next !== without && (next === to || reaches(next, to)));
  return new Map(
    [...rooms].map(([room, below]) => [room, [...below].filter((to) => !reaches(room, to, to)).sort(byName)]),
  );
}

/** For each room, the longest chain of rooms below it in its layer. */
function depths(rooms) {
  const found = new Map();
  const depth = (room) => {
    if (!found.has(room)) found.set(room, Math.max(0, ...[...rooms.get(room)].map((below) => depth(below) + 1)));
    return found.get(room);
  };
  for (const room of rooms.keys()) depth(room);
  return found;
}

/** Rows of boxes, rooms that import none of their layer last; rows that are too wide wrap. */
function boxesOf(rooms, left, width) {
  const depth = depths(rooms);
  const boxes = new Map();
  let y = size.head;
  for (const level of [...new Set(depth.values())].sort((a, b) => b - a)) {
    for (const row of rowsOf([...rooms.keys()].filter((name) => depth.get(name) === level).sort(byName), width)) {
      let x = left + (width - widthOf(row)) / 2;
      for (const room of row) {
        boxes.set(room, { x, y, wide: wideOf(room) });
        x += wideOf(room) + size.gap;
      }
      y += size.row;
    }
  }
  return { boxes, height: y - size.row + size.box + size.margin };
}

const wideOf = (room) => Math.round(room.length * size.letter) + 16;
const widthOf = (row) => row.reduce((sum, room) => sum + wideOf(room) + size.gap, -size.gap);

function rowsOf(names, width) {
  const rows = [[]];
  for (const name of names) {
    if (widthOf([...rows.at(-1), name]) > width - 2 * size.margin) rows.push([]);
    rows.at(-1).push(name);
  }
  return rows;
}

function arrow(from, to) {
  const [x1, y1] = [from.x + from.wide / 2, from.y + size.box];
  const [x2, y2] = [to.x + to.wide / 2, to.y];
  const bend = Math.max(10, (y2 - y1) / 2);
  return `<path class="arrow" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 2}"/>`;
}

function layerPicture({ layer, says }, graph, left, width) {
  const rooms = graph.rooms.get(layer) ?? new Map();
  const { boxes, height } = boxesOf(rooms, left, width);
  const arrows = [...reduced(rooms)].flatMap(([room, below]) =>
    below.map((to) => arrow(boxes.get(room), boxes.get(to))),
  );
  const drawn = [...boxes].map(
    ([room, { x, y, wide }]) =>
      `<rect class="room" x="${x}" y="${y}" width="${wide}" height="${size.box}" rx="4"/>` +
      `<text x="${x + wide / 2}" y="${y + 16}" text-anchor="middle">${room}</text>`,
  );
  const imported = order.filter((other) => graph.below.get(layer)?.has(other));
  const note = `<text class="note" x="${left + 12}" y="36">imports ${imported.join(", ") || "no other layer"}</text>`;
  const words = `<tspan class="layer">${layer}</tspan><tspan dx="10">${says}</tspan>`;
  const title = `<text x="${left + 12}" y="19">${words}</text>`;
  const frame = (tall) => `<rect class="band" x="${left}" y="0" width="${width}" height="${tall}" rx="6"/>`;
  return { height, draw: (tall) => [frame(tall), title, note, ...arrows, ...drawn] };
}

const style = [
  "text{font:12px system-ui,sans-serif;fill:#222}",
  ".layer{font-weight:700}",
  ".note{font-size:11px;fill:#5b6675}",
  ".band{fill:#f3f5f8;stroke:#c5ccd6}",
  ".room{fill:#fff;stroke:#7a8699}",
  ".arrow{fill:none;stroke:#8fa3bf;stroke-width:1.2;marker-end:url(#tip)}",
  "#tip path{fill:#8fa3bf}",
  "@media(prefers-color-scheme:dark){text{fill:#dde3ec}.note{fill:#93a0b3}.band{fill:#1b2028;stroke:#3a4453}",
  ".room{fill:#252c37;stroke:#66738a}.arrow{stroke:#5f7391}#tip path{fill:#5f7391}}",
].join("");

/** The whole picture as SVG. */
export function architecture(root) {
  const graph = sourceGraph(root);
  const lines = [];
  let y = 0;
  for (const level of levels) {
    const width = (size.width - size.gap * (level.length - 1)) / level.length;
    const drawn = level.map((each, index) => layerPicture(each, graph, index * (width + size.gap), width));
    const tall = Math.max(...drawn.map(({ height }) => height));
    lines.push(`<g transform="translate(0 ${y})">`, ...drawn.flatMap(({ draw }) => draw(tall)), "</g>");
    y += tall + size.level;
  }
  const viewBox = `-4 -4 ${size.width + 8} ${y - size.level + 8}`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img">`;
  const marker = `<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">`;
  const tip = `${marker}<path d="M0 0L8 4L0 8z"/></marker>`;
  const title = "<title>The layers and rooms of src/; imports point down</title>";
  return [head, title, `<style>${style}</style>`, `<defs>${tip}</defs>`, ...lines, "</svg>", ""].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(ownRoot, picture), architecture(ownRoot));
