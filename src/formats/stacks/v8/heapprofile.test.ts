import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { isFailure } from "../../../core/failures/failure.ts";
import { readHeapProfile } from "./heapprofile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import type { V8Frame } from "./v8-profile.ts";

function node(functionName: string, selfSize: unknown, children: readonly unknown[] = []): object {
  return {
    callFrame: { functionName, url: functionName === "(root)" ? "" : "/a.js", lineNumber: 0, columnNumber: 0 },
    selfSize,
    id: 1,
    children,
  };
}

/** Bytes by stack, outermost call first. */
async function sizesOf(bytes: Uint8Array): Promise<Record<string, number>> {
  const stacks = new StackTable<V8Frame>();
  const sizes = await readHeapProfile(inPieces(bytes), "x.heapprofile", stacks);
  const name = (stack: number): string => {
    const frames = stacks.framesOf(stack).toReversed();
    return frames.map((frame) => frame.function).join(";");
  };
  return Object.fromEntries([...sizes].map(([stack, size]) => [name(stack), size]));
}

function bytesOf(document: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

test("sums bytes by stack", async () => {
  const head = node("(root)", 0, [node("a", 8, [node("b", 16), node("b", 32)]), node("", 4)]);
  expect(await sizesOf(bytesOf({ head, samples: [] }))).toEqual({ a: 8, "a;b": 48, "": 4 });
});

test("reads a deep tree without recursion", async () => {
  const start = '{"callFrame":{"functionName":"f","url":"/a.js"},"selfSize":1,"children":[';
  const deep = start.repeat(20_000) + "]}".repeat(20_000);
  expect((await readHeapProfile(inPieces(new TextEncoder().encode(`{"head":${deep}}`)), "x")).size).toBe(20_000);
});

test("reads a profile of Node.js", async () => {
  const sizes = await sizesOf(readFileSync("test/samples/v8/keep.heapprofile"));
  const total = (name: string): number =>
    Object.entries(sizes).reduce((sum, [stack, size]) => sum + (stack.includes(`;${name};keep`) ? size : 0), 0);
  expect(total("many")).toBeGreaterThan(total("few"));
  expect(total("few")).toBeGreaterThan(0);
});

test.each<[string, unknown]>([
  ["a node is not an object", {}],
  ["the selfSize of a node is not a number", { head: node("a", "8") }],
  ["a node has a negative selfSize", { head: node("a", -8) }],
  ["the children of a node is not a list", { head: { ...node("a", 8), children: {} } }],
])("refuses that %s", async (reason, document) => {
  await expect(sizesOf(bytesOf(document))).rejects.toThrow(`x.heapprofile: not a V8 profile: ${reason}`);
});

test("any JSON is read or refused", async () => {
  const trees = fc.letrec((tie) => ({
    node: fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(fc.oneof(fc.nat(), fc.double()), fc.array(tie("node"), { maxLength: 3 }))
        .map(([size, children]) => node("f", size, children)),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(trees.node, async (head) => {
      try {
        for (const size of (await readHeapProfile(inPieces(bytesOf({ head })), "x")).values())
          expect(size).toBeGreaterThan(0);
      } catch (error) {
        if (!isFailure(error, "not-v8-profile")) throw error;
      }
    }),
  );
});
