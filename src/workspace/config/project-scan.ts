import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where builds leave programs, and where projects keep inputs for them (Perun's template `user`). */
const programFolders = ["build", "_build", "dist"];
const workloadFolders = ["workload", "workloads", "examples", "payload", "payloads"].flatMap((name) => [
  name,
  `_${name}`,
]);

const most = 100;

/** Executable files of the build folders of a project, relative to its root; at most 100. */
export function findPrograms(root: string): string[] {
  return programFolders.flatMap((folder) => filesIn(root, folder, true)).slice(0, most);
}

/** Files of the folders for workloads, relative to the root; at most 100. */
export function findWorkloads(root: string): string[] {
  return workloadFolders.flatMap((folder) => filesIn(root, folder, false)).slice(0, most);
}

function filesIn(root: string, folder: string, executable: boolean): string[] {
  const names = listed(join(root, folder)).sort();
  return names
    .filter((name) => isWanted(join(root, folder, name), executable))
    .map((name) => `${executable ? "./" : ""}${folder}/${name}`);
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isWanted(path: string, executable: boolean): boolean {
  try {
    if (executable) accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
