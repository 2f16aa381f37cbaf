import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import { encodeProfile, normaliseProfile } from "../../src/formats/profile/profile.ts";
import type { HeapReport } from "../../src/formats/stacks/heap/heap-report.ts";
import { heapRun } from "../../src/formats/stacks/heap/heap-rows.ts";

export type ReadReport = (source: AsyncIterable<Uint8Array>, file: string) => Promise<HeapReport>;

const rules = { all: false, noFunctions: [], noSources: [], directory: "/tmp/heap-sample" };

/** A source that hands out pieces of that many bytes. */
export async function* pieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * The amounts of a column, by function of the innermost place of the program; `total` are those of a whole snapshot.
 */
export function byFunction(report: HeapReport, column: string, snapshot?: number): Record<string, number> {
  const document = JSON.parse(new TextDecoder().decode(encodeProfile(heapRun(report, rules)))) as {
    resources: Record<string, Record<string, number[]>>;
    resource_type_map: Record<string, { snapshot?: number; uid: { function: string; line: number } }>;
  };
  const found: Record<string, number> = {};
  for (const [id, columns] of Object.entries(document.resources)) {
    const { snapshot: own, uid } = document.resource_type_map[id]!;
    if (own === snapshot)
      found[`${uid.function}:${uid.line}`] = (found[`${uid.function}:${uid.line}`] ?? 0) + (columns[column]?.[0] ?? 0);
  }
  return found;
}

/** What reading the report of a heap profiler must do, whatever the tool. */
export function heapReportContract(read: ReadReport, sample: string): void {
  const bytes = new Uint8Array(readFileSync(sample));

  test("the size of pieces changes nothing", async () => {
    const whole = await read(pieces(bytes), "f");
    for (const size of [1, 7, 4096]) expect(await read(pieces(bytes, size), "f")).toEqual(whole);
  });

  test("a profile of it can be stored", async () => {
    const run = heapRun(await read(pieces(bytes), "f"), rules);
    const stored = normaliseProfile(encodeProfile(run, "pending"), "f.perf");
    expect(stored).toMatchObject({ type: "memory", cmd: "./heap", collector: "memory" });
    expect(run.data.variables.find(({ name }) => name === "amount")?.unit).toBeDefined();
  });

  test("no bytes raise anything but a Failure", async () => {
    const at = fc.nat(bytes.length - 1);
    const edits = fc.array(fc.record({ at, cut: fc.nat(20), put: fc.uint8Array({ maxLength: 12 }) }), {
      minLength: 1,
      maxLength: 3,
    });
    const attempt = async (changed: Uint8Array): Promise<void> => {
      try {
        heapRun(await read(pieces(changed), "f"), rules);
      } catch (error) {
        if (!isFailure(error)) throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(edits, async (all) => {
        let changed = bytes;
        for (const { at: from, cut, put } of all)
          changed = Uint8Array.from([...changed.slice(0, from), ...put, ...changed.slice(from + cut)]);
        await attempt(changed);
      }),
      { numRuns: 300 },
    );
    for (const junk of ["", "\n", "{}", "[]", "null", "v 10400 3", "desc: x"])
      await attempt(new TextEncoder().encode(junk));
  });

  test.each(["", "\n\n", "hello\n", "{}"])("%j is refused with a place", async (text) => {
    await expect(read(pieces(new TextEncoder().encode(text)), "some.file")).rejects.toThrow(/^some\.file:\d+:/);
  });
}
