import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  geckoDocument,
  geckoProcess,
  threadsWithin,
  type GeckoProcess,
} from "../../../../test/contracts/arbitrary-gecko.ts";
import { geckoThread } from "../../../../test/fakes/gecko-thread.ts";
import { bytesOf, inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { foldedText } from "../folded.ts";
import { readGecko } from "./gecko.ts";

const read = (document: unknown) => readGecko(inPieces(bytesOf(JSON.stringify(document))), "f");
const folded = async (document: unknown): Promise<string> => [...foldedText(await read(document), 0)].join("");
const meta = { version: 24, interval: 1, processType: 0 };

const thread = { ...geckoThread("GeckoMain"), tid: 7 };

/** Layout of profiler.firefox.com; prefixes may follow later. */
const columns = {
  name: "Worker",
  samples: { length: 3, stack: [0, 0, null], weight: [2, 5, 9], weightType: "samples" },
  stackTable: { length: 2, frame: [1, 0], prefix: [1, null] },
  frameTable: { length: 2, func: [0, 1], line: [null, 4], inlineDepth: [0, 1] },
  funcTable: { length: 2, name: [0, 1], fileName: [null, 2], lineNumber: [null, 1] },
  stringArray: ["(root)", "f", "f.js"],
};

describe("Firefox profiles", () => {
  test("tables with a schema", async () => {
    const profile = await read({ meta, libs: [], threads: [thread] });
    expect([...foldedText(profile, 0)].join("")).toBe("(root);a 2\n(root);b 1\n");
    expect(profile.stacks.frames).toContainEqual({ function: "a", source: "http://x/a.js", line: 12, column: 3 });
  });

  test("tables by column, with weights", async () => {
    const profile = await read({ meta, threads: [columns] });
    expect([...foldedText(profile, 0)].join("")).toBe("(root);f 7\n");
    expect(profile.stacks.frames).toContainEqual({ function: "f", source: "f.js", line: 4, inlined: true });
  });

  test("tables shared by threads", async () => {
    const { stringArray, funcTable, frameTable, stackTable, ...own } = columns;
    const sources = { length: 1, filename: [2] };
    const functions = { length: 2, name: [0, 1], source: [null, 0], lineNumber: [null, 1] };
    const profile = await read({
      meta,
      shared: { stringArray, funcTable: functions, frameTable, stackTable, sources },
      threads: [own],
    });
    expect(profile.stacks.frames).toContainEqual(expect.objectContaining({ function: "f", source: "f.js" }));
    expect(funcTable.length).toBe(2);
  });

  test("all threads of all processes, nested or as text, and within a file of the developer tools", async () => {
    const process = { meta, threads: [thread], processes: [{ meta, threads: [JSON.stringify(thread)] }] };
    const profile = await read({ label: "x", profile: { ...process, threads: [thread, columns, process] } });
    // One thread of the document, two of the process among its threads.
    expect([...foldedText(profile, 0)].join("")).toBe("(root);a 8\n(root);b 4\n(root);f 7\n");
    expect(profile.samples.labelsOf(0)).toEqual(
      new Map([
        ["thread", ["GeckoMain"]],
        ["tid", ["7"]],
      ]),
    );
  });

  test("samples of old versions list their frames", async () => {
    const samples = [{ frames: [{ location: "(root)" }, { location: "a" }] }, { frames: ["(root)"] }];
    expect(await folded({ meta, threads: [{ name: "old", samples }] })).toBe("(root) 1\n(root);a 1\n");
  });

  test.each([
    [{ meta }, /it has no threads/],
    [{ meta, threads: [3] }, /a thread is not an object/],
    [
      {
        meta,
        threads: [
          {
            ...thread,
            stackTable: {
              schema: { prefix: 0, frame: 1 },
              data: [
                [1, 0],
                [0, 0],
                [0, 0],
              ],
            },
          },
        ],
      },
      /a stack contains itself/,
    ],
    [{ meta, threads: [{ ...thread, stringTable: [] }] }, /a string is out of range/],
    [{ meta, threads: [{ ...thread, frameTable: undefined }] }, /'frameTable' is not an object/],
  ])("refuses %#", async (document, why) => {
    await expect(read(document)).rejects.toThrow(why);
  });

  /** The expected folded lines of a process. */
  function known(process: GeckoProcess): string[] {
    const sums = new Map<string, number>();
    const threads = threadsWithin(process);
    for (const { samples, layout } of threads)
      for (const { calls, weight } of samples) {
        const functions = calls.map((name) =>
          layout === "rows" || layout === "listed" ? name.replace(/ \(.*/, "") : name,
        );
        const line = functions.join(";");
        if (line !== "") sums.set(line, (sums.get(line) ?? 0) + (layout === "listed" ? 1 : weight));
      }
    return [...sums].filter(([, sum]) => sum !== 0).map(([line, sum]) => `${line} ${sum}`);
  }

  test("reads arbitrary documents in any layout, order of members and chunk size", async () => {
    await fc.assert(
      fc.asyncProperty(
        geckoProcess,
        fc.integer({ min: 1, max: 4000 }),
        fc.boolean(),
        async (process, size, isWrapped) => {
          const document = geckoDocument(process);
          const bytes = bytesOf(JSON.stringify(isWrapped ? { profile: document, threads: [] } : document));
          const profile = await readGecko(inPieces(bytes, size), "f");
          expect([...foldedText(profile, 0)].join("").split("\n").slice(0, -1).toSorted()).toEqual(
            known(process).toSorted(),
          );
          expect(profile.types).toEqual([{ name: "samples", unit: "count" }]);
          const threads = new Set(
            Array.from(
              { length: profile.samples.length },
              (_, row) => profile.samples.labelsOf(row).get("thread")?.[0],
            ),
          );
          const named = threadsWithin(process).filter(({ samples }) => samples.some(({ calls }) => calls.length > 0));
          expect(threads).toEqual(
            new Set(named.map(({ name }) => (threadsWithin(process).length > 1 ? name : undefined))),
          );
        },
      ),
    );
  });
});
