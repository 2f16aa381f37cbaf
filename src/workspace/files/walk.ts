import { readdirSync, type Dirent } from "node:fs";
import { PathGlob } from "../../core/text/index.ts";

/** Which files below a folder are selected, by patterns of their path in it (`PathGlob`). */
export interface FileSelection {
  /** Default: all files. */
  readonly include?: readonly string[];
  /** Files, and folders with everything in them. */
  readonly exclude?: readonly string[];
}

/** Why an entry is not read. */
export type SkipReason = "hidden" | "symbolic link" | "not a regular file" | "name is not UTF-8";

export interface FoundFiles {
  /** Paths in the folder, sorted by their names from the outermost, by UTF-16 code units. */
  readonly paths: readonly string[];
  /** Entries that patterns do not exclude, by reason. */
  readonly skipped: ReadonlyMap<SkipReason, readonly string[]>;
}

/**
 * Finds the regular files below a folder; `list` returns the entries of one of its folders by path, of itself by an
 * empty one. Follows no symbolic links, so it ends. Fails like `list`.
 */
export function walk(
  list: (path: string) => readonly NamedEntry[],
  { include = [], exclude = [] }: FileSelection,
): FoundFiles {
  const [wanted, unwanted] = [include, exclude].map((patterns) => patterns.map((pattern) => new PathGlob(pattern)));
  const paths: string[] = [];
  const skipped = new Map<SkipReason, string[]>();
  const visit = (above: string): void => {
    for (const { name, entry } of list(above)) {
      const path = above === "" ? name : `${above}/${name}`;
      if (unwanted!.some((glob) => glob.matches(path))) continue;
      const reason = skipReason(name, entry);
      if (reason === undefined && entry.isDirectory()) visit(path);
      else if (wanted!.length > 0 && !wanted!.some((glob) => glob.matches(path))) continue;
      else if (reason === undefined) paths.push(path);
      else if (skipped.get(reason)?.push(path) === undefined) skipped.set(reason, [path]);
    }
  };
  visit("");
  return { paths, skipped };
}

/** An entry of a folder; `name` has replacement characters if it is not UTF-8. */
export interface NamedEntry {
  readonly name: string;
  readonly entry: Dirent<Buffer>;
}

/** The entries of a folder, sorted. Fails with the error of the operating system. */
export function entriesOf(folder: string): NamedEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: "buffer" });
  return entries
    .map((entry) => ({ name: entry.name.toString(), entry }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : Buffer.compare(a.entry.name, b.entry.name)));
}

function skipReason(name: string, entry: Dirent<Buffer>): SkipReason | undefined {
  if (!Buffer.from(name).equals(entry.name)) return "name is not UTF-8";
  if (name.startsWith(".")) return "hidden";
  if (entry.isSymbolicLink()) return "symbolic link";
  return entry.isFile() || entry.isDirectory() ? undefined : "not a regular file";
}
