import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure, type Failure } from "../../src/core/failures/failure.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { StackProfile } from "../../src/core/profiles/stack-profile.ts";
import type { Values } from "../../src/core/values/value.ts";
import { decodeProfile, encodeProfile, normaliseProfile } from "../../src/formats/profile/profile.ts";
import type { Reader } from "../../src/plugins/readers/reader.ts";

/** Number of fuzzed inputs per reader; nightly runs use more. */
const mutations = Number(process.env["PERFKEEP_MUTATIONS"] ?? 200);

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The bytes of a file, decompressed if gzipped. */
function readUncompressed(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return new Uint8Array(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
}

function sumsOf({ samples, types }: StackProfile): number[] {
  return types.map((_, type) =>
    Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, type)).reduce((a, b) => a + b, 0),
  );
}

/** The contract of readers, on a real file of the format; `strangers` are files of other formats. */
export function readerContract(reader: Reader, sample: string, strangers: readonly string[]): void {
  const bytes = readUncompressed(sample);
  const defaults: Values = new Map(reader.options.map((option) => [option.name, option.default ?? null]));
  const stacks = (changed: Uint8Array, size = 4096) =>
    reader.stacks(inPieces(changed, size), defaults, { path: "some.file", directory: "/project" });
  const read = (changed: Uint8Array, size = 4096) =>
    reader.read(inPieces(changed, size), defaults, { path: "some.file", directory: "/project" });

  describe(`reader ${reader.name}`, () => {
    test("is a frozen plug-in whose options are once-only parameters with a synopsis", () => {
      expect(Object.isFrozen(reader)).toBe(true);
      for (const option of reader.options)
        expect(option).toMatchObject({ role: "parameter", occurrence: "once", synopsis: expect.stringMatching(/./) });
    });

    test("detects its own format, and no other, by the first bytes", () => {
      expect(reader.sniff(bytes.subarray(0, 64 << 10))).toBeGreaterThan(0.5);
      for (const other of [...strangers.map(readUncompressed), new Uint8Array(0), Uint8Array.of(0, 255)])
        expect(reader.sniff(other.subarray(0, 64 << 10))).toBe(0);
    });

    test("gives a profile that survives writing and reading, in chunks of any size", async () => {
      const run = await read(bytes);
      expect([run.origin, run.steps[0]?.kind, run.data.length > 0]).toEqual([undefined, "collector", true]);
      expect(run.data.variables.find((variable) => variable.name === "amount")?.unit).toBeDefined();
      const stored = normaliseProfile(encodeProfile(run, "pending"), "x.perf");
      expect(rowsOf(decodeProfile(stored.body).data)).toEqual(rowsOf(run.data));
      expect(encodeProfile(await read(bytes, 3))).toEqual(encodeProfile(run));
    });

    test("reads stacks and their types, the same in chunks of any size", async () => {
      const profile = await stacks(bytes);
      expect([profile.types.length, profile.samples.width, profile.types[profile.main]?.name]).toEqual([
        profile.types.length,
        profile.types.length,
        expect.stringMatching(/./),
      ]);
      expect(sumsOf(profile)[profile.main]).toBeGreaterThan(0);
      const again = await stacks(bytes, 3);
      expect([sumsOf(again), again.stacks.size, again.types]).toEqual([
        sumsOf(profile),
        profile.stacks.size,
        profile.types,
      ]);
    });

    test("fails only with a Failure that names the file, for any bytes", async () => {
      const piece = fc.oneof(
        fc.uint8Array({ maxLength: 9 }),
        fc
          .constantFrom("-1", "1e999", "null", "9".repeat(30), "{", "]", '"', "__proto__", ";", " ")
          .map((text) => new TextEncoder().encode(text)),
      );
      const edit = fc.record({
        at: fc.nat(bytes.length - 1),
        cut: fc.nat(9),
        put: piece,
        end: fc.option(fc.nat(bytes.length), { freq: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(edit, async ({ at, cut, put, end }) => {
          const changed = Uint8Array.from([...bytes.slice(0, at), ...put, ...bytes.slice(at + cut)]).subarray(
            0,
            end ?? undefined,
          );
          for (const attempt of [read(changed), stacks(changed)]) {
            const failure: unknown = await attempt.then(
              () => undefined,
              (error: unknown) => error,
            );
            if (failure === undefined) continue;
            expect(isFailure(failure), inspect(failure)).toBe(true);
            expect((failure as Failure).message).toContain("some.file");
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        { numRuns: mutations },
      );
    });
  });
}
