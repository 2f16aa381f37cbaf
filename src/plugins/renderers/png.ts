import { renderAsync, Resvg, type ResvgRenderOptions } from "@resvg/resvg-js";
import { Failure } from "../../core/failures/index.ts";
import type { Figure } from "../../core/figures/index.ts";
import { svgFigure } from "./drawing/svg/svg-figure.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/**
 * A figure as a PNG image with two device pixels per pixel. Deterministic on every machine: uses only the given font.
 */
export const png = Object.freeze<Renderer>({
  kind: "renderer",
  name: "png",
  synopsis: "PNG picture",
  options: [],
  mediaType: "image/png",
  extension: "png",
  render: renderPng,
});

const probe = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">M</text></svg>';

async function renderPng(figure: Figure, options: RenderOptions): Promise<Uint8Array> {
  const font = fontOf(options);
  // resvg silently omits text when it has no font.
  if (new Resvg(probe, { font }).getBBox() === undefined) throw fontMissing(options);
  const picture = await renderAsync(await svgFigure(figure, options), { fitTo: { mode: "zoom", value: 2 }, font });
  return picture.asPng();
}

function fontOf(options: RenderOptions): NonNullable<ResvgRenderOptions["font"]> {
  if (options.fontFile === undefined) throw fontMissing(options);
  const family = "DejaVu Sans";
  return { fontFiles: [options.fontFile], loadSystemFonts: false, defaultFontFamily: family, sansSerifFamily: family };
}

function fontMissing(options: RenderOptions): Failure {
  return new Failure("font-missing", { medium: "png", path: options.fontFile });
}
