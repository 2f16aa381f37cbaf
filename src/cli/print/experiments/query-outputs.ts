import { drawPictures, type QueryOutput } from "../../../commands/query/query-outputs.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

/**
 * Prints what a query yields, and writes its files: nothing before everything is made, each file whole or not at all.
 */
export async function writeOutputs(session: Session, outputs: readonly QueryOutput[]): Promise<void> {
  const { output, workspace } = session;
  const contents: (string | Uint8Array)[] = [];
  for (const each of outputs) contents.push(await contentOf(session, each));
  outputs.forEach(({ file }, at) => {
    const content = contents[at] ?? "";
    if (file === undefined) output.data(content);
    else output.save(workspace.files.resolve(file), content);
  });
  for (const note of await drawPictures(workspace, outputs)) output.note(terminalText(note));
}

function contentOf(session: Session, each: QueryOutput): string | Uint8Array | Promise<string | Uint8Array> {
  if (each.kind === "content") return each.content;
  return renderFigure(session, each.figure, each.renderer, { toFile: each.file !== undefined });
}
