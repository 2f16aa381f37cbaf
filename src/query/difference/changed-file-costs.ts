import type { CostChange } from "../../core/profiles/profile-difference.ts";

/** A function whose cost changed, in a file that was changed. */
export interface TouchedCost {
  readonly path: string;
  readonly name: string;
  /** Of all that changed in its quantity. */
  readonly share: number;
}

/**
 * The rows whose source file is one of `paths`, the greatest share first. A profile may have a file with more folders
 * in front, or with fewer, than the repository has; of two files of one name in different folders the one with more
 * folders in common is meant.
 */
export function touchedCosts(rows: readonly CostChange[], paths: readonly string[]): TouchedCost[] {
  const found = rows.flatMap(({ name, file, share }): TouchedCost[] => {
    const path = file === null ? undefined : bestPath(file, paths);
    return path === undefined ? [] : [{ path, name, share }];
  });
  return found.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}

function bestPath(file: string, paths: readonly string[]): string | undefined {
  const fitting = paths.filter((path) => isEnding(file, path) || isEnding(path, file));
  return fitting.sort((a, b) => Math.min(b.length, file.length) - Math.min(a.length, file.length))[0];
}

function isEnding(path: string, ending: string): boolean {
  return path === ending || path.endsWith(`/${ending.replace(/^\.?\//, "")}`);
}
