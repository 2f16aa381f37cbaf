import { createHash } from "node:crypto";
import { join } from "node:path";
import { listFolder, makeFolder, removeDurably, writeDurably, readRegularFile } from "../../store/durable/index.ts";
import type { MoveNote, MoveNotes } from "../../store/experiments/index.ts";

const maxNoteBytes = 65_536;

/** Journal of moves of experiments that may have to resume after a kill: one file each in `<folder>/run/moves`. */
export function moveNotes(folder: string): MoveNotes {
  const moves = join(folder, "run", "moves");
  const pathOf = (source: string, target: string, experiment: string): string => {
    const key = JSON.stringify([source, target, experiment.toLowerCase()]);
    return join(moves, `${createHash("sha256").update(key).digest("hex")}.json`);
  };
  return {
    namesBetween: (source, target) =>
      filesIn(moves).flatMap((name) => {
        const note = parseNote(readRegularFile(join(moves, name), maxNoteBytes));
        return note?.experiment !== undefined && note.source.database === source && note.target.database === target
          ? [note.experiment]
          : [];
      }),
    find: (source, target, experiment) => {
      const note = parseNote(readRegularFile(pathOf(source, target, experiment), maxNoteBytes));
      return note?.source.database === source && note.target.database === target ? note : undefined;
    },
    put(note, experiment) {
      makeFolder(moves);
      const path = pathOf(note.source.database, note.target.database, experiment);
      writeDurably(path, [new TextEncoder().encode(`${JSON.stringify({ ...note, experiment })}\n`)]);
    },
    remove: (source, target, experiment) => void removeDurably(pathOf(source, target, experiment)),
  };
}

function filesIn(folder: string): string[] {
  return listFolder(folder).flatMap(({ name }) => (name.endsWith(".json") ? [name] : []));
}

/** A damaged note is ignored: the copy stays, and the name is taken. Early notes have no name. */
function parseNote(bytes: Uint8Array | null): (MoveNote & { readonly experiment?: string }) | undefined {
  if (bytes === null) return undefined;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as (MoveNote & { readonly experiment?: string }) | null;
    const { source, target } = value ?? {};
    const isComplete =
      Number.isSafeInteger(source?.experiment) &&
      Number.isSafeInteger(target?.experiment) &&
      Number.isSafeInteger(value?.at) &&
      [source?.entry, target?.entry ?? "", value?.contents, value?.owner ?? "", value?.experiment ?? ""].every(
        (each) => typeof each === "string",
      );
    return isComplete && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
