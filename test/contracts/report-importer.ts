import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { isFailure, type Failure } from "../../src/core/failures/failure.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Value } from "../../src/core/values/value.ts";
import { isName, type Variable } from "../../src/core/variables/variable.ts";
import { builtins } from "../../src/plugins/builtin.ts";
import { edited, hostileTexts } from "./text-mutations.ts";
import { recognisingImporters, type ImportEvent, type Importer } from "../../src/plugins/importers/importer.ts";

/** A run as plain data. */
export interface ReadRun {
  readonly about: { readonly performed?: number; readonly commit?: string };
  readonly once: Readonly<Record<string, Value>>;
  readonly variables: readonly Variable[];
  /** Cells without a value are omitted. */
  readonly rows: readonly Readonly<Record<string, Value>>[];
  readonly notices: readonly string[];
}

/** Minimum number of fuzzed inputs per sample. */
const fewest = 150;

/** Minimum number of fuzzed inputs per importer; nightly runs use more. */
const mutations = Number(process.env["PERFKEEP_MUTATIONS"] ?? fewest);

/** All runs of an input, for any chunk size. */
export async function readReport(
  importer: Importer,
  bytes: Uint8Array,
  pieces = bytes.length,
  path = "some.file",
): Promise<ReadRun[]> {
  const options = new Map(importer.options.map((option) => [option.name, option.default ?? null]));
  const runs: ReadRun[] = [];
  let events: ImportEvent[] = [];
  const guide = { experiment: { name: "", readers: [], writers: [], variables: [] }, path };
  let hasRows = false;
  for await (const event of importer.read(inPieces(bytes, Math.max(1, pieces)), options, guide)) {
    if (hasRows && importer.declaresFirst === true) expect(["declare", "about"]).not.toContain(event.kind);
    hasRows ||= event.kind === "rows";
    events.push(event);
    if (event.kind !== "end") continue;
    runs.push(runOf(events));
    events = [];
  }
  expect(events.filter(({ kind }) => kind !== "notice")).toEqual([]);
  return runs;
}

export async function readSample(importer: Importer, path: string): Promise<ReadRun[]> {
  return readReport(importer, new Uint8Array(readFileSync(path)));
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

function runOf(events: readonly ImportEvent[]): ReadRun {
  const variables = events.flatMap((event) => (event.kind === "declare" ? event.variables : []));
  const rows: Record<string, Value>[] = [];
  const once: Record<string, Value> = {};
  let about: ReadRun["about"] = {};
  for (const event of events) {
    if (event.kind === "about") about = { ...about, ...event };
    if (event.kind === "once") for (const [name, value] of event.values) once[name] = value;
    if (event.kind !== "rows") continue;
    const names = event.table.variables.map(({ name }) => name);
    for (const cells of rowsOf(event.table)) {
      const there = cells.flatMap((cell, at): [string, Value][] =>
        cell === null ? [] : [[names[at]!, cell as Value]],
      );
      rows.push(Object.fromEntries(there));
    }
  }
  const notices = events.flatMap((event) => (event.kind === "notice" ? [event.text] : []));
  return { about, once, variables, rows, notices };
}

/** The contract of auto-detecting importers, on real files of the format. */
export function reportImporterContract(importer: Importer, samples: readonly string[]): void {
  const copies = Math.max(fewest, Math.ceil(mutations / samples.length));
  describe.each(samples.map((path) => [basename(path), new Uint8Array(readFileSync(path))] as const))(
    `importer ${importer.name}: %s`,
    (_, bytes) => {
      let all: Importer[] = [];
      beforeAll(async () => {
        const loaded = builtins
          .filter(({ kind }) => kind === "importer")
          .map(async (each) => (await each.load()) as Importer);
        const builtIn = await Promise.all(loaded);
        all = builtIn.includes(importer) ? builtIn : [...builtIn, importer];
      });

      test("is the one that auto-detection selects", () => {
        const [first, second] = recognisingImporters(all, bytes.subarray(0, 1 << 16));
        expect(first?.importer.name).toBe(importer.name);
        expect(second?.sure ?? 0).toBeLessThan(first!.sure);
      });

      test("declares its variables: each name once, with the right occurrence", async () => {
        const runs = await readReport(importer, bytes);
        expect(runs.length).toBeGreaterThan(0);
        for (const { variables, once, rows } of runs) {
          const known = new Map(variables.map((variable) => [variable.name, variable]));
          expect(known.size).toBe(new Set(variables.map(({ name }) => name.toLowerCase())).size);
          for (const { name, default: otherwise } of variables)
            expect([name, isName(name), name === "benchmark" || otherwise === null]).toEqual([name, true, true]);
          for (const name of Object.keys(once)) expect(known.get(name)?.occurrence).toBe("once");
          for (const name of rows.flatMap(Object.keys)) expect(known.get(name)?.occurrence).toBe("multiple");
          expect(rows.length).toBeGreaterThan(0);
          expect(variables.some(({ role }) => role === "result")).toBe(true);
        }
      });

      test("gives the same for all chunk sizes", async () => {
        const whole = await readReport(importer, bytes);
        for (const size of [1, 7, 4096])
          if (bytes.length / size < 50_000) expect(await readReport(importer, bytes, size)).toEqual(whole);
      });

      test(`answers ${copies} damaged copies with runs or a Failure that names the file`, async () => {
        const edit = fc.record({
          at: fc.nat(Math.max(0, bytes.length - 1)),
          cut: fc.nat(40),
          put: fc.oneof(fc.uint8Array({ maxLength: 9 }), hostileText),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean(), async (edits, isCut) => {
            let changed: Uint8Array = bytes;
            for (const { at, cut, put } of edits) changed = edited(changed, at, cut, put);
            if (isCut) changed = changed.subarray(0, edits[0]!.at);
            const failure: unknown = await readReport(importer, changed).then(
              () => undefined,
              (error: unknown) => error,
            );
            expect(Object.keys(Object.prototype)).toEqual([]);
            if (failure === undefined) return;
            expect(isFailure(failure), inspect(failure)).toBe(true);
            expect((failure as Failure).message).toContain("some.file");
          }),
          { numRuns: copies },
        );
      });
    },
  );

  test(`importer ${importer.name} is frozen, has marks, and recognises neither empty input nor noise`, () => {
    expect([Object.isFrozen(importer), (importer.marks ?? "").length > 0]).toEqual([true, true]);
    for (const head of [
      new Uint8Array(0),
      Uint8Array.of(0, 255, 254),
      new TextEncoder().encode("hello\nworld 12 ms\n{}\n"),
    ])
      expect(importer.sniff(head)).toBe(0);
  });
}

const hostileText = fc.constantFrom(...hostileTexts).map((text) => new TextEncoder().encode(text));
