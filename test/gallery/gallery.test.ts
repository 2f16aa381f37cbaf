import { join } from "node:path";
import { expect, it } from "vitest";
import { html } from "../../src/plugins/renderers/html.ts";
import { markdown } from "../../src/plugins/renderers/markdown.ts";
import type { Renderer, RenderOptions } from "../../src/plugins/renderers/renderer.ts";
import { svg } from "../../src/plugins/renderers/svg.ts";
import { text } from "../../src/plugins/renderers/text.ts";
import { figures } from "./figures.ts";
import { sameAsBefore } from "./same-as-before.ts";

/* Compares each figure of the gallery with its reviewed picture in `output/`. */
const folder = join(import.meta.dirname, "output");
const terminal: RenderOptions = { width: 90, height: 26, color: false, dark: false, unicode: true };
const picture: RenderOptions = { ...terminal, width: 800, height: 500 };

const media: readonly {
  readonly renderer: Renderer;
  readonly options: RenderOptions;
  readonly suffix: string;
  readonly only?: string;
}[] = [
  { renderer: text, options: terminal, suffix: ".txt" },
  { renderer: text, options: { ...terminal, unicode: false }, suffix: ".ascii.txt" },
  { renderer: text, options: { ...terminal, color: true }, suffix: ".color.txt", only: "two-axes" },
  { renderer: svg, options: picture, suffix: ".svg" },
  { renderer: svg, options: { ...picture, dark: true }, suffix: ".dark.svg", only: "error-bars" },
  { renderer: html, options: picture, suffix: ".html", only: "hostile" },
  { renderer: markdown, options: picture, suffix: ".md", only: "hostile" },
];

const pictures = media.flatMap((medium) =>
  Object.entries(figures)
    .filter(([name]) => medium.only === undefined || medium.only === name)
    .map(([name, figure]) => ({ ...medium, figure, file: `${name}${medium.suffix}` })),
);

it.each(pictures)("$file is unchanged", async ({ renderer, options, figure, file }) => {
  const shown = String(await renderer.render(figure, options, new Map()));
  const path = join(folder, file);
  const isSame = sameAsBefore(path, shown);
  expect(isSame, `${file} changed: compare it with ${path}`).toBe(true);
});
