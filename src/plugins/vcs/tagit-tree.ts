import { Failure } from "../../core/failures/failure.ts";

/** One file of a version. */
export interface TagitEntry {
  /** Bytes of the path as a Latin-1 text, segments separated by `/`: a name need not be UTF-8. */
  readonly path: string;
  readonly kind: "file" | "program" | "link";
  readonly blob: string;
}

const letters = { file: "f", program: "x", link: "l" } as const;
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter as string, kind as TagitEntry["kind"]]));

/** Entries in order of path: letter of the kind, blank, blob, blank, path, NUL. */
export function encodeTree(entries: readonly TagitEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  return Buffer.from(sorted.map(({ kind, blob, path }) => `${letters[kind]} ${blob} ${path}\0`).join(""), "latin1");
}

/** Fails with `vcs-failed` on a tree that would write outside of the folder it is put into, or twice to one place. */
export function decodeTree(bytes: Buffer): TagitEntry[] {
  const entries = bytes
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .map((record) => entryOf(record));
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.size !== entries.length) throw bad("it holds a path twice");
  for (const { path } of entries)
    if (foldersOf(path).some((folder) => paths.has(folder))) throw bad("a file lies below a file");
  return entries;
}

/** The folders on the way to `path`, outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

function entryOf(record: string): TagitEntry {
  const [, letter = "", blob = "", path = ""] = /^([fxl]) ([0-9a-f]{64}) (.+)$/s.exec(record) ?? [];
  const kind = kinds.get(letter);
  if (kind === undefined) throw bad("it is garbled");
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".." || segment === ".tagit")) {
    throw bad("it holds a path that leads elsewhere");
  }
  return { path, kind, blob };
}

function bad(reason: string): Failure {
  const remedy = "bring the .tagit folder back from a copy; perfkeep changed nothing";
  return new Failure("vcs-failed", { program: "tagit", command: "read", path: "a tree", reason, remedy });
}
