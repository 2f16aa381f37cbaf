import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { isFailure } from "../../../core/failures/failure.ts";
import { readCpuProfile } from "./cpuprofile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import type { V8Frame } from "./v8-profile.ts";

interface TestNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly unknown[];
}

function node(id: number, functionName: string, children: readonly unknown[] = []): TestNode {
  const url = functionName === "(root)" ? "" : "file:///a.js";
  return {
    id,
    callFrame: { functionName, url, lineNumber: functionName === "(root)" ? -1 : id, columnNumber: 0 },
    children,
  };
}

/** (root) calls a, which calls b and itself. */
const nodes = [node(1, "(root)", [2]), node(2, "a", [3, 4]), node(3, "b"), { ...node(2, "a"), id: 4 }];

function bytesOf(document: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

/** Microseconds by stack, outermost call first. */
async function timesOf(document: unknown): Promise<Record<string, number>> {
  const stacks = new StackTable<V8Frame>();
  const { self } = await readCpuProfile(inPieces(bytesOf(document)), "x.cpuprofile", stacks);
  return Object.fromEntries([...self].map(([stack, time]) => [nameOf(stacks, stack), time]));
}

function nameOf(stacks: StackTable<V8Frame>, stack: number): string {
  const frames = stacks.framesOf(stack).toReversed();
  return frames.map((frame) => frame.function).join(";");
}

const profile = { nodes, startTime: 1000, endTime: 1100, samples: [2, 3, 4, 3], timeDeltas: [10, 20, 30, 5] };

test("nodes may name their parents", async () => {
  const parents = new Map([
    [2, 1],
    [3, 2],
    [4, 2],
  ]);
  const turned = nodes.map(({ children: _, ...each }) => ({
    ...each,
    ...(parents.has(each.id) ? { parent: parents.get(each.id) } : {}),
  }));
  expect(await timesOf({ ...profile, nodes: turned })).toEqual(await timesOf(profile));
});

test("accepts members in any order, and ignores others", async () => {
  const turned = Object.fromEntries(Object.entries({ ...profile, more: [{ a: [1] }] }).toReversed());
  expect(await timesOf(turned)).toEqual(await timesOf(profile));
});

test("a sample lasts until the next one, the last until the end; time before the first is ignored", async () => {
  expect(await timesOf(profile)).toEqual({ a: 20, "a;b": 30 + 35, "a;a": 5 });
});

test("sorts samples by time", async () => {
  // At 1010, 1050, 1030 and 1055.
  expect(await timesOf({ ...profile, timeDeltas: [10, 40, -20, 25] })).toEqual({ a: 20, "a;a": 20, "a;b": 5 + 45 });
});

test("an end before the last sample and a sample before the start never make times negative", async () => {
  expect(await timesOf({ ...profile, endTime: 1010 })).toEqual({ a: 20, "a;b": 30, "a;a": 5 });
  expect(await timesOf({ ...profile, timeDeltas: [-10, 20, 30, 5] })).toMatchObject({ a: 20 });
});

test("attributes all time between the first sample and the end once", async () => {
  const deltas = fc.array(fc.integer({ min: -50, max: 1000 }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(deltas, fc.nat(2000), async (timeDeltas, more) => {
      const samples = timeDeltas.map((_, at) => [1, 2, 3, 4][at % 4]!);
      let now = 1000;
      const times = timeDeltas.map((delta) => (now += delta));
      const endTime = Math.max(...times) + more;
      const { self, samples: counts } = await readCpuProfile(
        inPieces(bytesOf({ ...profile, endTime, samples, timeDeltas })),
        "x",
      );
      const sum = (values: Iterable<number>): number => [...values].reduce((total, each) => total + each, 0);
      expect(sum(self.values())).toBe(endTime - Math.min(...times));
      expect(sum(counts.values())).toBe(samples.length);
      for (const time of self.values()) expect(time).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("the root is not a function, others have the line of their start", async () => {
  const stacks = new StackTable<V8Frame>();
  const { self } = await readCpuProfile(inPieces(bytesOf({ ...profile, samples: [1, 3, 1, 3] })), "x", stacks);
  expect([...self.keys()].map((stack) => stacks.framesOf(stack))).toEqual([
    [],
    [
      { function: "b", url: "file:///a.js", line: 4 },
      { function: "a", url: "file:///a.js", line: 3 },
    ],
  ]);
});

test("reads a deep stack without recursion", async () => {
  const deep = Array.from({ length: 30_000 }, (_, at) => node(at + 1, `f${at % 7}`, at < 29_999 ? [at + 2] : []));
  const stacks = new StackTable<V8Frame>();
  const { self } = await readCpuProfile(
    inPieces(bytesOf({ ...profile, nodes: deep, samples: [30_000], timeDeltas: [0] })),
    "x",
    stacks,
  );
  expect([...self.values(), stacks.size]).toEqual([100, 30_001]);
});

test("reads a profile of Node.js", async () => {
  const stacks = new StackTable<V8Frame>();
  const { self, started, ended } = await readCpuProfile(
    inPieces(readFileSync("test/samples/v8/spin.cpuprofile")),
    "spin",
    stacks,
  );
  const total = (pattern: RegExp): number =>
    [...self].reduce((sum, [stack, time]) => sum + (pattern.test(nameOf(stacks, stack)) ? time : 0), 0);
  expect([...self.values()].reduce((sum, time) => sum + time)).toBe(ended - started - 18182);
  expect(total(/;heavy;spin$/)).toBeGreaterThan(total(/;light;spin$/));
  expect(total(/;light;spin$/)).toBeGreaterThan(0);
});

/** The document as Chrome before 58 wrote it: a tree below `head`, times of samples, seconds. */
function olderForm(document: typeof profile): Record<string, unknown> {
  const tree = (id: number): unknown => {
    const { callFrame, children } = document.nodes.find((each) => each.id === id)!;
    const { lineNumber, ...rest } = callFrame;
    return { ...rest, lineNumber: lineNumber + 1, id, children: (children as number[]).map(tree) };
  };
  let now = document.startTime;
  return {
    typeId: "CPU",
    head: tree(1),
    startTime: document.startTime / 1e6,
    endTime: document.endTime / 1e6,
    samples: document.samples,
    timestamps: document.timeDeltas.map((delta) => (now += delta)),
  };
}

test("a tree below `head`, of Chrome before 58, gives the same stacks, times and lines", async () => {
  const [stacks, older] = [new StackTable<V8Frame>(), new StackTable<V8Frame>()];
  const expected = await readCpuProfile(inPieces(bytesOf(profile)), "x", stacks);
  const found = await readCpuProfile(inPieces(bytesOf(olderForm(profile))), "x", older);
  const withFrames = (table: StackTable<V8Frame>, counts: ReadonlyMap<number, number>): unknown =>
    [...counts].map(([stack, count]) => [table.framesOf(stack), count]);
  expect(withFrames(older, found.samples)).toEqual(withFrames(stacks, expected.samples));
  expect(withFrames(older, found.self)).toEqual(withFrames(stacks, expected.self));
});

test("the oldest trees have counts or times of nodes instead of samples", async () => {
  const of = (functionName: string, more: object): object => ({ functionName, url: "a.js", lineNumber: 1, ...more });
  const counted = of("(root)", {
    url: "",
    hitCount: 0,
    children: [of("a", { hitCount: 3, children: [of("b", { hitCount: 1 })] })],
  });
  expect(await timesOf({ head: counted, startTime: 1, endTime: 1.0004 })).toEqual({ a: 300, "a;b": 100 });
  const timed = of("(root)", { url: "", selfTime: 0, children: [of("a", { selfTime: 2.5, hitCount: 1 })] });
  expect(await timesOf({ head: timed })).toEqual({ a: 2500 });
});

test.each<[string, unknown]>([
  ["there are 4 samples and 1 timestamps", { ...olderForm(profile), timestamps: [1] }],
  ["a sample refers to an unreachable node", { ...olderForm(profile), samples: [1, 2, 9, 3] }],
  ["a callFrame lacks functionName or url", { head: { functionName: 7, url: "" } }],
  ["two nodes have the same id", { ...profile, nodes: [...nodes, node(3, "c")] }],
  ["a node has two callers", { ...profile, nodes: [...nodes, node(5, "c", [3])] }],
  ["a node has an undefined child", { ...profile, nodes: [node(1, "(root)", [9])] }],
  [
    "a sample refers to an unreachable node",
    { ...profile, nodes: [node(1, "(root)"), node(2, "a", [3]), node(3, "b", [4]), node(4, "c", [2])] },
  ],
  ["a sample refers to an unreachable node", { ...profile, samples: [1, 2, 9, 3] }],
  ["there are 1 samples and 4 timeDeltas", { ...profile, samples: [2] }],
  ["an element of timeDeltas is not a number", { ...profile, timeDeltas: [1, 2, "3", 4] }],
  ["timeDeltas is not a list", { ...profile, timeDeltas: undefined }],
  ["startTime is not a number", { ...profile, startTime: null }],
  ["the callFrame of a node is not an object", { ...profile, nodes: [{ id: 1 }] }],
  ["a callFrame lacks functionName or url", { ...profile, nodes: [{ id: 1, callFrame: {} }] }],
  ["the children of a node is not a list", { ...profile, nodes: [{ ...node(1, "a"), children: 7 }] }],
  ["the document is not an object", []],
])("refuses that %s", async (reason, document) => {
  await expect(readCpuProfile(inPieces(bytesOf(document)), "x.cpuprofile")).rejects.toThrow(
    `x.cpuprofile: not a V8 profile: ${reason}`,
  );
});

test("any JSON and any bytes are read or refused", async () => {
  const mutated = fc
    .tuple(fc.constantFrom("nodes", "head", "samples", "timeDeltas", "startTime", "endTime"), fc.jsonValue())
    .map(([key, value]) => bytesOf({ ...profile, [key]: value }));
  const odd = fc
    .constantFrom("[".repeat(100_000), '{"nodes":1e999}', '{"__proto__":[]}', "\ufeff{}", "")
    .map((text) => new TextEncoder().encode(text));
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.uint8Array(), odd), async (bytes) => {
      try {
        await readCpuProfile(inPieces(bytes), "x");
      } catch (error) {
        if (!isFailure(error, "not-v8-profile")) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});
