import { Failure } from "../../core/failures/index.ts";
import type { RunMetadata, RunWriter, Source } from "../../store/catalogue/index.ts";
import type { ReadFile } from "./input-files.ts";
import type { ImportStep } from "./fit.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface WrittenRun {
  readonly number: number;
  /** Paths of the input files. */
  readonly paths: readonly string[];
  readonly rows: number;
}

/** Run metadata from the input. */
export type AboutRun = Omit<Extract<ImportStep, { kind: "about" }>, "kind">;

export interface IndexOptions {
  /** Called often; may fail to end the writing. */
  check?(): void;
  /** Whether a file may duplicate an active run. */
  forced(path: string): boolean;
  /** Metadata of run `at` of the import except its description; `modified`: modification time of its first file. */
  factsOf(at: number, modified: number | undefined, about: AboutRun): Omit<RunMetadata, "description">;
}

/** Metadata common to the runs of an import. */
export function runMetadata(
  { world: { environment } }: Workspace,
  { label, synopsis }: { readonly label?: string | undefined; readonly synopsis?: string | undefined },
  created: number,
): Pick<RunMetadata, "created" | "performer" | "label" | "synopsis"> {
  const performer = environment["USER"];
  return {
    created,
    ...(performer ? { performer } : {}),
    ...(label === undefined ? {} : { label }),
    ...(synopsis === undefined ? {} : { synopsis }),
  };
}

/**
 * Step 5 of an import: writes runs as they are read, in the writer's transaction, and claims their files. Fails with
 * `already-imported`, `given-twice`, and with the failures of earlier steps.
 */
export async function indexRuns(
  writer: RunWriter,
  steps: AsyncIterable<ImportStep>,
  options: IndexOptions,
): Promise<WrittenRun[]> {
  const written: Omit<WrittenRun, "number">[] = [];
  let ended = 0;
  let reading: Extract<ImportStep, { kind: "reading" }> = { kind: "reading" };
  let sizes: number[] = [];
  let about: AboutRun = {};
  for await (const step of steps) {
    options.check?.();
    if (step.kind === "reading") reading = step;
    else if (step.kind === "about") about = { ...about, ...step };
    else if (step.kind === "begin") {
      about = {};
      writer.begin();
    } else if (step.kind === "rows") await writer.rows(step.table);
    else if (step.kind === "update") await writer.update(step.table, step.update);
    else if (step.kind === "end") {
      const facts = options.factsOf(ended++, reading.modified, about);
      sizes.push(
        await writer.end(step.once, { ...facts, ...(reading.description ? { description: reading.description } : {}) }),
      );
    } else if (step.kind === "read") {
      written.push(...(await claim(writer, step.files, sizes, options)));
      sizes = [];
    }
  }
  options.check?.();
  const numbers = await writer.finish();
  return written.map((run, at) => ({ number: numbers[at] as number, ...run }));
}

/** Links the latest runs to their files; `sizes`: row counts of these runs. */
async function claim(
  writer: RunWriter,
  files: readonly ReadFile[],
  sizes: readonly number[],
  options: IndexOptions,
): Promise<Omit<WrittenRun, "number">[]> {
  for (const [ordinal, file] of files.entries())
    await writer.claim(sizes.length, sourceOf(file), options.forced(file.path), ordinal);
  const paths = files.map(({ path }) => path);
  return sizes.map((rows) => ({ paths, rows }));
}

function sourceOf({ object, ...facts }: ReadFile): Source {
  if (object === undefined) throw new Failure("object-missing", { digest: facts.sha256 });
  return { ...facts, object };
}
