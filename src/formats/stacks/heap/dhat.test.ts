import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byFunction, heapReportContract, pieces } from "../../../../test/contracts/heap-report.ts";
import { readDhat } from "./dhat.ts";
import type { HeapReport } from "./heap-report.ts";
import { valgrindFrame } from "./valgrind-frame.ts";

const sample = "test/samples/heap-profilers/dhat.json";
const text = readFileSync(sample, "utf8");
const read = (changed: string): Promise<HeapReport> => readDhat(pieces(new TextEncoder().encode(changed)), "f");

describe("DHAT", () => {
  heapReportContract(readDhat, sample);

  test("reads the allocations of each location in the complete run", async () => {
    const report = await read(text);
    expect(report).toMatchObject({ tool: "dhat", cmd: "./heap", process: expect.any(Number) });
    expect(byFunction(report, "amount")).toEqual({ "push:7": 32_000, "main:19": 3000, "main:22": 3000 });
    expect(byFunction(report, "blocks")).toEqual({ "push:7": 1000, "main:19": 2, "main:22": 10 });
    expect(byFunction(report, "at-peak")).toEqual({ "push:7": 32_000, "main:19": 2000, "main:22": 300 });
    expect(byFunction(report, "at-end")).toEqual({ "push:7": 3200, "main:19": 0, "main:22": 0 });
  });

  test("reports without lifetimes have fewer columns", async () => {
    const point = '{"tb": 5, "tbk": 1, "fs": [0]}';
    const report = await read(
      `{"dhatFileVersion": 2, "mode": "ad-hoc", "cmd": "a", "pps": [${point}], "ftbl": ["0x1: f (a.c:1)"]}`,
    );
    const sites = [...report.sites];
    expect(sites).toMatchObject([{ subtype: "ad-hoc", frames: [{ function: "f", source: "a.c", line: 1 }] }]);
    expect([...sites[0]!.amounts]).toEqual([
      ["amount", 5],
      ["blocks", 1],
    ]);
  });

  test.each([
    ["another version", text.replace('"dhatFileVersion":2', '"dhatFileVersion":3')],
    ["a frame that is not in the table", text.replace('"fs":[4,5]', '"fs":[4,500]')],
    ["a negative amount", text.replace('"tb":32000', '"tb":-1')],
    ["a fraction", text.replace('"tbk":1000', '"tbk":0.5')],
    ["no table", text.replace('"ftbl"', '"table"')],
  ])("refuses %s", async (_, changed) => {
    await expect(read(changed)).rejects.toThrow(expect.objectContaining({ code: "heap-report-damaged" }));
  });

  test("reads arbitrary reports with members in any order and chunks of any size", async () => {
    const amount = fc.nat(2 ** 40);
    const point = fc.record(
      { tb: amount, tbk: amount, fs: fc.array(fc.nat(3), { maxLength: 5 }), tl: amount, eb: amount, wb: amount },
      { requiredKeys: ["tb", "tbk", "fs"] },
    );
    const table = ["[root]", "0x1: f (a.c:1)", "0x2: f (a.c:2)", "0x3: ??? (in /lib/x.so)"];
    const names = new Map(Object.entries({ tb: "amount", tbk: "blocks", tl: "lifetime", eb: "at-end", wb: "writes" }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(point, { maxLength: 9 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 500 }),
        async (pps, from, size) => {
          const members = Object.entries({
            dhatFileVersion: 2,
            mode: "copy",
            other: { pps: [1], deep: [[{}]] },
            cmd: "c",
            pid: 3,
            pps,
            ftbl: table,
          });
          const turned = Object.fromEntries([...members.slice(from), ...members.slice(0, from)]);
          const { sites, cmd, process } = await readDhat(
            pieces(new TextEncoder().encode(JSON.stringify(turned)), size),
            "f",
          );
          const frames = table.map(valgrindFrame);
          const known = pps.map(({ fs, ...amounts }) => ({
            frames: fs.map((at) => frames[at]),
            subtype: "copy",
            amounts: new Map(
              [...names].flatMap(([field, name]) => (field in amounts ? [[name, amounts[field as "tb"]]] : [])),
            ),
          }));
          expect([
            [...sites].map(({ frames: calls, subtype, amounts }) => ({ frames: calls, subtype, amounts })),
            cmd,
            process,
          ]).toEqual([known, "c", 3]);
        },
      ),
    );
  });
});
