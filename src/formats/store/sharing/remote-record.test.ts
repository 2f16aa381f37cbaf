import { expect, test } from "vitest";
import type { VersionId } from "../../../core/versions/digest.ts";
import type { Standing } from "./observed-remove-status.ts";
import {
  decodeRecord,
  encodeRecord,
  nameOfText,
  shortName,
  type RemoteSummary,
  type ShardRecord,
} from "./remote-record.ts";
import { hexOf, sha1 } from "../object.ts";

const counts = { profiles: 3, removals: 0, changedVersions: 1, experimentChanges: 2 };
const summary: RemoteSummary = {
  remote: "ü\n",
  isNamed: true,
  address: "0123",
  time: 7,
  push: counts,
  pull: counts,
  experiments: null,
};
const versions = ["a1".repeat(20), `a1${"0f".repeat(31)}`].map((id) => id as VersionId);
const standings = new Map<string, Standing>(
  [...("=o>d<xa" as Iterable<string>)].map((each) => [nameOfText(each), each as Standing]),
);
const full: ShardRecord = {
  mark: "1795365925804002295",
  objects: new Set(["b2".repeat(20), "c3".repeat(20)].map(shortName)),
  versions: versions.map((version) => ({ part: "sets", version, standings })),
};
const empty: ShardRecord = { mark: "-", objects: new Set(), versions: [] };
const bytes = encodeRecord(
  summary,
  new Map([
    ["a1", full],
    ["ff", empty],
  ]),
);

test("round-trips", () => {
  const { summary: read, marks, shard } = decodeRecord(bytes);
  expect(read).toEqual(summary);
  expect([...marks]).toEqual([
    ["a1", full.mark],
    ["ff", "-"],
  ]);
  expect([shard("a1"), shard("ff"), shard("00")]).toEqual([full, empty, empty]);
});

test("every changed byte is detected", () => {
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.map((byte, i) => (i === at ? byte ^ 4 : byte));
    expect(() => decodeRecord(damaged), `byte ${at}`).toThrow(SyntaxError);
    expect(() => decodeRecord(bytes.subarray(0, at)), `${at} bytes`).toThrow(SyntaxError);
  }
});

const summed = (text: string): Uint8Array => {
  const body = new TextEncoder().encode(text);
  return new TextEncoder().encode(`${text}${hexOf(sha1(body))}\n`);
};

test.each([
  "",
  "null\n",
  "[]\n",
  `${JSON.stringify({ ...summary, remote: 1 })}\n`,
  `${JSON.stringify({ ...summary, time: -1 })}\n`,
  `${JSON.stringify({ ...summary, push: { ...counts, profiles: 1.5 } })}\n`,
  `${JSON.stringify({ ...summary, pull: null })}\n`,
  `${JSON.stringify({ ...summary, experiments: 1 })}\n`,
])("an invalid record is refused: %j", (text) => {
  expect(() => decodeRecord(summed(text))).toThrow(SyntaxError);
});

test.each(["sets/../x/", "sets", `sets/${"0".repeat(38)}/${"0".repeat(16)}?`])(
  "an invalid folder is refused: %s",
  (file) => {
    const { shard } = decodeRecord(summed(`${JSON.stringify(summary)}\nab - - ${file}\n`));
    expect(() => shard("ab")).toThrow(SyntaxError);
  },
);
