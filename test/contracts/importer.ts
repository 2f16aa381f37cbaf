import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import { concatTables } from "../../src/core/tables/table-builder.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Importer, ImportEvent, ImportGuide } from "../../src/plugins/importers/importer.ts";

/** An input that the importer supports. */
export interface ImportSample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly guide: ImportGuide;
}

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? bytes.length);
    yield await Promise.resolve(bytes.slice(at, at + size));
    at += size;
  }
}

async function read(
  importer: Importer,
  sample: ImportSample,
  bytes = sample.bytes,
  sizes: readonly number[] = [],
): Promise<ImportEvent[]> {
  const events: ImportEvent[] = [];
  for await (const event of importer.read(
    cut(bytes, sizes.length > 0 ? sizes : [bytes.length]),
    new Map(),
    sample.guide,
  ))
    events.push(event);
  return events;
}

/** Runs as plain data: rows are concatenated, so that batches may be of any size. */
function runsOf(events: readonly ImportEvent[]): unknown[] {
  const runs: unknown[] = [];
  let [once, tables]: [Map<string, unknown>, Extract<ImportEvent, { kind: "rows" }>["table"][]] = [new Map(), []];
  for (const event of events) {
    if (event.kind === "once") once = new Map([...once, ...event.values]);
    if (event.kind === "rows") tables.push(event.table);
    if (event.kind !== "end") continue;
    const whole = concatTables(tables);
    runs.push({
      once: Object.fromEntries(once),
      names: whole.variables.map((variable) => variable.name),
      rows: rowsOf(whole),
    });
    [once, tables] = [new Map(), []];
  }
  return runs;
}

/** The contract of importers, on real samples of the format. */
export function importerContract(importer: Importer, samples: readonly ImportSample[]): void {
  describe.each(samples.map((sample) => [sample.name, sample] as const))(
    `importer ${importer.name}: %s`,
    (_, sample) => {
      test("finds values, and the last event is the end of a run", async () => {
        const events = (await read(importer, sample)).filter((event) => event.kind !== "notice");
        expect(events.length).toBeGreaterThan(1);
        expect(events.at(-1)?.kind).toBe("end");
      });

      test("names only variables of the experiment, once variables outside of columns, in uniform tables", async () => {
        const variables = new Map(
          sample.guide.experiment.variables.map((variable) => [variable.name, variable.occurrence]),
        );
        for (const event of await read(importer, sample)) {
          if (event.kind === "once") for (const name of event.values.keys()) expect(variables.get(name)).toBe("once");
          if (event.kind !== "rows") continue;
          for (const variable of event.table.variables) expect(variables.get(variable.name)).toBe("multiple");
          expect(event.table.columns).toHaveLength(event.table.variables.length);
        }
      });

      test("gives the same runs for all chunk sizes", async () => {
        const whole = runsOf(await read(importer, sample));
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 }),
            async (sizes) => {
              expect(runsOf(await read(importer, sample, sample.bytes, sizes))).toEqual(whole);
            },
          ),
          { numRuns: 20 },
        );
      });

      test("gives runs or a Failure for damaged input, never anything else", async () => {
        const damage = fc.array(
          fc.tuple(fc.nat({ max: Math.max(0, sample.bytes.length - 1) }), fc.integer({ min: 0, max: 255 })),
          {
            maxLength: 30,
          },
        );
        await fc.assert(
          fc.asyncProperty(damage, fc.double({ min: 0, max: 1, noNaN: true }), async (changes, kept) => {
            const bytes = sample.bytes.slice(0, Math.ceil(sample.bytes.length * kept));
            for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
            const problem = await read(importer, sample, bytes).then(
              () => undefined,
              (error: unknown) => error,
            );
            expect(problem === undefined || isFailure(problem)).toBe(true);
          }),
          { numRuns: 50 },
        );
      });

      test("is frozen, with a confidence between 0 and 1", () => {
        expect(Object.isFrozen(importer)).toBe(true);
        for (const head of [sample.bytes.slice(0, 65_536), new Uint8Array(0), Uint8Array.of(0, 255, 254)]) {
          expect(importer.sniff(head)).toBeGreaterThanOrEqual(0);
          expect(importer.sniff(head)).toBeLessThanOrEqual(1);
        }
      });
    },
  );
}
