import type { VersionId } from "../src/core/versions/digest.ts";
import { parseUnit } from "../src/core/values/unit.ts";
import { ensembleDefaults } from "../src/math/detectors/ensemble.ts";
import type { LevelChange } from "../src/math/detectors/level-change.ts";
import { incrementalEnsemble, type Settled } from "../src/math/detectors/incremental-ensemble.ts";
import { BlockAdder, namesIn } from "../src/query/series/block-adder.ts";
import { blockOfProfile, concatenateBlocks, type Sample, type SampleBlock } from "../src/query/series/sample-block.ts";
import { SeriesBuilder } from "../src/query/series/series-builder.ts";
import { seriesVerdicts } from "../src/query/series/series-verdicts.ts";
import { BlockPacking } from "../src/commands/query/profile-samples.ts";
import { AnswerCache, answerKey } from "../src/store/cache/answer-cache.ts";
import { BlockCache, SeriesCache } from "../src/store/cache/incremental-cache.ts";
import { plantedSeries } from "../test/series/planted.ts";

/* Building and checking series in one process, as `check series` does, without reading profiles. */

/** Milliseconds of CPU time. */
export interface SeriesSpeed {
  readonly series: number;
  readonly points: number;
  /** From scratch. */
  readonly all: number;
  /**
   * With warm caches: unchanged, with another last value of one series, and with one more value for each.
   */
  readonly again: number;
  readonly oneMore: number;
  readonly commit: number;
}

const unit = parseUnit("s");

export function seriesSpeeds(
  folder: string,
  sizes: readonly (readonly [series: number, points: number])[],
): SeriesSpeed[] {
  return sizes.map(([series, points]) => {
    const values = Array.from(
      { length: series },
      (_, at) => plantedSeries("gauss", at, { count: points + 1, changes: changesOf(at, points) }).values,
    );
    const limits = { totalBytes: 512 << 20, entryBytes: 64 << 20 };
    const caches = [
      new AnswerCache(`${folder}/${series}/${points}/samples`, limits),
      new AnswerCache(`${folder}/${series}/${points}/answers`),
    ] as const;
    const timed = (count: number, last = 0): number => check(values, count, last, caches);
    const [all, again, oneMore] = [timed(points), timed(points), timed(points, 1)];
    return { series, points, all, again, oneMore, commit: timed(points + 1) };
  });
}

/** One in ten has a step. */
function changesOf(at: number, points: number): { from: number; to: number; share: number }[] {
  const from = Math.floor(0.6 * points);
  return at % 10 === 0 ? [{ from, to: from, share: 0.1 }] : [];
}

/**
 * CPU time of checking the first `count` values of all series, without reading. `other` is added to the last value of
 * the first series.
 */
function check(
  values: readonly Float64Array[],
  count: number,
  other: number,
  [samples, answers]: readonly [AnswerCache, AnswerCache],
): number {
  let reading = 0;
  const before = process.cpuUsage();
  const builder = new SeriesBuilder();
  const key = (items: readonly number[]): string => answerKey([...items, items.includes(count - 1) ? other : 0]);
  const one = (at: number): SampleBlock => {
    const start = process.cpuUsage();
    const block = blockOf(values, at, at === count - 1 ? other : 0);
    reading += since(start);
    return block;
  };
  const packing = new BlockPacking(samples, 1);
  const blockCache = new BlockCache(samples, 1, {
    key,
    build: (item) => packing.shared(one(item)),
    concat: concatenateBlocks,
    ...packing.functions,
  });
  const blocks = blockCache.blocksOf(Array.from({ length: count }, (_, at) => at));
  const adder = new BlockAdder(builder, { isWanted: () => true, better: undefined, names: namesIn(blocks) });
  let from = 0;
  for (const block of blocks) {
    const evidence = block.machines.map((_, at) => (from + at).toString(16).padStart(40, "0") as VersionId);
    const origins = { origins: evidence.map((version) => ({ version, machine: null })), evidence };
    adder.add(block, origins);
    from += evidence.length;
  }
  judge(builder, answers);
  return since(before) - reading;
}

function judge(builder: SeriesBuilder, answers: AnswerCache): void {
  const results = new SeriesCache<readonly LevelChange[]>(answers, answerKey(["series"]), 1);
  const memory = new SeriesCache<Settled>(answers, answerKey(["settled"]), 1);
  seriesVerdicts(builder.series(), {
    method: "ensemble",
    detect: (numbers) => results.getOrCompute(numbers, (own) => incrementalEnsemble(own, ensembleDefaults, memory)),
    isIn: null,
    minEffect: 0.01,
    falseDiscoveryRate: 0.05,
    allMachines: false,
    suspects: (_, after) => [after],
  });
  results.save();
  memory.save();
}

/** The block of a profile with one value of each series. */
function blockOf(values: readonly Float64Array[], at: number, other: number): SampleBlock {
  const samples = values.map((each, name): Sample => {
    const [key, location] = [`${name}`, `f${name}`];
    const subject = { key, benchmark: location, location, metric: "time", unit, better: undefined, isGrowth: false };
    return { subject, values: Float64Array.of((each[at] as number) + (name === 0 ? other : 0)) };
  });
  return blockOfProfile({ machine: null, disturbance: null, clock: null, canary: null, hasCalls: false }, samples);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
