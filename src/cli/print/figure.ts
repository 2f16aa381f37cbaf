import { render } from "../../commands/report/index.ts";
import type { Figure } from "../../core/figures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Session } from "../session.ts";

/** Overrides: renderer options instead of those of the command line; output to a separate file. */
interface Rendering {
  readonly values?: Values;
  readonly toFile?: boolean;
}

/** Renders the figure in the format `medium`, sized for the terminal or a file. */
export function renderFigure(
  { workspace, output, unicode, format, formatValues, dark }: Session,
  figure: Figure,
  medium: string,
  { values = medium === format ? formatValues : new Map(), toFile = false }: Rendering = {},
): Promise<string | Uint8Array> {
  const size = output.toTerminal ? { width: output.width } : {};
  const terminal = toFile ? {} : { ...size, color: output.options.color };
  const notice = (text: string): void => output.note(text);
  return render(workspace, figure, medium, { unicode, dark, terminal, values, notice });
}
