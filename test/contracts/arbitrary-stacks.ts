import fc from "fast-check";
import {
  StackSamples,
  type SampleLabel,
  type StackFrame,
  type StackProfile,
  type ValueType,
} from "../../src/core/profiles/stack-profile.ts";
import { StackTable } from "../../src/core/profiles/stack-table.ts";

/** A sample as plain data: calls outer first. */
export interface PlainSample {
  readonly calls: readonly StackFrame[];
  readonly values: readonly number[];
  readonly labels: readonly (readonly [string, readonly SampleLabel[]])[];
}

const name = fc.oneof(
  fc.constantFrom(
    "main",
    "a",
    "b",
    "a b",
    "a 1",
    "operator()(int) const",
    "déjà",
    "𝒻",
    "\uffee",
    "net/http.(*Client).Do",
  ),
  fc.string({ minLength: 1, maxLength: 9 }),
);

/** Names that folded text can hold. */
export const foldedName: fc.Arbitrary<string> = name
  .map((text) => text.replaceAll(/[;\r\n]/g, "_"))
  .filter((text) => text !== "");

/** Frames of whatever fields the two formats both have. */
export function arbitrarySamples(
  frame: fc.Arbitrary<StackFrame>,
  value: fc.Arbitrary<number>,
  types: number,
  labels: fc.Arbitrary<PlainSample["labels"]>,
): fc.Arbitrary<PlainSample[]> {
  const sample = fc.record({
    calls: fc.array(frame, { minLength: 1, maxLength: 6 }),
    values: fc.array(value, { minLength: types, maxLength: types }),
    labels,
  });
  return fc.array(sample, { minLength: 1, maxLength: 20 });
}

export function profileOfSamples(
  all: readonly PlainSample[],
  types: readonly ValueType[],
  main = types.length - 1,
): StackProfile {
  const stacks = new StackTable<StackFrame>();
  const samples = new StackSamples(types.length);
  for (const { calls, values, labels } of all) {
    const stack = calls.reduce(
      (caller, frame) =>
        stacks.called(
          caller,
          stacks.frame(spelt(frame), () => frame),
        ),
      0,
    );
    samples.add(stack, values, samples.labels(new Map(labels)));
  }
  return { stacks, types, main, samples, facts: {} };
}

/**
 * All that is said of each sample, in an order that does not depend on how it was stored; samples of nothing but zeros
 * are left out.
 */
export function plainSamples(profile: StackProfile): string[] {
  const { stacks, samples, types } = profile;
  const rows = Array.from({ length: samples.length }, (_, row) => ({
    calls: stacks.framesOf(samples.stackOf(row)).toReversed(),
    values: types.map((_, type) => samples.valueOf(row, type)),
    labels: [...samples.labelsOf(row)].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }));
  return rows
    .filter(({ values }) => values.some((value) => value !== 0))
    .map((row) => spelt(row))
    .toSorted();
}

/** With keys in order, and numbers of any size. */
function spelt(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "bigint") return `${each}n`;
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

export async function* inPieces(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += Math.max(1, size)) yield bytes.subarray(at, at + Math.max(1, size));
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
