import { drawPictures, type QueryOutput } from "../../../commands/query/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

/** Prints and writes the outputs of a query after all of them are rendered; files are written atomically. */
export async function writeOutputs(session: Session, outputs: readonly QueryOutput[]): Promise<void> {
  const { output, workspace } = session;
  const rendered: (string | Uint8Array)[] = [];
  for (const each of outputs) rendered.push(await renderOutput(session, each));
  outputs.forEach(({ file }, at) => {
    const data = rendered[at] ?? "";
    if (file === undefined) output.data(data);
    else output.save(workspace.files.resolve(file), data);
  });
  for (const note of await drawPictures(workspace, outputs)) output.note(terminalText(note));
}

function renderOutput(session: Session, each: QueryOutput): string | Uint8Array | Promise<string | Uint8Array> {
  if (each.kind === "data") return each.data;
  return renderFigure(session, each.figure, each.renderer, { toFile: each.file !== undefined });
}
