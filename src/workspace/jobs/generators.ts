import { Failure } from "../../core/failures/failure.ts";
import { splitCommand } from "../../core/text/command-line.ts";
import { isSettings, settingAt, settingFlag, settingText, type Setting } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";
import type { Generator, GeneratorWorld } from "../../plugins/generators/generator.ts";
import { makeFolder } from "../../store/durable/durable-file.ts";
import { wrapWriteErrors } from "../../store/durable/file-failure.ts";
import { optionsOf } from "../plugins/plugin-options.ts";
import type { Registry } from "../plugins/registry.ts";
import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";

interface GeneratorPaths {
  /** The tree that is measured. */
  readonly tree: string;
  /** Where files are made; the caller removes it. Need not exist. */
  readonly files: string;
}

/** How much of a file is written at once. */
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

/** A generator as an entry of `generators.workload` describes it. */
export interface PlannedGenerator {
  readonly id: string;
  readonly generator: Generator;
  readonly options: Values;
  /** A profile for each workload; otherwise all go into one. */
  readonly forEach: boolean;
}

/** What every entry has besides the options of its generator. */
const commonKeys = ["id", "type", "profile-for-each-workload"];

/** The entry that a workload names, if it names one. */
export function findGenerator(entries: readonly Setting[], workload: string): Setting | undefined {
  return entries.find((entry) => workload !== "" && settingText(settingAt(entry, "id")) === workload);
}

/**
 * Reads an entry of `generators.workload`. Fails with `bad-config`, `unknown-plugin`, `unknown-collector-option` and
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
