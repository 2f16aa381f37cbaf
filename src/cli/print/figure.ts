import { render } from "../../commands/report/render.ts";
import type { Figure } from "../../core/figures/figure.ts";
import type { Values } from "../../core/values/value.ts";
import type { Session } from "../session.ts";

/** Options of the renderer instead of those of the command line, and whether it goes to a file of its own. */
interface Rendering {
  readonly values?: Values;
  readonly toFile?: boolean;
}

/** The figure in the medium of that name, sized for where it goes: the terminal, or a file. */
export function renderFigure(
  { workspace, output, unicode, format, formatValues, dark }: Session,
  figure: Figure,
  medium: string,
  { values = medium === format ? formatValues : new Map(), toFile = false }: Rendering = {},
): Promise<string | Uint8Array> {
  const size = output.toTerminal ? { width: output.width } : {};
  const terminal = toFile ? {} : { ...size, color: output.options.color };
  return render(workspace, figure, medium, { unicode, dark, terminal, values });
}
