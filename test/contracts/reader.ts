import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure, type Failure } from "../../src/core/errors.ts";
import { rowsOf } from "../../src/core/table.ts";
import type { Values } from "../../src/core/value.ts";
import { decodeProfile, encodeProfile, normaliseProfile } from "../../src/formats/profile.ts";
import type { Reader } from "../../src/plugins/readers/reader.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What every reader of profiles must do with a real file of its format; `strangers` are files of others. */
export function readerContract(reader: Reader, sample: string, strangers: readonly string[]): void {
  const bytes = new Uint8Array(readFileSync(sample));
  const defaults: Values = new Map(reader.options.map((option) => [option.name, option.default ?? null]));
  const read = (changed: Uint8Array, size = 4096) =>
    reader.read(inPieces(changed, size), defaults, { path: "some.file", directory: "/project" });

  describe(`reader ${reader.name}`, () => {
    test("is a frozen plug-in whose options are once-only parameters with a synopsis", () => {
      expect(Object.isFrozen(reader)).toBe(true);
      for (const option of reader.options)
        expect(option).toMatchObject({ role: "parameter", occurrence: "once", synopsis: expect.stringMatching(/./) });
    });

    test("knows its format by the first bytes, and nobody else's", () => {
      expect(reader.sniff(bytes.subarray(0, 64 << 10))).toBeGreaterThan(0.5);
      for (const other of [...strangers.map((path) => new Uint8Array(readFileSync(path))), new Uint8Array(0), Uint8Array.of(0, 255)])
        expect(reader.sniff(other.subarray(0, 64 << 10))).toBe(0);
    });

    test("gives a profile that survives writing and reading, in pieces of any size", async () => {
      const run = await read(bytes);
      expect([run.origin, run.steps[0]?.kind, run.data.length > 0]).toEqual([undefined, "collector", true]);
      expect(run.data.variables.find((variable) => variable.name === "amount")?.unit).toBeDefined();
      const stored = normaliseProfile(encodeProfile(run, "pending"), "x.perf");
      expect(rowsOf(decodeProfile(stored.body).data)).toEqual(rowsOf(run.data));
      expect(encodeProfile(await read(bytes, 3))).toEqual(encodeProfile(run));
    });

    test("no bytes raise anything but a Failure that names the file", async () => {
      const edit = fc.record({ at: fc.nat(bytes.length - 1), cut: fc.nat(9), put: fc.uint8Array({ maxLength: 9 }) });
      await fc.assert(
        fc.asyncProperty(edit, async ({ at, cut, put }) => {
          const changed = Uint8Array.from([...bytes.slice(0, at), ...put, ...bytes.slice(at + cut)]);
          const failure: unknown = await read(changed).then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined) return;
          expect(isFailure(failure)).toBe(true);
          expect((failure as Failure).message).toContain("some.file");
        }),
        { numRuns: 200 },
      );
    });
  });
}
