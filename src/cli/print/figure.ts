import { render } from "../../commands/render.ts";
import type { Figure } from "../../core/figure.ts";
import type { Values } from "../../core/value.ts";
import type { Session } from "../session.ts";

/** The figure in the medium of that name, sized for where it goes: the terminal, or `toFile` a file of its own. */
export function renderFigure(
  { workspace, output, unicode }: Session,
  figure: Figure,
  medium: string,
  values: Values = new Map(),
  toFile = false,
): Promise<string | Uint8Array> {
  const size = output.toTerminal ? { width: output.width } : {};
  const terminal = toFile ? {} : { ...size, color: output.options.color };
  return render(workspace, figure, medium, { unicode, terminal, values });
}
