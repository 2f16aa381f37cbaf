import { Failure } from "../core/errors.ts";
import { StackSamples, type StackFrame, type StackProfile } from "../core/stack-profile.ts";
import { StackTable } from "../core/stack-table.ts";
import { withoutMark } from "./text-encoding.ts";
import { textLines } from "./text-lines.ts";

/** Stacks longer than this lose their inner calls. */
const deepest = 1 << 14;

/**
 * Reads folded stacks, one a line: calls with `;` between them, outer first, a blank, a number. Lines that are none are passed over, and equal stacks are
 * added up. UTF-8, or UTF-16 as a byte order mark tells. Fails with `no-stacks` when there is no stack at all.
 */
export async function readFolded(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<StackFrame>();
  const samples = new StackSamples(1);
  for await (const line of textLines(withoutMark(source))) {
    const end = line.lastIndexOf(" ");
    const amount = end > 0 ? numberIn(line.slice(end + 1)) : null;
    if (amount === null) continue;
    samples.addTo(samples.row(nodeOf(stacks, line.slice(0, end))), 0, amount);
  }
  if (samples.length === 0) throw new Failure("no-stacks", { file, what: "folded stacks" });
  return { stacks, types: [{ name: "samples", unit: "count" }], main: 0, samples, facts: {} };
}

/** The node of the stack that a text spells. */
function nodeOf(stacks: StackTable<StackFrame>, text: string): number {
  let node = 0;
  for (const name of text.split(";", deepest))
    node = stacks.called(
      node,
      stacks.frame(name, () => ({ function: name })),
    );
  return node;
}

function numberIn(text: string): number | null {
  return text.length < 40 && /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/.test(text) ? Number(text) : null;
}

/** How many of the first whole lines are stacks, 0..1; lines of comments do not count. */
export function foldedShare(head: string): number {
  const lines = head.split(/\r?\n/).slice(0, 200);
  if (lines.length > 1 && head.length > 60_000) lines.pop();
  const told = lines.filter((line) => line.trim() !== "" && !/^\s*(?:#|\/\/)/.test(line));
  const isStack = (line: string): boolean => /^\S/.test(line) && /^.{1,4000} -?\d{1,20}(?:\.\d{1,20})?$/.test(line);
  return told.length === 0 ? 0 : told.filter(isStack).length / told.length;
}
