import type { Figure } from "../../core/figures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { RenderOptions } from "../../plugins/renderers/renderer.ts";
import { assetPath, knownFonts } from "../../workspace/files/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Render options; default: 960 by 560 pixels, or lines of any length, without colours. */
export interface RenderRequest extends Partial<RenderOptions> {
  /** Overrides for plain text, which may go to a terminal. */
  readonly terminal?: Partial<RenderOptions>;
  /** Options of the renderer. */
  readonly values?: Values;
}

/** Renders a figure to text or image bytes. Fails with `unknown-plugin`, `nothing-to-draw`. */
export async function render(
  { registry, world }: Workspace,
  figure: Figure,
  medium: string,
  { terminal, values = new Map(), ...paper }: RenderRequest = {},
): Promise<string | Uint8Array> {
  const renderer = await registry.get("renderer", medium);
  const isText = renderer.mediaType.startsWith("text/plain");
  const size = isText ? { width: Number.POSITIVE_INFINITY, height: 24 } : { width: 960, height: 560 };
  const fonts = {
    fontFile: assetPath("fonts/DejaVuSans.ttf"),
    fonts: () => knownFonts(world.environment["HOME"]),
  };
  const defaults = { ...size, color: false, dark: false, unicode: true, ...fonts };
  const all = new Map([...optionsOf(renderer, new Map()), ...values]);
  return renderer.render(figure, { ...defaults, ...paper, ...(isText ? terminal : {}) }, all);
}
