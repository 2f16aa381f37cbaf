import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";
import type { GeneratorWorld } from "../../plugins/generators/generator.ts";
import { makeFolder } from "../../store/durable/durable-file.ts";
import { writing } from "../../store/durable/file-failure.ts";

export interface GeneratorPlaces {
  /** The tree that is measured. */
  readonly tree: string;
  /** Where files are made; the caller removes it. Need not exist. */
  readonly files: string;
}

/** How much of a file is written at once. */
const chunkSize = 1 << 16;

export function openGeneratorWorld(shell: Shell, { tree, files }: GeneratorPlaces): GeneratorWorld {
  return {
    write(name, pieces) {
      const path = join(files, name);
      makeFolder(files);
      writing(path, () => writeText(path, pieces));
      return path;
    },
    async run(command) {
      const outcome = await shell.run(splitCommand(command), { directory: tree });
      const last = lastLine(outcome.stderr);
      if (outcome.status !== 0)
        throw new Failure("generator-failed", { what: `'${command}' ${endingOf(outcome)}${last ? `: ${last}` : ""}` });
    },
    files: (folder) => filesIn(resolve(tree, folder), folder),
  };
}

function writeText(path: string, pieces: Iterable<string>): void {
  const encoder = new TextEncoder();
  const file = openSync(path, "w", 0o600);
  try {
    let waiting = "";
    const flush = (): void => {
      for (let bytes = encoder.encode(waiting); bytes.length > 0;) bytes = bytes.subarray(writeSync(file, bytes));
      waiting = "";
    };
    for (const piece of pieces) {
      waiting += piece;
      if (waiting.length >= chunkSize) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

function filesIn(path: string, folder: string): { name: string; path: string }[] {
  try {
    const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
    return names.map(({ name }) => ({ name, path: join(path, name) })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such folder" : (error as Error).message;
    throw new Failure("generator-failed", { what: `${folder}: ${reason}` }, error);
  }
}
