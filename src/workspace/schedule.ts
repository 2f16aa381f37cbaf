import { seededRandom, shuffledOrder } from "../math/random.ts";
import type { RunOrder } from "./job-plan.ts";
import type { Part, Task } from "./job-task.ts";

/** A measurement of a task. */
export interface Slot {
  readonly task: Task;
  readonly part: Part;
}

/**
 * The measurements of all tasks in the order in which they are made. sequential: task by task. interleaved: the first round of all, then the
 * second, and in each the same job in one version after the other, so that what drifts drifts for all of them.
 * alternating: the same, and every other round has the versions the other way round, so that none always follows the other. random: shuffled.
 */
export function schedule(tasks: readonly Task[], order: RunOrder, seed: number): Slot[] {
  const slots = tasks.flatMap((task) => task.parts.map((part) => ({ task, part })));
  if (order === "random") return Array.from(shuffledOrder(slots.length, seededRandom(seed)), (at) => slots[at]!);
  if (order === "sequential") return slots;
  const jobs = new Map([...new Set(tasks.map(({ job }) => job))].map((job, at) => [job, at]));
  const placeInJob = new Map(tasks.flatMap(({ parts }) => parts.map((part, at) => [part, at] as const)));
  const placeOfTask = new Map(tasks.map((task, at) => [task, at]));
  const ranked = slots.map((slot) => {
    const { round } = slot.part;
    const isBackwards = order === "alternating" && round % 2 === 1;
    const version = isBackwards ? -(placeOfTask.get(slot.task) ?? 0) : 0;
    return { slot, rank: [round, jobs.get(slot.task.job) ?? 0, placeInJob.get(slot.part) ?? 0, version] };
  });
  return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ slot }) => slot);
}

/** Sorting keeps the order of what is equal: that of the versions. */
function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
