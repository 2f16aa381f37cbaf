import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutateProtobuf, mutations, refusedOrRead } from "../../../../test/contracts/binary-mutations.ts";
import { foldedText } from "../folded.ts";
import { isPerfetto, readPerfetto } from "./perfetto.ts";

const bytes = new Uint8Array(readFileSync("test/samples/perfetto/planted.pftrace"));
const profile = readPerfetto(bytes, "f");

test("slices have the time without their nested slices, in microseconds of the incremental clock", () => {
  expect(profile.types).toEqual([
    { name: "samples", unit: "count" },
    { name: "time", unit: "microseconds" },
  ]);
  expect([...foldedText(profile, 1)].join("")).toBe("outer 200\nouter;inner 600\nouter;side 200\nrequest 40\n");
});

test("samples have the stacks that were interned, outermost first", () => {
  expect([...foldedText(profile, 0)].join("")).toBe("main;0x1999 3\nmain;outer;inner 7\n");
  const frames = profile.stacks.frames.filter(({ address }) => address !== undefined);
  expect(frames).toEqual([{ function: "", module: { path: "/opt/planted/planted" }, address: 0x1999n }]);
});

test("threads, tracks and processes are labels", () => {
  const labels = new Set<string>();
  for (let row = 0; row < profile.samples.length; row++)
    labels.add(JSON.stringify(Object.fromEntries(profile.samples.labelsOf(row))));
  expect([...labels].toSorted()).toEqual([
    '{"process":["planted"],"thread":["main"]}',
    '{"process":["planted"],"thread":["worker"]}',
    '{"process":["planted"],"track":["requests"]}',
    '{"track":["sequence 3"]}',
  ]);
});

test("packets whose state was lost are counted", () => {
  expect(profile.facts.comments).toEqual(["1 packets whose names were lost are left out"]);
});

test.each([
  ["unexpected end in a field", bytes.subarray(0, bytes.length - 1)],
  ["it has neither slices of tracks nor samples", bytes.subarray(0, 2 + bytes[1]!)],
  ["packets compressed with zstd are not supported", Uint8Array.of(0x0a, 5, 0xaa, 0x08, 2, 1, 2)],
  ["compressed packets cannot be decompressed, or are too large", Uint8Array.of(0x0a, 5, 0x92, 0x03, 2, 1, 2)],
])("it is refused: %s", (reason, damaged) => {
  expect(() => readPerfetto(damaged, "some.pftrace")).toThrow(
    `some.pftrace: invalid or incomplete Perfetto profile: ${reason}`,
  );
});

test("it is detected from its first packets, also in a part of them", () => {
  expect([isPerfetto(bytes), isPerfetto(bytes.subarray(0, 300)), isPerfetto(bytes.subarray(0, 8))]).toEqual([
    true,
    true,
    false,
  ]);
});

test("any damage is read or refused", () => {
  for (let seed = 0; seed < mutations; seed++)
    refusedOrRead(() => readPerfetto(mutateProtobuf(bytes, seed), "some.pftrace"), "some.pftrace");
});
