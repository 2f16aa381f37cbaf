import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { readDhat } from "./dhat.ts";
import { foldedText } from "../folded.ts";
import { heapStacks } from "./heap-rows.ts";
import { readHeaptrack } from "./heaptrack.ts";
import { readMassif } from "./massif.ts";

const source = (name: string) => inPieces(new Uint8Array(readFileSync(`test/samples/heap-profilers/${name}`)));
const total = (text: string): number =>
  text
    .trim()
    .split("\n")
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);

test("uses only the peak of massif's snapshots, by location", async () => {
  const report = await readMassif(source("massif.out"), "f");
  const peak = Math.max(
    ...[...report.sites].filter(({ subtype }) => subtype === "total").map(({ amounts }) => amounts.get("amount")!),
  );
  const profile = heapStacks(report);
  expect(profile.types[0]).toEqual({ name: "space", unit: "bytes" });
  expect(total([...foldedText(profile, 0)].join("")) / peak).toBeCloseTo(1, 1);
});

test("DHAT and heaptrack have bytes and blocks of the complete run, outer calls first", async () => {
  const dhat = heapStacks(await readDhat(source("dhat.json"), "f"));
  const heaptrack = heapStacks(await readHeaptrack(source("heaptrack.txt"), "f"));
  for (const profile of [dhat, heaptrack]) {
    expect(profile.types.slice(0, 2)).toEqual([
      { name: "space", unit: "bytes" },
      { name: "blocks", unit: "count" },
    ]);
    expect([...foldedText(profile, 0)].join("")).toMatch(/(?:^|;)main;/m);
  }
});
