import type { Figure } from "../../core/figure.ts";
import type { Values } from "../../core/value.ts";
import { assetPath } from "../../workspace/assets.ts";
import type { Session } from "../session.ts";

/** Pixels of pictures that go to a file. */
const picture = { width: 960, height: 560 };

/** The figure in the medium of that name, sized for where it goes: the terminal, or `toFile` a file of its own. */
export async function renderFigure(
  session: Session,
  figure: Figure,
  medium: string,
  values: Values = new Map(),
  toFile = false,
): Promise<string | Uint8Array> {
  const renderer = await session.workspace.registry.get("renderer", medium);
  const { output } = session;
  const isText = renderer.mediaType.startsWith("text/plain");
  const size = isText ? { width: output.toTerminal && !toFile ? output.width : Number.POSITIVE_INFINITY, height: 24 } : picture;
  return renderer.render(
    figure,
    {
      ...size,
      color: isText && !toFile && output.options.color,
      dark: false,
      unicode: session.unicode,
      fontFile: assetPath("fonts/DejaVuSans.ttf"),
    },
    values,
  );
}
