import type { Figure } from "../../core/figures/index.ts";
import { svgFigure } from "./drawing/svg/svg-figure.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/** A figure as an SVG image; text is in DejaVu Sans if the viewer has it. */
export const svg = Object.freeze<Renderer>({
  kind: "renderer",
  name: "svg",
  synopsis: "SVG picture",
  options: [],
  mediaType: "image/svg+xml",
  extension: "svg",
  render: (figure: Figure, options: RenderOptions) => svgFigure(figure, options),
});
