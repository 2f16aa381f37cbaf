import { isFailure } from "../../core/failures/index.ts";
import { updatesRows } from "../../formats/descriptions/index.ts";
import type { RunWriter } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { requireUnchanged } from "./experiment-lookup.ts";
import type { ImportStep } from "./fit.ts";
import { indexRuns } from "./index-runs.ts";
import type { ReadFile } from "./input-files.ts";
import { comparedRuns } from "./known-rows.ts";
import type { ImportedRun } from "./options.ts";
import { factsOf, forcedBy, howOf, writing, type ImportJob } from "./prepare.ts";
import { ReadAhead, sizeOf } from "./read-ahead.ts";
import { spendLostNumbers, withLabels } from "./tidy.ts";

/** Rows held in memory before the database is opened, bytes. */
const maxHeldBytes = 16 * 1024 * 1024;

/**
 * Step 5 of an import by descriptions: `indexRuns` in one transaction that the ledger records. The database is opened
 * for writing once `nearlyRead` resolves, unless more rows must be stored than memory should hold. Fails with
 * `already-imported`, `given-twice`, `experiment-changed`, and with the failures of earlier steps.
 */
export async function index(
  fitted: AsyncIterable<ImportStep>,
  job: ImportJob,
  nearlyRead: Promise<void>,
): Promise<readonly ImportedRun[]> {
  const started = new StartedRuns();
  const steps = new ReadAhead(started.follow(fitted), sizeOf);
  const { likePerfbase: isLikePerfbase = false, remark } = job.options;
  let writer: RunWriter | undefined;
  try {
    const prefetched = steps.fill(maxHeldBytes);
    const failed = new AbortController();
    prefetched.catch((error: unknown) => failed.abort(error));
    // Questions may take long.
    await (job.options.missing?.value === "ask" ? prefetched : Promise.race([prefetched, nearlyRead]));
    const write = { check: job.check, forced: forcedBy(job.options), factsOf: factsOf(job) };
    const updates = job.descriptions.some(({ parsed }) => updatesRows(parsed));
    const compared = { forced: write.forced, mode: isLikePerfbase ? "ignore" : "refuse", remark } as const;
    const store = async (experiments: Experiments): Promise<readonly ImportedRun[]> => {
      await requireUnchanged(experiments, job.stored);
      if (isLikePerfbase) {
        await prefetched;
        await refuseDuplicates(experiments, job, started.files);
      }
      const work = async (each: RunWriter): Promise<readonly ImportedRun[]> =>
        comparedRuns(experiments, job.stored, await indexRuns((writer = each), steps, write), compared);
      return experiments.import(job.stored, job.now, howOf(job), work, { names: !isLikePerfbase, updates });
    };
    return withLabels(await writing(job, store, failed.signal), writer);
  } catch (error) {
    if (isLikePerfbase) await spendLostNumbers(job, started.lost, writer);
    throw error;
  } finally {
    await steps.close();
  }
}

/** Checked before any run gets a number. */
async function refuseDuplicates(
  experiments: Experiments,
  { stored, options }: ImportJob,
  files: readonly ReadFile[],
): Promise<void> {
  const isForced = forcedBy(options);
  for (const { path, sha256 } of files) if (!isForced(path)) await experiments.refuseDuplicate(stored, path, sha256);
}

/** Observes a reading: records the files read and the number of runs started. */
class StartedRuns {
  readonly #files: ReadFile[] = [];
  #runs = 0;
  #failed = false;

  /** Completely read files. */
  get files(): readonly ReadFile[] {
    return this.#files;
  }

  /** Number of runs that a failed reading had started; 0 if it did not fail. */
  get lost(): number {
    return this.#failed ? this.#runs : 0;
  }

  async *follow(steps: AsyncIterable<ImportStep>): AsyncGenerator<ImportStep> {
    let ofThisFile = 0;
    try {
      for await (const step of steps) {
        if (step.kind === "reading") ofThisFile = 0;
        else if (step.kind === "read") this.#files.push(...step.files);
        else if (step.kind === "begin") {
          ofThisFile += 1;
          this.#runs += 1;
        }
        yield step;
      }
    } catch (error) {
      this.#failed = !isFailure(error, "interrupted");
      // A run starts with the first byte, even if that is invalid.
      if (ofThisFile === 0 && !isFailure(error, "unreadable-file")) this.#runs += 1;
      throw error;
    }
  }
}
