import type { TagitEntry } from "./tagit-tree.ts";

/**
 * Maximum edit distance of the search; beyond it the difference deletes all old lines and inserts all new ones.
 */
const maxEdits = 2000;

const contextLines = 3;

interface Edit {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/** The hunks of a unified difference of two texts; empty when they are equal. */
function unifiedHunks(before: string, after: string): string {
  const edits = editsOf(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ mark }, index) => (mark === " " ? [] : [index]));
  const hunks: [number, number][] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last && index - last[1] <= 2 * contextLines) last[1] = index;
    else hunks.push([index, index]);
  }
  return hunks
    .map(([from, to]) => hunk(edits, Math.max(0, from - contextLines), Math.min(edits.length, to + contextLines + 1)))
    .join("");
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function hunk(edits: readonly Edit[], from: number, to: number): string {
  const count = (marks: string, hunkEdits: readonly Edit[]): number =>
    hunkEdits.filter(({ mark }) => marks.includes(mark)).length;
  const [head, hunkEdits] = [edits.slice(0, from), edits.slice(from, to)];
  const range = (marks: string): string => {
    const length = count(marks, hunkEdits);
    return `${count(marks, head) + (length > 0 ? 1 : 0)},${length}`;
  };
  const lines = hunkEdits.map(
    ({ mark, line }) => mark + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`),
  );
  return `@@ -${range(" -")} +${range(" +")} @@\n${lines.join("")}`;
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (line: string): Edit => ({ mark: " ", line });
  const middle = shortest(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
}

/** E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986: the greedy variant, recording the path. */
function shortest(before: readonly string[], after: readonly string[]): Edit[] {
  const trace: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(maxEdits, before.length + after.length); edits++) {
    const next = new Map<number, number>();
    trace.push(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepDown(reached, diagonal, edits)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return backtrack(trace, before, after);
    }
    reached = next;
  }
  return [...before.map((line): Edit => ({ mark: "-", line })), ...after.map((line): Edit => ({ mark: "+", line }))];
}

function stepDown(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return (
    diagonal === -edits || (diagonal !== edits && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1))
  );
}

function backtrack(trace: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Edit[] {
  const back: Edit[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] ?? new Map<number, number>();
    const down = stepDown(reached, x - y, edits);
    const from = down ? x - y + 1 : x - y - 1;
    const startX = edits === 0 ? 0 : (reached.get(from) ?? 0);
    const startY = edits === 0 ? 0 : startX - from;
    for (; x > startX && y > startY; x--, y--) back.push({ mark: " ", line: before[x - 1] ?? "" });
    if (edits > 0) back.push(down ? { mark: "+", line: after[y - 1] ?? "" } : { mark: "-", line: before[x - 1] ?? "" });
    [x, y] = [startX, startY];
  }
  return back.reverse();
}

/** One of two compared trees. */
export interface TreeSide {
  readonly entries: readonly TagitEntry[];
  read(entry: TagitEntry): Buffer;
}

const modes = { file: "100644", program: "100755", link: "120000" } as const;

/** The difference of two trees in git's format. */
export function treeDifference(from: TreeSide, to: TreeSide): string {
  const [before, after] = [byPath(from), byPath(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => fileDifference(from, before.get(path), to, after.get(path))).join("");
}

/** Paths of entries that differ or exist on one side only. */
export function changedPaths(before: readonly TagitEntry[], after: readonly TagitEntry[]): string[] {
  const state = ({ kind, blob }: TagitEntry): string => `${kind} ${blob}`;
  const known = new Map(before.map((entry) => [entry.path, state(entry)]));
  const changed = after.filter((entry) => known.get(entry.path) !== state(entry)).map(({ path }) => path);
  const remaining = new Set(after.map(({ path }) => path));
  const removed = before.filter(({ path }) => !remaining.has(path)).map(({ path }) => path);
  return [...changed, ...removed].map((path) => Buffer.from(path, "latin1").toString("utf8"));
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
  const name = quotedPath(path);
  const head = [`diff --git a/${name} b/${name}\n`, ...modeLines(before, after)].join("");
  if (before?.blob === after?.blob) return head;
  const [old, now] = [before ? from.read(before) : Buffer.alloc(0), after ? to.read(after) : Buffer.alloc(0)];
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

/** A path may contain any byte but NUL; one with control characters, quotes or backslashes is quoted as JSON. */
function quotedPath(path: string): string {
  const text = Buffer.from(path, "latin1").toString("utf8");
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f"\\]/.test(text) ? JSON.stringify(text) : text;
}
