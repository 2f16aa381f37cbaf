import type { DrawnPlot } from "../../commands/plot.ts";
import { Failure } from "../../core/errors.ts";
import type { Figure } from "../../core/figure.ts";
import type { Session } from "../session.ts";
import { renderFigure } from "./figure.ts";

/** Prints a plot as one document, or each plot of a series `intoFiles`, named after the file of -o: `io.svg` becomes `io-4096.svg`. */
export async function printPlot(session: Session, { figure, contents }: DrawnPlot, intoFiles: boolean): Promise<void> {
  if (!intoFiles) return session.output.data(await renderFigure(session, figure, session.format));
  const { file } = session.output.options;
  if (file === undefined)
    throw new Failure("unusable-combination", {
      what: "a series of plots goes to files, and none is named",
      instead: "add -o FILE",
    });
  const names = fileNames(file, contents);
  for (const [i, block] of figure.blocks.entries()) {
    if (block.kind !== "chart" && block.kind !== "surface") continue;
    const { caption, ...bare } = block;
    const single: Figure = {
      title: caption === undefined ? figure.title : `${figure.title}, ${caption}`,
      blocks: [bare],
    };
    const name = names[i] ?? file;
    session.output.save(name, await renderFigure(session, single, session.format, { toFile: true }));
    session.output.note(name);
  }
}

/** One name for each, whatever the contents are: what a name of a file cannot hold becomes `_`, and a second one of the same name is numbered. */
function fileNames(file: string, contents: readonly (readonly string[])[]): string[] {
  const [, base = file, ending = ""] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(file) ?? [];
  const taken = new Set<string>();
  return contents.map((own) => {
    const word = own.map((content) => content.replaceAll(/[^\p{L}\p{N}._+=-]+/gu, "_").slice(0, 60)).join("-");
    let name = `${base}-${word}${ending}`;
    for (let count = 2; taken.has(name); count++) name = `${base}-${word}-${count}${ending}`;
    taken.add(name);
    return name;
  });
}
