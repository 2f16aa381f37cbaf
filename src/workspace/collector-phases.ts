import type { Run } from "../core/run.ts";
import { isFailure } from "../core/errors.ts";
import type { Collector, Job, Shell } from "../plugins/collectors/collector.ts";

/** Who hears of a measurement as it goes. */
export interface PhaseWatcher {
  /** 0..1, of the phase `collect`. */
  progress?(done: number): void;
  /** What the collector has to say besides the run; and a teardown that failed, which is no reason to lose what was measured. */
  notice?(text: string): void;
}

/** Measures once, phase by phase: before, collect, after, and teardown however they ended. Fails with the first failure of the first three. */
export async function measureOnce(
  collector: Collector,
  job: Job,
  shell: Shell,
  watcher: PhaseWatcher = {},
): Promise<Run> {
  try {
    await collector.before?.(job, shell);
    const run = await collector.collect(job, shell, watcher.progress?.bind(watcher), watcher.notice?.bind(watcher));
    return (await collector.after?.(run, job, shell)) ?? run;
  } finally {
    await tearDown(collector, job, shell, watcher);
  }
}

async function tearDown(collector: Collector, job: Job, shell: Shell, watcher: PhaseWatcher): Promise<void> {
  try {
    await collector.teardown?.(job, shell);
  } catch (error) {
    if (!isFailure(error)) throw error;
    watcher.notice?.(`collector ${collector.name} could not tidy up: ${error.message}`);
  }
}
