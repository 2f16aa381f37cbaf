import { Failure } from "../../core/failures/index.ts";
import { causeLine, splitCommand } from "../../core/text/index.ts";
import { isSettings, settingAt, settingFlag, settingText, type Setting, type Values } from "../../core/values/index.ts";
import { endingOf, type Shell } from "../../plugins/collectors/collector.ts";
import type { Generator, GeneratorWorld } from "../../plugins/generators/generator.ts";
import { makeFolder, wrapWriteErrors } from "../../store/durable/index.ts";
import { optionsOf, type Registry } from "../plugins/index.ts";
import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";

interface GeneratorPaths {
  /** The measured tree. */
  readonly tree: string;
  /** Folder for generated files, created if missing; the caller removes it. */
  readonly files: string;
}

/** Write buffer size in characters. */
const chunkSize = 1 << 16;

export function openGeneratorWorld(shell: Shell, { tree, files }: GeneratorPaths): GeneratorWorld {
  return {
    write(name, pieces) {
      const path = join(files, name);
      makeFolder(files);
      wrapWriteErrors(path, () => writeText(path, pieces));
      return path;
    },
    async run(command) {
      const outcome = await shell.run(splitCommand(command), { directory: tree });
      const last = causeLine(outcome.stderr);
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
    let buffer = "";
    const flush = (): void => {
      for (let bytes = encoder.encode(buffer); bytes.length > 0;) bytes = bytes.subarray(writeSync(file, bytes));
      buffer = "";
    };
    for (const piece of pieces) {
      buffer += piece;
      if (buffer.length >= chunkSize) flush();
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

/** A generator configured under `generators.workload`. */
export interface PlannedGenerator {
  readonly id: string;
  readonly generator: Generator;
  readonly options: Values;
  /** True: one profile per workload; otherwise one for all. */
  readonly forEach: boolean;
}

/** Keys of every entry, as opposed to options of its generator. */
const commonKeys = ["id", "type", "profile-for-each-workload"];

/** The entry whose id is the workload, if any. */
export function findGenerator(entries: readonly Setting[], workload: string): Setting | undefined {
  return entries.find((entry) => workload !== "" && settingText(settingAt(entry, "id")) === workload);
}

/**
 * Parses an entry of `generators.workload`. Fails with `bad-config`, `unknown-plugin`, `unknown-collector-option` and
 * `bad-collector-option`.
 */
export async function planGenerator(registry: Registry, id: string, entry: Setting): Promise<PlannedGenerator> {
  const type = settingText(settingAt(entry, "type"));
  if (!isSettings(entry) || type === undefined) throw badGenerator(`'${id}' has no type`);
  const given = new Map([...entry].map(([key, value]) => [key.replaceAll("_", "-").toLowerCase(), value]));
  const each = given.get("profile-for-each-workload") ?? false;
  const forEach = settingFlag(each);
  if (forEach === undefined) throw badGenerator(`profile_for_each_workload of '${id}' is neither yes nor no`);
  const generator = await registry.get("generator", type);
  const own = [...given].filter(([key]) => !commonKeys.includes(key));
  const options = optionsOf(generator, new Map(own.map(([key, value]) => [generator.spellings[key] ?? key, value])));
  return { id, generator, options, forEach };
}

function badGenerator(reason: string): Failure {
  return new Failure("bad-config", {
    file: "generators.workload",
    reason,
    instead: "write - {id: sizes, type: integer, min_range: 1, max_range: 9}",
  });
}
