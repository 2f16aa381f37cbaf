import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bytesOf, inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { foldedText } from "../folded.ts";
import { readTraceEvents } from "./trace-events.ts";

const read = (document: unknown) => readTraceEvents(inPieces(bytesOf(JSON.stringify(document))), "f");
const folded = async (document: unknown, type = 0): Promise<string> =>
  [...foldedText(await read(document), type)].join("");
const event = (ph: string, name: string, ts: number, more: object = {}) => ({ ph, name, ts, pid: 1, tid: 1, ...more });

describe("slices", () => {
  test("nest begin and end events and complete events in any order", async () => {
    const events = [
      event("X", "inner", 3, { dur: 2 }),
      event("B", "outer", 0),
      event("E", "", 10),
      event("X", "inner", 6, { dur: 1 }),
      event("X", "leaf", 3, { dur: 0.5 }),
    ];
    expect(await folded(events)).toBe("outer 7\nouter;inner 2.5\nouter;inner;leaf 0.5\n");
  });

  test("of different threads do not nest", async () => {
    const profile = await read({
      traceEvents: [
        event("X", "a", 0, { dur: 10 }),
        event("X", "b", 1, { dur: 2, tid: 2 }),
        event("M", "thread_name", 0, { tid: 2, args: { name: "worker" } }),
      ],
    });
    expect([...foldedText(profile, 0)].join("")).toBe("a 10\nb 2\n");
    expect(profile.samples.labelsOf(1)).toEqual(
      new Map([
        ["process", ["1"]],
        ["thread", ["worker"]],
      ]),
    );
  });

  test("without an end last until the last event; overlapping ones are truncated", async () => {
    expect(await folded([event("B", "a", 0), event("B", "b", 4), event("E", "", 6)])).toBe("a 4\na;b 2\n");
    expect(await folded([event("X", "a", 0, { dur: 10 }), event("X", "b", 8, { dur: 10 })])).toBe("a 8\na;b 2\n");
  });

  test("of a real Node.js trace have self time only", async () => {
    const bytes = new Uint8Array(readFileSync("test/samples/profiles/node-trace.json"));
    const profile = await readTraceEvents(inPieces(bytes), "f");
    expect([...foldedText(profile, 0)].join("")).toBe(
      "MinorGC 10557\nMinorGC;V8.GCScavenger 19071\nV8.DeserializeContext 2803\nV8.DeserializeIsolate 26569\n",
    );
  });
});

describe("samples of V8", () => {
  const frame = (functionName: string) => ({ functionName, url: "a.js", lineNumber: 3, columnNumber: 1 });
  const chunk = (data: object) => event("P", "ProfileChunk", 5, { id: "0x1", args: { data } });
  const begin = event("P", "Profile", 5, { id: "0x1", args: { data: { startTime: 5 } } });

  test("are read from chunks with nodes that name their parents", async () => {
    const first = chunk({
      cpuProfile: {
        nodes: [
          { id: 2, parent: 1, callFrame: frame("f") },
          { id: 1, callFrame: { functionName: "(root)", url: "" } },
        ],
        samples: [2],
      },
      timeDeltas: [10],
    });
    const second = chunk({
      cpuProfile: { nodes: [{ id: 3, parent: 2, callFrame: frame("g") }], samples: [3, 2, 1] },
      timeDeltas: [5, 7, 1],
    });
    const profile = await read({ traceEvents: [begin, first, second, event("X", "task", 0, { dur: 30 })] });
    expect(profile.types.map(({ name }) => name)).toEqual(["samples", "sampled-time", "time"]);
    expect([0, 1, 2].map((type) => [...foldedText(profile, type)].join(""))).toEqual([
      "f 2\nf;g 1\n",
      "f 6\nf;g 7\n",
      "task 30\n",
    ]);
    expect(profile.stacks.frames).toContainEqual({ function: "f", source: "a.js", line: 4 });
  });

  test("are refused if a node or a parent is missing", async () => {
    await expect(read([begin, chunk({ cpuProfile: { nodes: [], samples: [9] } })])).rejects.toThrow(
      /an undefined node/,
    );
    await expect(
      read([begin, chunk({ cpuProfile: { nodes: [{ id: 2, parent: 9, callFrame: frame("f") }], samples: [] } })]),
    ).rejects.toThrow(/an undefined parent/);
  });
});

test("a list may end with a comma, or without its bracket; an object may not", async () => {
  const text = JSON.stringify([event("X", "a", 0, { dur: 3 }), event("X", "b", 1, { dur: 1 })]);
  const complete = await read(JSON.parse(text));
  for (const open of [text.slice(0, -1), `${text.slice(0, -1)},\n`, `${text.slice(0, -1)},]`]) {
    const profile = await readTraceEvents(inPieces(bytesOf(open)), "f");
    expect([...foldedText(profile, 0)]).toEqual([...foldedText(complete, 0)]);
  }
  for (const broken of [
    text.slice(0, -2),
    `{"traceEvents":${text.slice(0, -1)}`,
    `{"traceEvents":${text.slice(0, -1)},]}`,
  ])
    await expect(readTraceEvents(inPieces(bytesOf(broken)), "f")).rejects.toThrow(/invalid or truncated JSON/);
});

test("a document without either is refused", async () => {
  await expect(read({ traceEvents: [event("i", "mark", 1)] })).rejects.toThrow(/neither slices/);
  await expect(read({ other: [] })).rejects.toThrow(/'traceEvents' is not a list/);
  await expect(read([event("X", "a", Number.NaN)])).rejects.toThrow(/'ts' is not a number/);
});
