import { Failure } from "../../core/failures/index.ts";
import { requireLabel, type RunMetadata, type RunWriter, type Source } from "../../store/catalogue/index.ts";
import type { ReadFile } from "./input-files.ts";
import type { ImportStep } from "./fit.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface WrittenRun {
  readonly number: number;
  readonly label?: string;
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
    ...(label === undefined ? {} : { label: requireLabel(label) }),
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
  let count = 0;
  let reading: Extract<ImportStep, { kind: "reading" }> = { kind: "reading" };
  let ended: EndedRun[] = [];
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
      const facts = options.factsOf(count++, reading.modified, about);
      const description = reading.description ? { description: reading.description } : {};
      ended.push({ rows: await writer.end(step.once, { ...facts, ...description }), label: writer.label });
    } else if (step.kind === "read") {
      written.push(...(await claim(writer, step.files, ended, options)));
      ended = [];
    }
  }
  options.check?.();
  const numbers = await writer.finish();
  return written.map((run, at) => ({ number: numbers[at] as number, ...run }));
}

/** A run whose file is still read. */
interface EndedRun {
  readonly rows: number;
  readonly label: string | undefined;
}

/** Links the latest runs to their files. */
async function claim(
  writer: RunWriter,
  files: readonly ReadFile[],
  ended: readonly EndedRun[],
  options: IndexOptions,
): Promise<Omit<WrittenRun, "number">[]> {
  for (const [ordinal, file] of files.entries())
    await writer.claim(ended.length, sourceOf(file), options.forced(file.path), ordinal);
  const paths = files.map(({ path }) => path);
  return ended.map(({ rows, label }) => ({ paths, rows, ...(label === undefined ? {} : { label }) }));
}

function sourceOf({ object, ...facts }: ReadFile): Source {
  if (object === undefined) throw new Failure("object-missing", { digest: facts.sha256 });
  return { ...facts, object };
}
