import { createDurably } from "../../store/durable/index.ts";
import { createStore } from "../../store/store.ts";
import { localTemplate, type TemplateName } from "./templates.ts";
import { existsSync, accessSync, constants, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

/** Common build output and workload folders (Perun's template `user`). */
const programFolders = ["build", "_build", "dist"];
const workloadFolders = ["workload", "workloads", "examples", "payload", "payloads"].flatMap((name) => [
  name,
  `_${name}`,
]);

const maxFiles = 100;

/** Executable files in the build folders, relative to the root; at most 100. */
export function findPrograms(root: string): string[] {
  return programFolders.flatMap((folder) => filesIn(root, folder, true)).slice(0, maxFiles);
}

/** Files in the workload folders, relative to the root; at most 100. */
export function findWorkloads(root: string): string[] {
  return workloadFolders.flatMap((folder) => filesIn(root, folder, false)).slice(0, maxFiles);
}

function filesIn(root: string, folder: string, executable: boolean): string[] {
  const names = namesIn(join(root, folder)).sort();
  return names
    .filter((name) => isRegularFile(join(root, folder, name), executable))
    .map((name) => `${executable ? "./" : ""}${folder}/${name}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
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
