import { unifiedHunks } from "./tagit-diff.ts";
import type { TagitEntry } from "./tagit-tree.ts";

/** One of the two trees that are compared. */
export interface TreeSide {
  readonly entries: readonly TagitEntry[];
  content(entry: TagitEntry): Buffer;
}

const modes = { file: "100644", program: "100755", link: "120000" } as const;

/** The difference of two trees in git's form. */
export function treeDifference(from: TreeSide, to: TreeSide): string {
  const [before, after] = [byPath(from), byPath(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => fileDifference(from, before.get(path), to, after.get(path))).join("");
}

/** The paths of entries that only one side has, or that differ. */
export function changedPaths(before: readonly TagitEntry[], after: readonly TagitEntry[]): string[] {
  const state = ({ kind, blob }: TagitEntry): string => `${kind} ${blob}`;
  const known = new Map(before.map((entry) => [entry.path, state(entry)]));
  const changed = after.filter((entry) => known.get(entry.path) !== state(entry)).map(({ path }) => path);
  const left = new Set(after.map(({ path }) => path));
  const gone = before.filter(({ path }) => !left.has(path)).map(({ path }) => path);
  return [...changed, ...gone].map((path) => Buffer.from(path, "latin1").toString("utf8"));
}

function byPath({ entries }: TreeSide): ReadonlyMap<string, TagitEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function fileDifference(
  from: TreeSide,
  before: TagitEntry | undefined,
  to: TreeSide,
  after: TagitEntry | undefined,
): string {
  const path = before?.path ?? after?.path ?? "";
  if (before?.kind === after?.kind && before?.blob === after?.blob) return "";
  const name = shown(path);
  const head = [`diff --git a/${name} b/${name}\n`, ...modeLines(before, after)].join("");
  if (before?.blob === after?.blob) return head;
  const [old, now] = [before ? from.content(before) : Buffer.alloc(0), after ? to.content(after) : Buffer.alloc(0)];
  const [left, right] = [before ? `a/${name}` : "/dev/null", after ? `b/${name}` : "/dev/null"];
  if (old.includes(0) || now.includes(0)) return `${head}Binary files ${left} and ${right} differ\n`;
  const hunks = unifiedHunks(old.toString("utf8"), now.toString("utf8"));
  return hunks === "" ? head : `${head}--- ${left}\n+++ ${right}\n${hunks}`;
}

function modeLines(before: TagitEntry | undefined, after: TagitEntry | undefined): string[] {
  if (!before) return after ? [`new file mode ${modes[after.kind]}\n`] : [];
  if (!after) return [`deleted file mode ${modes[before.kind]}\n`];
  return before.kind === after.kind ? [] : [`old mode ${modes[before.kind]}\n`, `new mode ${modes[after.kind]}\n`];
}

/** A name may hold anything but NUL; one that would break the line is written as a JSON text. */
function shown(path: string): string {
  const text = Buffer.from(path, "latin1").toString("utf8");
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f"\\]/.test(text) ? JSON.stringify(text) : text;
}
