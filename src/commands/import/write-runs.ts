import { Failure } from "../../core/failures/failure.ts";
import type { RunMetadata, RunWriter, Source } from "../../store/catalogue/run-writer.ts";
import type { ReadFile } from "./input-files.ts";
import type { ImportStep } from "./read-runs.ts";

export interface WrittenRun {
  readonly number: number;
  /** The files it came from. */
  readonly paths: readonly string[];
  readonly dataSets: number;
}

/** What an input says of a run. */
export type AboutRun = Omit<Extract<ImportStep, { kind: "about" }>, "kind">;

export interface WriteOptions {
  /** Called often; what it fails with ends the writing. */
  check?(): void;
  /** Whether a file may be imported although an active run came from the same bytes. */
  forced(path: string): boolean;
  /** What is known of run `number` besides its description; `modified`: when its first file was changed last. */
  factsOf(number: number, modified: number | undefined, about: AboutRun): Omit<RunMetadata, "description">;
}

/** Writes runs as they are read, within the transaction of the writer. */
export async function writeRuns(
  writer: RunWriter,
  steps: AsyncIterable<ImportStep>,
  options: WriteOptions,
): Promise<WrittenRun[]> {
  const written: WrittenRun[] = [];
  let reading: Extract<ImportStep, { kind: "reading" }> = { kind: "reading" };
  let sizes: number[] = [];
  let about: AboutRun = {};
  for await (const step of steps) {
    options.check?.();
    if (step.kind === "reading") reading = step;
    else if (step.kind === "about") about = { ...about, ...step };
    else if (step.kind === "begin") {
      about = {};
      await writer.begin();
    } else if (step.kind === "rows") await writer.rows(step.table);
    else if (step.kind === "update") await writer.update(step.table, step.update);
    else if (step.kind === "end") {
      const facts = options.factsOf(writer.numbers.at(-1) as number, reading.modified, about);
      sizes.push(
        await writer.end(step.once, { ...facts, ...(reading.description ? { description: reading.description } : {}) }),
      );
    } else if (step.kind === "read") {
      written.push(...(await claim(writer, step.files, sizes, options)));
      sizes = [];
    }
  }
  options.check?.();
  return written;
}

/** `sizes`: of the runs that came from `files`, which are the latest. */
async function claim(
  writer: RunWriter,
  files: readonly ReadFile[],
  sizes: readonly number[],
  options: WriteOptions,
): Promise<WrittenRun[]> {
  const runs = sizes.length === 0 ? [] : writer.numbers.slice(-sizes.length);
  for (const [ordinal, file] of files.entries())
    await writer.claim(runs, sourceOf(file), options.forced(file.path), ordinal);
  const paths = files.map(({ path }) => path);
  return runs.map((number, at) => ({ number, paths, dataSets: sizes[at] ?? 0 }));
}

function sourceOf({ object, ...facts }: ReadFile): Source {
  if (object === undefined) throw new Failure("object-missing", { digest: facts.sha256 });
  return { ...facts, object };
}
