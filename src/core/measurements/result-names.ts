import { directionOfName, nameWordsPattern } from "./direction-of-name.ts";

const conditions = nameWordsPattern(
  "size bytes? length count threads? procs? process(?:es|ors?)? tasks? ranks? nodes? cores? cpus? gpus? " +
    "iter iterations? repetitions? reps offset order block depth level seed step steps stride dimension " +
    "grid pairs window number num counts? unknowns equations index id port version batch clients? " +
    "jobs? files? items atoms uid pid ppid tid n nb p q nx ny nz npx npy npz ngl test label kb reclen interval",
);
const outcomes = nameWordsPattern(
  "time sec seconds latency bandwidth rate throughput flops? mop speed perf performance elapsed wall " +
    "duration [mun]?secs? avg average mean min max median std stddev dev score energy error residual total " +
    "(?:^|_|n)calls? retr lost jitter percent(?:ile)? memory rating \\d+th (?:^|_)p\\d+",
);

/** Names of outcomes that are never set by a user; a rate, a time or a memory size may be. */
const certain = nameWordsPattern(
  "latency jitter avg average mean median stddev error residual elapsed wall lost \\d+th (?:^|_)p\\d+(?:_\\d+)?",
);
/** Rates, speeds and others that a user may have set. */
const settable = new RegExp(
  "^(?:[a-z]+_)?(?:rate|speed|bw|bandwidth|bitrate|[qr]ps|timeout|retries)$|target|limit|offered|requested|nominal",
  "i",
);

/** Whether a number of this name is mostly a condition of a measurement: `threads`, `size`. */
export function namesCondition(name: string): boolean {
  return conditions.test(name);
}

/** Whether a number of this name is mostly an outcome of a measurement: `time`, `max`, `calls`. */
export function namesOutcome(name: string): boolean {
  return outcomes.test(name);
}

/** Whether a number of this name is an outcome without doubt, so that equal values do not make it a condition. */
export function namesResult(heading: string): boolean {
  const name = heading.replaceAll(/[^\p{L}\p{N}]+/gu, "_").slice(0, 200);
  if (settable.test(name)) return false;
  return directionOfName(heading) !== undefined || (certain.test(name) && !conditions.test(name));
}

/** Names of the number of a repetition. */
const replicates = /^(?:sample|rep|repeat|repetition|replicate|replication|replica|trial|run|iteration)$/i;

/** Whether an integer of this name says which repetition of a measurement it is, and is no condition of it. */
export function namesReplicate(name: string): boolean {
  return replicates.test(name.replace(/[ _-]?(?:id|index|idx|no|nr|num|number)$/i, ""));
}

/** Names of numbers that say when something was measured, in words between underscores. */
const moments = new RegExp(
  "(?:^|_)(?:timestamp|time_stamp|ts|epoch|unix_?time|date|datetime|date_time|" +
    "(?:created|started|finished|updated|start|end)_?at)$",
);

/** The years 1990 to 2100, in seconds since 1970. */
const [firstEpoch, lastEpoch] = [631_152_000, 4_102_444_800];

/** Whether a number with this name is a time since 1970, in seconds, milli-, micro- or nanoseconds. */
export function isEpochTime(name: string, value: number): boolean {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])|[ .-]+/g, "_").toLowerCase();
  return moments.test(words) && [1, 1e3, 1e6, 1e9].some((per) => value >= firstEpoch * per && value < lastEpoch * per);
}
