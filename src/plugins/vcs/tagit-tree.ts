import { Failure } from "../../core/failures/index.ts";

/** One file of a version. */
export interface TagitEntry {
  /** Bytes of the path decoded as Latin-1, segments separated by `/`; a name need not be UTF-8. */
  readonly path: string;
  readonly kind: "file" | "program" | "link";
  readonly blob: string;
}

const letters = { file: "f", program: "x", link: "l" } as const;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter as string, kind as TagitEntry["kind"]]));

/** Entries sorted by path: letter of the kind, space, blob, space, path, NUL. */
export function encodeTree(entries: readonly TagitEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  return Buffer.from(sorted.map(({ kind, blob, path }) => `${letters[kind]} ${blob} ${path}\0`).join(""), "latin1");
}

/** Fails with `vcs-failed` on a tree with duplicate paths or paths outside of its root. */
export function decodeTree(bytes: Buffer): TagitEntry[] {
  const entries = bytes
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .map((record) => entryOf(record));
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.size !== entries.length) throw damaged("it contains a path twice");
  for (const { path } of entries)
    if (foldersOf(path).some((folder) => paths.has(folder))) throw damaged("a file is below another file");
  return entries;
}

/** The parent folders of `path`, outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

function entryOf(record: string): TagitEntry {
  const [, letter = "", blob = "", path = ""] = /^([fxl]) ([0-9a-f]{64}) (.+)$/s.exec(record) ?? [];
  const kind = kinds.get(letter);
  if (kind === undefined) throw damaged("it is corrupt");
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".." || segment === ".tagit")) {
    throw damaged("it contains a path outside of the tree");
  }
  return { path, kind, blob };
}

function damaged(reason: string): Failure {
  const remedy = "restore the .tagit folder from a backup; perfkeep changed nothing";
  return new Failure("vcs-failed", { program: "tagit", command: "read", path: "a tree", reason, remedy });
}
