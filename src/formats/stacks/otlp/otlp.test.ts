import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mutateProtobuf, mutateWords, mutations, refusedOrRead } from "../../../../test/contracts/binary-mutations.ts";
import { foldedText } from "../folded.ts";
import { readOtlp } from "./otlp.ts";

const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/samples/otlp-profiles/${name}`));
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const binary = bytes("planted.pb");
const json = bytes("planted.json");

describe.each([
  ["Protocol Buffers", binary],
  ["JSON", json],
])("as %s", (_, written) => {
  const profile = readOtlp(written, "f");

  test("profiles have the values of their samples, or the number of their times", () => {
    expect(profile.types).toEqual([
      { name: "cpu", unit: "nanoseconds" },
      { name: "samples", unit: "count" },
    ]);
    expect([...foldedText(profile, 0)].join("")).toBe(
      "0x401999 10000000\n_start;outer;inlined 20000000\n_start;outer;inner 430000000\n_start;outer;side 310000000\n",
    );
    expect([...foldedText(profile, 1)].join("")).toBe("_start;outer;inner 3\n_start;outer;side 2\n");
  });

  test("frames, labels and facts are those of the message", () => {
    expect(profile.stacks.framesOf(profile.samples.stackOf(0))[0]).toEqual({
      function: "inner",
      source: "planted.c",
      startLine: 3,
      line: 5,
      address: 0x401000n,
      module: {
        path: "/opt/planted/planted",
        buildId: "68ae23fa",
        start: 0x401000n,
        limit: 0x402000n,
        offset: 0x1000n,
      },
    });
    expect([...profile.samples.labelsOf(0)]).toEqual([
      ["thread.name", ["worker"]],
      ["service.name", ["planted"]],
    ]);
    expect(profile.stacks.frames.filter(({ inlined }) => inlined === true).map((each) => each.function)).toEqual([
      "inlined",
    ]);
    expect(profile.facts).toEqual({
      started: 1764300000000000000n,
      duration: 2e9,
      period: { type: { name: "cpu", unit: "nanoseconds" }, value: 1e7 },
    });
  });
});

test("a line of JSON per message: each has its own tables, and equal types are summed", () => {
  const line = JSON.stringify(JSON.parse(new TextDecoder().decode(json)));
  const profile = readOtlp(new TextEncoder().encode(`${line}\n${line}\n`), "f");
  expect([...foldedText(profile, 1)].join("")).toBe("_start;outer;inner 6\n_start;outer;side 4\n");
});

const withSample = (sample: object, dictionary: object = { stringTable: [""] }): Uint8Array =>
  encode({ resourceProfiles: [{ scopeProfiles: [{ profiles: [{ samples: [sample] }] }] }], dictionary });

test.each([
  ["a sample has neither values nor times", withSample({ stackIndex: 0 })],
  ["an index of stackTable is out of range", withSample({ stackIndex: 1, values: ["1"] })],
  ["an index of attributeTable is out of range", withSample({ attributeIndices: [7], values: [1] })],
  ["values is not a number", withSample({ values: ["many"] })],
  ["it is invalid or truncated JSON", json.subarray(0, 900)],
  ["unexpected end in a field", binary.subarray(0, binary.length - 1)],
])("it is refused: %s", (reason, damaged) => {
  expect(() => readOtlp(damaged, "some.pb")).toThrow(`some.pb: invalid or incomplete OTLP profile: ${reason}`);
});

test("without samples there are no stacks", () => {
  expect(() => readOtlp(encode({ resourceProfiles: [] }), "some.json")).toThrow("some.json: no stacks of format otlp");
});

test("any damage is read or refused", () => {
  for (let seed = 0; seed < mutations; seed++) {
    refusedOrRead(() => readOtlp(mutateProtobuf(binary, seed), "some.pb"), "some.pb");
    refusedOrRead(() => readOtlp(mutateWords(json, seed), "some.pb"), "some.pb");
  }
});
