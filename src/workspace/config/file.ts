import { readFileSync, realpathSync, statSync } from "node:fs";
import { Failure } from "../../core/failures/failure.ts";
import { isSettings, type Setting } from "../../core/values/setting.ts";
import { readPlainYaml } from "../../formats/text/yaml-subset.ts";
import { writeDurably } from "../../store/durable/durable-file.ts";

const maximumSize = 1 << 20;

/**
 * The content of a configuration file: a mapping, or null when there is no file or nothing in it. Fails with
 * `bad-config`.
 */
export async function readConfigFile(path: string): Promise<Setting> {
  return parseConfig(readConfigText(path), path);
}

/**
 * Parses the text of a configuration file; the full YAML reader is loaded only for what the plain one does not know.
 */
export async function parseConfig(text: string, path: string): Promise<Setting> {
  const quick = readPlainYaml(text);
  const root = quick === undefined ? (await import("../../formats/text/yaml.ts")).readYaml(text, path) : quick;
  if (root !== null && !isSettings(root))
    throw new Failure("bad-config", { file: path, line: 1, column: 1, reason: "the file is not a mapping of keys" });
  return root;
}

/** The text of the file; empty when there is none. */
export function readConfigText(path: string): string {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return "";
    if (size > maximumSize)
      throw new Failure("bad-config", { file: path, reason: "larger than 1 MiB", instead: "shorten it" });
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(path, error);
  }
}

/**
 * Replaces the file in one durable step. A shared file that is a link keeps being one, for it is the user's own; a
 * local one is not followed, since it may have come with a clone and point anywhere.
 */
export function writeConfigText(where: "local" | "shared", path: string, text: string): void {
  writeDurably(where === "shared" ? linkTarget(path) : path, [new TextEncoder().encode(text)]);
}

function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function unreadable(path: string, error: unknown): Failure {
  if (error instanceof TypeError)
    return new Failure("bad-config", { file: path, reason: "not UTF-8 text", instead: "save it as UTF-8" }, error);
  const reason = `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  return new Failure("bad-config", { file: path, reason, instead: "check its permissions" }, error);
}
