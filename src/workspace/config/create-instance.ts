import { createDurably } from "../../store/durable/index.ts";
import { createStore } from "../../store/store.ts";
import { localTemplate, type TemplateName } from "./templates.ts";
import { existsSync, accessSync, constants, readdirSync, statSync, type Dirent } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

/** Common build output and workload folders (Perun's template `user`). */
const programFolders = ["build", "_build", "dist"];
const workloadFolders = ["workload", "workloads", "examples", "payload", "payloads"].flatMap((name) => [
  name,
  `_${name}`,
]);

const maxFiles = 100;

/** Limits of the search for these folders, so that a large tree does not delay `init`. */
const maxDepth = 4;
const maxFolders = 5000;

/** Executable files in build folders below the root, relative to it, nearest first; at most 100. */
export function findPrograms(root: string): string[] {
  return filesIn(root, programFolders, true).map((path) => `./${path}`);
}

/** Files in workload folders below the root, relative to it, nearest first; at most 100. */
export function findWorkloads(root: string): string[] {
  return filesIn(root, workloadFolders, false);
}

function filesIn(root: string, names: readonly string[], executable: boolean): string[] {
  const found: string[] = [];
  let level = [""];
  let visited = 0;
  for (let depth = 0; depth <= maxDepth && visited < maxFolders; depth++) {
    visited += level.length;
    for (const name of names)
      for (const folder of level.filter((path) => path.split("/").at(-1) === name))
        found.push(...filesOf(root, folder, executable));
    level = level.flatMap((folder) => foldersOf(root, folder)).slice(0, maxFolders);
  }
  return found.slice(0, maxFiles);
}

function filesOf(root: string, folder: string, executable: boolean): string[] {
  return entriesOf(join(root, folder))
    .map((entry) => `${folder}/${entry.name}`)
    .filter((path) => isRegularFile(join(root, path), executable));
}

/** Subfolders except hidden and installed ones; links are not followed. */
function foldersOf(root: string, folder: string): string[] {
  return entriesOf(join(root, folder))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => (folder === "" ? name : `${folder}/${name}`));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isRegularFile(path: string, executable: boolean): boolean {
  try {
    if (executable) accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface InstanceFacts {
  readonly template: TemplateName;
  readonly type: string;
  /** Absolute path of the repository. */
  readonly repository: string;
}

/**
 * Creates `.perun` with its configuration in `root`; keeps existing files. A `.perun/.gitignore` hides it from `git
 * status`.
 */
export function createInstance(
  root: string,
  facts: InstanceFacts,
): { readonly perun: string; readonly created: boolean } {
  const perun = join(root, ".perun");
  createStore(perun);
  const encoder = new TextEncoder();
  if (!existsSync(join(perun, ".gitignore"))) createDurably(join(perun, ".gitignore"), [encoder.encode("*\n")]);
  const created = createDurably(join(perun, "local.yml"), [encoder.encode(configuration(root, perun, facts))]);
  return { perun, created };
}

function configuration(root: string, perun: string, { template, type, repository }: InstanceFacts): string {
  const isOutside = relative(root, repository).startsWith("..") || isAbsolute(relative(root, repository));
  const url = isOutside ? repository : relative(perun, repository) || ".";
  const scan = template === "user";
  return localTemplate(template, {
    type,
    url,
    commands: scan ? findPrograms(root) : [],
    workloads: scan ? findWorkloads(root) : [],
  });
}
