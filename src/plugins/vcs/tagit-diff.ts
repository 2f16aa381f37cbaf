/** Lines beyond which no shortest difference is looked for: all of the one is taken away and all of the other put in. */
const mostEdits = 2000;

const contextLines = 3;

interface Edit {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/** The hunks of a unified difference of two texts; empty when they are alike. */
export function unifiedHunks(before: string, after: string): string {
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
  const count = (marks: string, part: readonly Edit[]): number =>
    part.filter(({ mark }) => marks.includes(mark)).length;
  const [head, part] = [edits.slice(0, from), edits.slice(from, to)];
  const range = (marks: string): string => {
    const length = count(marks, part);
    return `${count(marks, head) + (length > 0 ? 1 : 0)},${length}`;
  };
  const lines = part.map(
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

/** E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986: the greedy form with the path kept. */
function shortest(before: readonly string[], after: readonly string[]): Edit[] {
  const trace: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(mostEdits, before.length + after.length); edits++) {
    const next = new Map<number, number>();
    trace.push(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepDown(reached, diagonal, edits)
        ? (reached.get(diagonal + 1) ?? 0)
        : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return pathBack(trace, before, after);
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

function pathBack(trace: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Edit[] {
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
